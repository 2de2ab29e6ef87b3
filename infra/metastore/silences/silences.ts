// Silences of logs: those that were told, and those that people expect (docs/decisions/0098).
import type { Kysely } from 'kysely'
import type { DatabaseTransaction } from '../../database/port.ts'
import type { Tables } from '../../database/tables.ts'

export type Silence = {
  readonly logId: number
  readonly sinceMs: number
  /** Null while it goes on. */
  readonly endedMs: number | null
}

export type ExpectedSilence = {
  readonly id: number
  /** Of a folder, or of a log with its name last; [] is everything. */
  readonly path: readonly string[]
  readonly fromMs: number
  readonly toMs: number | null
  readonly reason: string
  readonly madeBy: string
}

type Reading = Pick<Kysely<Tables>, 'selectFrom'>

/** Those that go on, and those that ended after `afterMs`; earliest first. */
export async function readSilences(db: Reading, afterMs: number): Promise<readonly Silence[]> {
  const rows = await db
    .selectFrom('silences')
    .select(['log_id', 'since_ms', 'ended_ms'])
    .where((where) => where.or([where('ended_ms', 'is', null), where('ended_ms', '>', afterMs)]))
    .orderBy('since_ms')
    .orderBy('log_id')
    .execute()
  return rows.map((row) => ({ logId: row.log_id, sinceMs: row.since_ms, endedMs: row.ended_ms }))
}

export async function beginSilence(
  transaction: DatabaseTransaction,
  { logId, sinceMs, toldMs }: { logId: number; sinceMs: number; toldMs: number },
): Promise<void> {
  await transaction
    .insertInto('silences')
    .values({ log_id: logId, since_ms: sinceMs, told_ms: toldMs, ended_ms: null })
    .execute()
}

export async function endSilence(
  transaction: DatabaseTransaction,
  { logId, sinceMs }: Silence,
  endedMs: number,
): Promise<void> {
  await transaction
    .updateTable('silences')
    .set({ ended_ms: endedMs })
    .where('log_id', '=', logId)
    .where('since_ms', '=', sinceMs)
    .execute()
}

/** Nothing is learned from them any more. */
export async function forgetSilences(
  transaction: DatabaseTransaction,
  endedBeforeMs: number,
): Promise<void> {
  await transaction.deleteFrom('silences').where('ended_ms', '<', endedBeforeMs).execute()
}

export async function readExpectedSilences(db: Reading): Promise<readonly ExpectedSilence[]> {
  const rows = await db.selectFrom('expected_silences').selectAll().orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id,
    path: JSON.parse(row.path),
    fromMs: row.from_ms,
    toMs: row.to_ms,
    reason: row.reason,
    madeBy: row.made_by,
  }))
}

/** `path`: of a log with its name last. */
export function covers(expected: ExpectedSilence, path: readonly string[]): boolean {
  return expected.path.every((level, index) => level === path[index])
}
