// Rows of the table `backups`: the front asks for one and looks how it goes, the process with the
// writer makes them, one at a time.
import { z } from 'zod'
import { Failure } from '../../../schemas/failures.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/port.ts'
import type { Tables } from '../../database/tables.ts'

export const BACKUP_STATES = ['asked', 'running', 'done', 'failed'] as const
export type BackupState = (typeof BACKUP_STATES)[number]

const summarySchema = z.object({
  files: z.number().default(0),
  events: z.number().default(0),
  blocks: z.number().default(0),
  heldMs: z.number().default(0),
})

export type BackupRequest = {
  readonly name: string
  readonly state: BackupState
  readonly isDryRun: boolean
  readonly askedMs: number
  readonly endedMs: number | undefined
  /** Copied so far. */
  readonly bytes: number
  readonly summary: z.infer<typeof summarySchema>
  /** Why it failed. */
  readonly reason: string
}

/** Kept for `-list`. */
const KEPT = 100

/** Takes the place of an earlier one of the name, whose directory the caller did not find. Fails
 *  with backup.refused while another one is made. */
export async function askForBackup(
  database: Database,
  asked: { readonly name: string; readonly isDryRun: boolean },
  clock: Pick<Clock, 'nowMs'>,
): Promise<void> {
  await database.write(async (transaction) => {
    const rows = await transaction.selectFrom('backups').selectAll().execute()
    const busy = rows.find(({ state }) => state === 'asked' || state === 'running')
    if (busy !== undefined)
      throw new Failure('backup.refused', { reason: `${busy.name} is being made` })
    await transaction.deleteFrom('backups').where('name', '=', asked.name).execute()
    const oldest = rows.toSorted((a, b) => Number(b.asked_ms) - Number(a.asked_ms)).slice(KEPT)
    for (const { name } of oldest)
      await transaction.deleteFrom('backups').where('name', '=', name).execute()
    await transaction
      .insertInto('backups')
      .values({
        name: asked.name,
        state: 'asked',
        is_dry_run: asked.isDryRun ? 1 : 0,
        asked_ms: clock.nowMs(),
        ended_ms: null,
        bytes: 0,
        summary: '{}',
        reason: '',
      })
      .execute()
  })
}

export async function readBackups(db: Database['read']): Promise<BackupRequest[]> {
  const rows = await db.selectFrom('backups').selectAll().orderBy('asked_ms', 'desc').execute()
  return rows.map(fromRow)
}

export async function changeBackup(
  database: Database,
  name: string,
  change: Partial<Omit<Tables['backups'], 'name'>>,
): Promise<void> {
  await database.write(async (transaction) => {
    await transaction.updateTable('backups').set(change).where('name', '=', name).execute()
  })
}

function fromRow(row: Tables['backups']): BackupRequest {
  const { name, is_dry_run, asked_ms, ended_ms, bytes, summary, reason } = row
  return {
    name,
    state: BACKUP_STATES.find((state) => state === row.state) ?? 'failed',
    isDryRun: is_dry_run === 1,
    askedMs: Number(asked_ms),
    endedMs: ended_ms === null ? undefined : Number(ended_ms),
    bytes: Number(bytes),
    summary: summarySchema.parse(JSON.parse(summary)),
    reason,
  }
}
