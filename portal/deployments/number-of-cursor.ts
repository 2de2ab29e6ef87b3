// Lists of deployments go by their numbers. These count the deployments of all organizations, so a
// cursor, which anybody can decode, names the id.
import { Failure } from '../../schemas/failures.ts'
import type { PortalReader } from '../database/open.ts'

/** Fails with portal.invalid_cursor. */
export async function numberOfCursor(db: PortalReader, deploymentId: string): Promise<number> {
  const found = db.selectFrom('deployments').select('number').where('id', '=', deploymentId)
  const row = await found.executeTakeFirst()
  if (row === undefined) throw new Failure('portal.invalid_cursor')
  return row.number
}
