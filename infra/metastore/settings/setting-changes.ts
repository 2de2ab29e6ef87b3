// Changes of product settings, inside the caller's write transaction.
import type { Transaction } from 'kysely'
import {
  isSecretSetting,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from '../../../schemas/settings.ts'
import type { Tables } from '../../database/tables.ts'
import { raiseVersion } from '../counters.ts'

/** `value` has passed the setting's own check. */
export async function setSetting(
  transaction: Transaction<Tables>,
  name: SettingName,
  value: string,
): Promise<void> {
  await transaction
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
  await raiseVersion(transaction, 'settings')
}

/** Gives the setting its default again. */
export async function resetSetting(
  transaction: Transaction<Tables>,
  name: SettingName,
): Promise<void> {
  if (name === 'system.timeZone') return await setSetting(transaction, name, machineTimeZone())
  await transaction.deleteFrom('settings').where('name', '=', name).execute()
  await raiseVersion(transaction, 'settings')
}

/** The default of system.timeZone, fixed at the first start (decision 1.6). */
export function machineTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Every setting with its value in force; of secrets, whether there is one. */
export async function readAllSettings(
  transaction: Transaction<Tables>,
): Promise<Record<string, string>> {
  const rows = await transaction.selectFrom('settings').selectAll().execute()
  const values = new Map(rows.map((row) => [row.name, row.value]))
  return Object.fromEntries(
    SETTING_NAMES.map((name) => {
      const value = values.get(name) ?? SETTINGS[name].default
      return [name, isSecretSetting(name) && value !== '' ? '***' : value]
    }),
  )
}
