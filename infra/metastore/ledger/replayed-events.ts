// Which rejected events were sent again: begun before they go to the event log, done when it has
// them. Between the two a crash leaves them begun: sent once more within a day they meet their own
// Idempotency-Key, and are stored once.
import type { Database } from '../../database/port.ts'

/** The place of a row of the store; `place` is unique in its partition. */
export type EventPlace = { readonly partition: number; readonly place: string }

export type ReplayState = { readonly isDone: boolean; readonly begunMs: number }

const AT_ONCE = 200

/** By `keyOfPlace`; those that were never begun are not in it. */
export async function readReplays(
  database: Database,
  places: readonly EventPlace[],
): Promise<ReadonlyMap<string, ReplayState>> {
  const states = new Map<string, ReplayState>()
  for (const [partition, group] of byPartition(places)) {
    for (let at = 0; at < group.length; at += AT_ONCE) {
      const rows = await database.read
        .selectFrom('replayed_events')
        .selectAll()
        .where('partition', '=', partition)
        .where('place', 'in', group.slice(at, at + AT_ONCE))
        .execute()
      for (const row of rows)
        states.set(keyOfPlace(row), {
          isDone: row.is_done === 1,
          begunMs: Number(row.begun_ms),
        })
    }
  }
  return states
}

/** One that was begun before keeps its time. */
export async function beginReplays(
  database: Database,
  places: readonly EventPlace[],
  nowMs: number,
): Promise<void> {
  await database.write(async (transaction) => {
    for (let at = 0; at < places.length; at += AT_ONCE)
      await transaction
        .insertInto('replayed_events')
        .values(
          places.slice(at, at + AT_ONCE).map(({ partition, place }) => ({
            partition,
            place,
            is_done: 0 as const,
            begun_ms: nowMs,
          })),
        )
        .onConflict((conflict) => conflict.columns(['partition', 'place']).doNothing())
        .execute()
  })
}

export async function endReplays(database: Database, places: readonly EventPlace[]): Promise<void> {
  await database.write(async (transaction) => {
    for (const [partition, group] of byPartition(places))
      for (let at = 0; at < group.length; at += AT_ONCE)
        await transaction
          .updateTable('replayed_events')
          .set({ is_done: 1 })
          .where('partition', '=', partition)
          .where('place', 'in', group.slice(at, at + AT_ONCE))
          .execute()
  })
}

export function keyOfPlace({ partition, place }: EventPlace): string {
  return `${partition}-${place}`
}

function byPartition(places: readonly EventPlace[]): Map<number, string[]> {
  const groups = new Map<number, string[]>()
  for (const { partition, place } of places)
    groups.set(partition, [...(groups.get(partition) ?? []), place])
  return groups
}
