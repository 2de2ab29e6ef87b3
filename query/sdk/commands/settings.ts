// settings: reads and changes product settings, and zones of app tags.
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import {
  readAllSettings,
  resetSetting,
  setSetting,
} from '../../../infra/metastore/settings/setting-changes.ts'
import { changeTag } from '../../../infra/metastore/tags/app-tags.ts'
import { settings as published } from '../../../schemas/sdk/settings.ts'
import type { SettingName } from '../../../schemas/settings.ts'
import { readTagQuery } from '../../configuration/source-scope.ts'
import { serveCommand } from '../server/serve-command.ts'

export const settings = serveCommand(published, async (input, { requireVisibleTag }) => {
  const { get, set, reset, security, timeZone, timeZoneMode, appTag } = input
  if (appTag !== undefined) await requireVisibleTag(appTag)
  const changes: [SettingName, string][] = []
  if (set !== undefined) changes.push([set.name, set.value])
  if (security !== undefined) changes.push(['system.security', String(security)])
  if (timeZoneMode !== undefined) changes.push(['system.timeZoneMode', timeZoneMode])
  if (appTag === undefined && typeof timeZone === 'string')
    changes.push(['system.timeZone', timeZone])
  return async (transaction) => {
    if (reset !== undefined) await resetSetting(transaction, reset)
    for (const [name, value] of changes) await setSetting(transaction, name, value)
    const ofTag =
      appTag === undefined || timeZone === undefined
        ? {}
        : await setTagZone(transaction, appTag, timeZone)
    const all = await readAllSettings(transaction)
    if (input.list === true) return { ...all, ...ofTag }
    const names = [get, reset, ...changes.map(([name]) => name)].filter(
      (name) => name !== undefined,
    )
    const values = Object.fromEntries(names.map((name) => [name, all[name] ?? '']))
    return { ...values, ...ofTag, ...notesOn(changes) }
  }
})

async function setTagZone(
  transaction: DatabaseTransaction,
  name: string,
  timeZone: string | null,
): Promise<Record<string, string>> {
  const made = await changeTag(transaction, name, () => ({ timeZone }), readTagQuery)
  return { [`appTag.${made.name}`]: timeZone ?? '' }
}

/** What is kept and has no effect in this version (decision 8.5). */
function notesOn(changes: readonly [SettingName, string][]): Record<string, string> {
  const isKept = changes.some(([name, value]) => name === 'system.businessHours' && value !== '')
  return isKept
    ? { notes: 'system.businessHours: kept, but no search of this version uses it' }
    : {}
}
