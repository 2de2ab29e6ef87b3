// settings: reads and changes product settings, and zones of app tags.
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import { forgetPortal } from '../../../infra/heartbeat/portal-link.ts'
import {
  readAllSettings,
  resetSetting,
  setSetting,
} from '../../../infra/metastore/settings/setting-changes.ts'
import { changeTag } from '../../../infra/metastore/tags/app-tags.ts'
import { Failure } from '../../../schemas/failures.ts'
import { settings as published } from '../../../schemas/sdk/settings.ts'
import { OWN_ARGUMENTS, type SettingName } from '../../../schemas/settings.ts'
import { readTagQuery } from '../../configuration/source-scope.ts'
import type { LifecycleTools } from '../server/lifecycle-tools.ts'
import { serveCommand } from '../server/serve-command.ts'

const PORTS: readonly SettingName[] = ['system.httpPort', 'system.httpsPort']
const PORTAL: readonly SettingName[] = ['system.portalUrl', 'system.portalLicenseKey']

type Change = { readonly name: SettingName; readonly value: string; readonly argument: string }

export const settings = serveCommand(published, async (input, tools) => {
  const { get, set, reset, timeZone, appTag } = input
  if (appTag !== undefined) await tools.requireVisibleTag(appTag)
  const changes: Change[] = set === undefined ? [] : [{ ...set, argument: 'set' }]
  for (const [argument, name] of Object.entries(OWN_ARGUMENTS)) {
    const value = givenValue(input, argument)
    const isOfTag = argument === 'timeZone' && appTag !== undefined
    if (value !== undefined && !isOfTag) changes.push({ name, value, argument })
  }
  for (const change of changes) refuseFixed(change, tools.lifecycle)
  return async (transaction) => {
    if (reset !== undefined) await resetSetting(transaction, reset)
    for (const { name, value } of changes) await setSetting(transaction, name, value)
    const ofTag =
      appTag === undefined || timeZone === undefined
        ? {}
        : await setTagZone(transaction, appTag, timeZone)
    const all = await readAllSettings(transaction)
    const changed = [...(reset === undefined ? [] : [reset]), ...changes.map(({ name }) => name)]
    if (changed.some((name) => PORTAL.includes(name))) await forgetPortal(transaction)
    if (changed.some((name) => PORTS.includes(name)))
      requireTwoPorts(all, changes[0]?.argument ?? 'reset')
    const others = { ...ofTag, ...notesOn(changed, all) }
    if (input.list === true) return { ...all, ...others }
    const names = [...(get === undefined ? [] : [get]), ...changed]
    return { ...Object.fromEntries(names.map((name) => [name, all[name] ?? ''])), ...others }
  }
})

function givenValue(input: object, argument: string): string | undefined {
  const found: unknown = Object.entries(input).find(([name]) => name === argument)?.[1]
  return found === undefined || found === null ? undefined : String(found)
}

async function setTagZone(
  transaction: DatabaseTransaction,
  name: string,
  timeZone: string | null,
): Promise<Record<string, string>> {
  const made = await changeTag(transaction, name, () => ({ timeZone }), readTagQuery)
  return { [`appTag.${made.name}`]: timeZone ?? '' }
}

/** What is kept and has no effect in this version, or not yet (decision 8.5). */
function notesOn(
  changed: readonly SettingName[],
  all: Readonly<Record<string, string>>,
): Record<string, string> {
  const notes: string[] = []
  if (changed.includes('system.businessHours') && all['system.businessHours'] !== '')
    notes.push('system.businessHours: kept, but no search of this version uses it')
  if (changed.some((name) => PORTS.includes(name)))
    notes.push('ports: in force from the next restart on (-api restart)')
  return notes.length === 0 ? {} : { notes: notes.join('; ') }
}

/** Process configuration holds whatever the database says: a change would be without effect. */
function refuseFixed({ name, argument }: Change, { fixedPorts }: LifecycleTools): void {
  const isPlain = name === 'system.httpPort' && fixedPorts.plain
  const isTls = name === 'system.httpsPort' && fixedPorts.tls
  if (!isPlain && !isTls) return
  const variable = isPlain ? 'LOGEYE_HTTP_PLAIN_PORT' : 'LOGEYE_HTTP_TLS_PORT'
  const reason = `the process configuration says it: change ${variable} and start anew`
  throw new Failure('sdk.argument', { argument, reason })
}

function requireTwoPorts(all: Readonly<Record<string, string>>, argument: string): void {
  const [plain, tls] = PORTS.map((name) => all[name] ?? '')
  if (plain === '' || plain !== tls) return
  throw new Failure('sdk.argument', { argument, reason: 'HTTP and HTTPS need two ports' })
}
