// What the last check of the store found and which blocks of the event log were damaged, in the
// database: written by who checks and by the writer, read by health, searches and `doctor`.
import type { Damage, DamageKind } from '../../../schemas/keep/store-damage.ts'
import { DAMAGE_KINDS, NAMED_ONCE } from '../../../schemas/keep/store-damage.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { StoreDamageRow } from '../../database/tables.ts'

const CHECK = 1
/** As long as anybody may go on with what he read (decision 2.6). */
const KEPT_MS = 500

export type StoreCheck = {
  readonly checkedMs: number
  readonly units: number
  readonly events: number
}

export async function readDamage(db: Database['read']): Promise<readonly Damage[]> {
  const rows = await db
    .selectFrom('store_damage')
    .selectAll()
    .orderBy('day')
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

export async function readCheck(db: Database['read']): Promise<StoreCheck | undefined> {
  const row = await db.selectFrom('store_checks').selectAll().executeTakeFirst()
  if (row === undefined || Number(row.checked_ms) === 0) return undefined
  return {
    checkedMs: Number(row.checked_ms),
    units: Number(row.units),
    events: Number(row.events),
  }
}

/** What an acceptance raises; see `keepDamage`. */
export async function readAccepted(db: Database['read']): Promise<number> {
  const row = await db.selectFrom('store_checks').select('accepted').executeTakeFirst()
  return Number(row?.accepted ?? 0)
}

/** In place of what a check found before; what no check finds stays. False, and nothing is written,
 *  when something was accepted since `accepted` was read. */
export async function keepDamage(
  database: Database,
  check: StoreCheck & { readonly damage: readonly Damage[]; readonly accepted: number },
): Promise<boolean> {
  const { damage, accepted, checkedMs, units, events } = check
  return await database.write(async (transaction) => {
    if ((await readAccepted(transaction)) !== accepted) return false
    await transaction.deleteFrom('store_damage').where('kind', 'not in', NAMED_ONCE).execute()
    for (const one of damage)
      await transaction.insertInto('store_damage').values(toRow(one)).execute()
    await transaction.deleteFrom('store_checks').execute()
    const row = { number: CHECK, checked_ms: checkedMs, units, events, accepted }
    await transaction.insertInto('store_checks').values(row).execute()
    return true
  })
}

/** Again with the same id is once: a writer that was killed behind it does so. */
export async function nameDamage(database: Database, damage: Damage): Promise<void> {
  await database.write((transaction) => nameDamageWithin(transaction, damage))
}

/** What was named is over. */
export async function clearDamage(database: Database, id: string): Promise<void> {
  const known = await database.read
    .selectFrom('store_damage')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (known === undefined) return
  await database.write(async (transaction) => {
    await transaction.deleteFrom('store_damage').where('id', '=', id).execute()
  })
}

/** The same as `nameDamage`, together with something else. */
export async function nameDamageWithin(
  transaction: DatabaseTransaction,
  damage: Damage,
): Promise<void> {
  await transaction.deleteFrom('store_damage').where('id', '=', damage.id).execute()
  await transaction.insertInto('store_damage').values(toRow(damage)).execute()
}

/** Their entries are in the store: they are damage no more. */
export async function forgetDamage(
  transaction: DatabaseTransaction,
  ids: readonly string[],
): Promise<void> {
  const accepted = (await readAccepted(transaction)) + 1
  for (const id of ids) await transaction.deleteFrom('store_damage').where('id', '=', id).execute()
  const { numUpdatedRows } = await transaction
    .updateTable('store_checks')
    .set({ accepted })
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const row = { number: CHECK, checked_ms: 0, units: 0, events: 0, accepted }
  await transaction.insertInto('store_checks').values(row).execute()
}

/** Never less than before. */
export async function keepTotals(
  database: Database,
  totals: ReadonlyMap<number, number>,
  atMs: number,
): Promise<void> {
  await database.write(async (transaction) => {
    for (const [partition, events] of totals) {
      const before = await readTotal(transaction, partition)
      if (before >= events) continue
      await transaction
        .deleteFrom('store_totals')
        .where('partition_number', '=', partition)
        .execute()
      const row = { partition_number: partition, events, at_ms: atMs }
      await transaction.insertInto('store_totals').values(row).execute()
    }
  })
}

export async function readTotal(db: Database['read'], partition: number): Promise<number> {
  const row = await db
    .selectFrom('store_totals')
    .select('events')
    .where('partition_number', '=', partition)
    .executeTakeFirst()
  return Number(row?.events ?? 0)
}

/** Reads it at most twice a second; the last known while the database is away. */
export function shareDamage(
  read: () => Promise<readonly Damage[]>,
  elapsedMs: () => number,
): () => Promise<readonly Damage[]> {
  let known: readonly Damage[] = []
  let readMs = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  const refresh = async () => {
    const beganMs = elapsedMs()
    try {
      known = await read()
      readMs = beganMs
    } catch {
      // Searches say themselves that the database is away.
    } finally {
      running = undefined
    }
  }
  return async () => {
    if (elapsedMs() - readMs >= KEPT_MS) {
      running ??= refresh()
      await running
    }
    return known
  }
}

function fromRow(row: StoreDamageRow): Damage {
  return {
    id: row.id,
    kind: kindOf(row.kind),
    policyId: Number(row.policy_id),
    day: Number(row.day),
    logId: Number(row.log_id),
    partition: Number(row.partition_number),
    events: Number(row.events),
    bytes: Number(row.bytes),
    fromMs: row.from_ms === null ? null : Number(row.from_ms),
    toMs: row.to_ms === null ? null : Number(row.to_ms),
    foundMs: Number(row.found_ms),
  }
}

function toRow(damage: Damage): StoreDamageRow {
  return {
    id: damage.id,
    kind: damage.kind,
    policy_id: damage.policyId,
    day: damage.day,
    log_id: damage.logId,
    partition_number: damage.partition,
    events: damage.events,
    bytes: damage.bytes,
    from_ms: damage.fromMs,
    to_ms: damage.toMs,
    found_ms: damage.foundMs,
  }
}

function kindOf(text: string): DamageKind {
  const kind = DAMAGE_KINDS.find((it) => it === text)
  if (kind === undefined) throw new Error(`damage of an unknown kind: ${text}`)
  return kind
}
