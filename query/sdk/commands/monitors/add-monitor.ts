// addMonitor: makes a monitor, or with -update changes one. It runs with the rights of its owner,
// so whoever changes what it asks is its owner or an administrator (docs/decisions/0091).
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { findBookAccount } from '../../../../infra/metastore/address-book/book-accounts.ts'
import {
  changeMonitor,
  type Monitor,
  addMonitor as makeMonitor,
} from '../../../../infra/metastore/monitors/monitors.ts'
import { Failure } from '../../../../schemas/failures.ts'
import type { MonitorSettings } from '../../../../schemas/monitors/monitor.ts'
import type { SdkInput } from '../../../../schemas/sdk/commands.ts'
import { addMonitor as published } from '../../../../schemas/sdk/monitors/add-monitor.ts'
import { printNextRuns, readDuePlan } from '../../../monitors/due-plan.ts'
import { findTemplateFault } from '../../../monitors/tell/fill-template.ts'
import {
  checkAsked,
  checkTogether,
  definitionOf,
  refuseArgument,
  withoutUndefined,
} from '../../monitors/definition.ts'
import {
  monitorViewer,
  ownerName,
  readOwner,
  requireOwnMonitor,
} from '../../monitors/monitor-owner.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addMonitor = serveCommand(
  published,
  (input, { clock, caller, settings: productSettings }) => {
    checkTexts(input)
    return async (transaction) => {
      const nowMs = clock.nowMs()
      const { name, update, owner, enabled: isEnabled } = input
      const before =
        update === true
          ? await requireOwnMonitor(transaction, name, monitorViewer(caller.user))
          : undefined
      const ownerId = await readOwner(transaction, owner, caller.user)
      const settings = await readSettings(transaction, input)
      checkTogether({ ...before?.settings, ...withoutUndefined(settings) })
      const change = { isEnabled, settings }
      const monitor =
        before === undefined
          ? await makeMonitor(
              transaction,
              { name, ...change, ownerId: ownerId ?? caller.user.id },
              nowMs,
            )
          : await changeMonitor(transaction, name, { ...change, ownerId }, nowMs)
      const plan = readDuePlan(monitor.settings, productSettings)
      return {
        name: monitor.name,
        owner: await ownerName(transaction, monitor.ownerId),
        enabled: monitor.isEnabled,
        nextRuns: printNextRuns(plan, nowMs),
        notes: notesOn(monitor),
      }
    }
  },
  { hints: { 'object.exists': 'give -update true to change it' } },
)

/** Whatever can be read without a log. Fails with sdk.argument, search.query. */
function checkTexts(input: SdkInput<'addMonitor'>): void {
  checkAsked(input)
  const { subject, text } = input
  for (const [argument, template] of Object.entries({ subject, text })) {
    const reason = template === undefined ? undefined : findTemplateFault(template)
    if (reason !== undefined) throw refuseArgument(argument, reason)
  }
}

async function readSettings(
  transaction: DatabaseTransaction,
  input: SdkInput<'addMonitor'>,
): Promise<{ readonly [P in keyof MonitorSettings]?: MonitorSettings[P] | undefined }> {
  return {
    ...definitionOf(input),
    ...{ severity: input.severity, isOnce: input.once },
    ...{ maxAlertsPerHour: input.maxAlertsPerHour, tellsEnd: input.tellEnd },
    ...{ subject: input.subject, text: input.text, description: input.description },
    actions:
      input.actions === undefined ? undefined : await requireTargets(transaction, input.actions),
    escalation:
      input.escalation === undefined
        ? undefined
        : await requireSteps(transaction, input.escalation),
  }
}

/** As they are spelled. Fails with object.not_found. */
async function requireTargets(
  transaction: DatabaseTransaction,
  names: readonly string[],
): Promise<readonly string[]> {
  const spelled = new Set<string>()
  for (const name of names) spelled.add(await requireTarget(transaction, name))
  return [...spelled]
}

async function requireTarget(transaction: DatabaseTransaction, name: string): Promise<string> {
  const account = await findBookAccount(transaction, name)
  if (account?.kind === 'alertTarget') return account.name
  throw new Failure('object.not_found', { kind: 'alert target', name })
}

/** Fails with object.not_found. */
async function requireSteps(
  transaction: DatabaseTransaction,
  steps: MonitorSettings['escalation'],
): Promise<MonitorSettings['escalation']> {
  const spelled: { afterMs: number; target: string }[] = []
  for (const { afterMs, target } of steps)
    spelled.push({ afterMs, target: await requireTarget(transaction, target) })
  return spelled
}

function notesOn({ settings, isEnabled }: Monitor): string[] {
  return [
    ...(settings.schedule === 'never' ? ['schedule: it never runs by itself'] : []),
    ...(settings.actions.length === 0
      ? ['actions: nobody is told; alerts stand in the list and in System->alerts']
      : []),
    ...(isEnabled ? [] : ['it is disabled and does not run']),
  ]
}
