// What of the table `events` nobody may find now: what is being deleted, and what a thaw has not
// brought back whole.
import type { Database } from '../../database/port.ts'
import { readHiddenThaws } from '../archive/thaws.ts'
import { readHidden } from './deletions.ts'

/** Conditions over `events`, each true for what is hidden. */
export async function readHiddenEvents(db: Database['read']): Promise<readonly string[]> {
  return [...(await readHidden(db)), ...(await readHiddenThaws(db))]
}
