// The server key as it is shown: what a licence is bound to, and what the portal tells this
// installation from others by.
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/port.ts'
import { printServerKey, SERVER_KEY } from '../../signed-documents/server-key.ts'
import { openSharedKey } from '../shared-key.ts'

export async function openServerKey(
  database: Database,
  clock: Pick<Clock, 'randomBytes'>,
): Promise<string> {
  return printServerKey(await openSharedKey(database, SERVER_KEY, clock))
}
