// Product settings in memory, as the text that is kept.
import type { Transaction } from 'kysely'
import { readSetting, type SettingName, type SettingValue } from '../../../schemas/settings.ts'
import type { Tables } from '../../database/tables.ts'
import { Cached } from '../cached.ts'
import type { Settings } from './port.ts'

export class SettingCache implements Settings {
  readonly cached = new Cached<ReadonlyMap<string, string>>('settings', new Map(), readKept)

  setting<N extends SettingName>(name: N): SettingValue<N> {
    return readSetting(name, this.cached.value.get(name))
  }
}

async function readKept(transaction: Transaction<Tables>): Promise<ReadonlyMap<string, string>> {
  const rows = await transaction.selectFrom('settings').selectAll().execute()
  return new Map(rows.map((row) => [row.name, row.value]))
}
