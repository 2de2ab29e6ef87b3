// App tags that are named where they are given, inside the caller's transaction.
import type { Transaction } from 'kysely'
import { foldName } from '../../database/fold-name.ts'
import type { Tables } from '../../database/tables.ts'
import { takeIds } from '../counters.ts'
import { NO_TAG_SETTINGS } from '../tags/tag-state.ts'

/** Tags that do not exist are made; the answer has each as it was first spelled, without
 *  repeats. */
export async function ensureAppTags(
  transaction: Transaction<Tables>,
  names: readonly string[],
): Promise<readonly string[]> {
  const spelled = new Map<string, string>()
  for (const name of names) {
    const folded = foldName(name)
    if (spelled.has(folded)) continue
    const row = await transaction
      .selectFrom('app_tags')
      .select('name')
      .where('name_folded', '=', folded)
      .executeTakeFirst()
    spelled.set(folded, row?.name ?? name)
    if (row !== undefined) continue
    const id = await takeIds(transaction, 'appTag', 1)
    await transaction
      .insertInto('app_tags')
      .values({ id, name, name_folded: folded, settings: NO_TAG_SETTINGS })
      .execute()
  }
  return [...spelled.values()]
}
