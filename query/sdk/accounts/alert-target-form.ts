// What an alert target is made of, and how it is tried: by a message that says that it is a test.
import { ACCOUNT_SETTINGS, type BookAccountSettings } from '../../../schemas/address-book.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { AlertNotice } from '../../../schemas/monitors/notice.ts'
import type { SdkInput } from '../../../schemas/sdk/commands.ts'
import type { CommandTools } from '../server/serve-command.ts'
import type { AccountForm } from './save-account.ts'

export function alertTargetForm(
  input: SdkInput<'addAlertTarget'>,
  { clock, tellTarget }: Pick<CommandTools, 'clock' | 'tellTarget'>,
): AccountForm<BookAccountSettings<'alertTarget'>> {
  const { name, type, to, targetURL, signingSecret, digest, timeZone, update } = input
  return {
    kind: 'alertTarget',
    schema: ACCOUNT_SETTINGS.alertTarget,
    secrets: { targetURL, signingSecret },
    settings: (before) => {
      const settings = {
        type: type ?? before?.type ?? 'mail',
        to: to ?? before?.to ?? [],
        digest: digest ?? before?.digest ?? '',
        timeZone: timeZone === undefined ? (before?.timeZone ?? '') : (timeZone ?? ''),
      }
      const refuse = (argument: string) =>
        new Failure('sdk.argument', {
          argument,
          reason: `is missing: a target of the type ${settings.type} needs it`,
        })
      if (settings.type === 'mail' && settings.to.length === 0) throw refuse('to')
      if (settings.type === 'alertmanager' && settings.digest !== '')
        throw new Failure('sdk.argument', {
          ...{ argument: 'digest', reason: 'is not for an Alertmanager, which gathers by itself' },
        })
      const isNew = update !== true || before?.type !== settings.type
      if (settings.type !== 'mail' && isNew && !targetURL) throw refuse('targetURL')
      if (settings.type === 'webhook' && isNew && !signingSecret) throw refuse('signingSecret')
      return settings
    },
    // Whoever changes the address gives it: it is a secret itself, and of the other one nothing is
    // sent but signatures.
    isSamePlace: () => true,
    verify: async (settings, secrets) => {
      const nowMs = clock.nowMs()
      const end = await tellTarget(
        { settings, secrets },
        { id: `test-${nowMs}`, notice: test(name, nowMs) },
      )
      return end.failure === null
        ? { facts: ['a test message was taken'] }
        : { failed: end.failure }
    },
    notes: (_, secrets) =>
      secrets.includes('targetURL') ? ['targetURL: kept encrypted, and shown nowhere'] : [],
  }
}

function test(name: string, nowMs: number): AlertNotice {
  const text = `This is a test of the alert target ${name}. Nothing has happened.`
  return {
    ...{ event: 'test', alertId: 0, monitor: 'test', severity: 'low', group: '', count: 0 },
    ...{ query: '', openedMs: nowMs, atMs: nowMs, sample: { columns: [], rows: [] } },
    ...{ link: '', subject: `[test] ${name}`, text },
  }
}
