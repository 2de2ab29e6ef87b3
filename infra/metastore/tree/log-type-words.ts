// What types the events of a log named (decision 3.9): `in type.x` finds the log by each of them.
import type { Transaction } from 'kysely'
import { newTypeWords } from '../../../schemas/templates/template.ts'
import type { Tables } from '../../database/tables.ts'
import { raiseVersion } from '../counters.ts'
import { readTextList } from '../json-list.ts'
import type { NewTypeWords } from './port.ts'

/** A log that was removed learns nothing. */
export async function insertTypeWords(
  transaction: Transaction<Tables>,
  found: readonly NewTypeWords[],
): Promise<void> {
  let changed: number | undefined
  for (const { logId, words } of found) {
    const row = await transaction
      .selectFrom('logs')
      .select('type_words')
      .where('id', '=', logId)
      .where('removed_ms', 'is', null)
      .executeTakeFirst()
    if (row === undefined) continue
    const known = readTextList(row.type_words)
    const added = newTypeWords(known, words)
    if (added.length === 0) continue
    changed ??= await raiseVersion(transaction, 'tree')
    await transaction
      .updateTable('logs')
      .set({ type_words: JSON.stringify([...known, ...added]), changed })
      .where('id', '=', logId)
      .execute()
  }
}
