// Changes of product settings, inside the caller's write transaction.
import type { Transaction } from 'kysely'
import { SETTING_NAMES, SETTINGS, type SettingName } from '../../schemas/settings.ts'
import type { Tables } from '../database/tables.ts'
import { raiseVersion } from './counters.ts'

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

/** Every setting with its value in force. */
export async function readAllSettings(
  transaction: Transaction<Tables>,
): Promise<Record<string, string>> {
  const rows = await transaction.selectFrom('settings').selectAll().execute()
  const values = new Map(rows.map((row) => [row.name, row.value]))
  return Object.fromEntries(
    SETTING_NAMES.map((name) => [name, values.get(name) ?? SETTINGS[name].default]),
  )
}
