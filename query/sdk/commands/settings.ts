// settings: reads and changes product settings.
import {
  readAllSettings,
  resetSetting,
  setSetting,
} from '../../../infra/metastore/settings/setting-changes.ts'
import { settings as published } from '../../../schemas/sdk/settings.ts'
import { serveCommand } from '../server/serve-command.ts'

export const settings = serveCommand(published, (input) => async (transaction) => {
  const { get, set, reset, security, timeZone } = input
  if (reset !== undefined) await resetSetting(transaction, reset)
  if (set !== undefined) await setSetting(transaction, set.name, set.value)
  if (security !== undefined) await setSetting(transaction, 'system.security', String(security))
  if (timeZone !== undefined) await setSetting(transaction, 'system.timeZone', timeZone)
  const all = await readAllSettings(transaction)
  if (input.list === true) return all
  const names = [
    get,
    set?.name,
    reset,
    security === undefined ? undefined : 'system.security',
    timeZone === undefined ? undefined : 'system.timeZone',
  ].filter((name) => name !== undefined)
  return Object.fromEntries(names.map((name) => [name, all[name] ?? '']))
})
