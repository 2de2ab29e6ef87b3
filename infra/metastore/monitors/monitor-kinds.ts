// What a monitor has seen of kinds of events: hashes, never the texts (docs/decisions/0130).
// Written in the transaction that ends a run.
import type { Kysely } from 'kysely'
import type { DatabaseTransaction } from '../../database/port.ts'
import type { Tables } from '../../database/tables.ts'

type SeenKind = {
  readonly firstMs: number
  readonly lastMs: number
  readonly young: number
  readonly told: number
}

export type MonitorMemory = {
  /** What was asked: of another question nothing is known. */
  readonly asked: string
  readonly sinceMs: number
  readonly kinds: ReadonlyMap<string, SeenKind>
}

/** What is new or other than before; what it has forgotten. */
export type MemoryChange = {
  /** Undefined: as it was. Else all that was known before goes. */
  readonly anew: Omit<MonitorMemory, 'kinds'> | undefined
  readonly kinds: ReadonlyMap<string, SeenKind>
  readonly forgotten: readonly string[]
}

/** Rows of one statement. */
const CHUNK = 100

/** Undefined: it has seen nothing yet. */
export async function readMonitorMemory(
  db: Kysely<Tables>,
  monitorId: number,
): Promise<MonitorMemory | undefined> {
  const memory = await db
    .selectFrom('monitor_memories')
    .selectAll()
    .where('monitor_id', '=', monitorId)
    .executeTakeFirst()
  if (memory === undefined) return undefined
  const rows = await db
    .selectFrom('monitor_kinds')
    .selectAll()
    .where('monitor_id', '=', monitorId)
    .execute()
  const kinds = rows.map(
    ({ kind, first_ms, last_ms, young, told }) =>
      [
        kind,
        {
          ...{ firstMs: Number(first_ms), lastMs: Number(last_ms) },
          ...{ young: Number(young), told: Number(told) },
        },
      ] as const,
  )
  return { asked: memory.asked, sinceMs: Number(memory.since_ms), kinds: new Map(kinds) }
}

export async function changeMonitorMemory(
  transaction: DatabaseTransaction,
  monitorId: number,
  { anew, kinds, forgotten }: MemoryChange,
): Promise<void> {
  if (anew !== undefined) {
    await forgetMonitorMemory(transaction, monitorId)
    const row = { monitor_id: monitorId, asked: anew.asked, since_ms: anew.sinceMs }
    await transaction.insertInto('monitor_memories').values(row).execute()
  }
  for (let at = 0; at < forgotten.length; at += CHUNK)
    await transaction
      .deleteFrom('monitor_kinds')
      .where('monitor_id', '=', monitorId)
      .where('kind', 'in', forgotten.slice(at, at + CHUNK))
      .execute()
  const rows = [...kinds].map(([kind, { firstMs, lastMs, young, told }]) => ({
    ...{ monitor_id: monitorId, kind, first_ms: firstMs, last_ms: lastMs, young, told },
  }))
  for (let at = 0; at < rows.length; at += CHUNK)
    await transaction
      .insertInto('monitor_kinds')
      .values(rows.slice(at, at + CHUNK))
      .onConflict((conflict) =>
        conflict.columns(['monitor_id', 'kind']).doUpdateSet((row) => ({
          first_ms: row.ref('excluded.first_ms'),
          last_ms: row.ref('excluded.last_ms'),
          young: row.ref('excluded.young'),
          told: row.ref('excluded.told'),
        })),
      )
      .execute()
}

/** With its monitor. */
export async function forgetMonitorMemory(
  transaction: DatabaseTransaction,
  monitorId: number,
): Promise<void> {
  await transaction.deleteFrom('monitor_kinds').where('monitor_id', '=', monitorId).execute()
  await transaction.deleteFrom('monitor_memories').where('monitor_id', '=', monitorId).execute()
}
