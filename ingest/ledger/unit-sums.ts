// What the ledger compares: sums of the counters, entries of `gone` and rows of parts, by unit
// (policy, day of receipt UTC).
import type { Store, StoreQuery } from '../../infra/store/port.ts'
import { isThawedUnit } from '../../schemas/archive/thawed-unit.ts'
import { localName, type StoreCluster } from '../../schemas/store/cluster.ts'

const DAY_MS = 86_400_000
const QUARTER_MS = 900_000
const TIMEOUT_MS = 120_000

export type UnitPlace = { readonly policyId: number; readonly day: number }

/** The sums by unitKey. */
export type UnitSums = ReadonlyMap<string, number>

export type GoneSum = UnitPlace & {
  readonly logId: number
  readonly partition: number
  readonly events: number
}

export type CountedPartition = { readonly events: number; readonly upto: number }

/** Events by log and quarter of an hour of the event (from 1970). */
export type UnitContent = ReadonlyMap<number, ReadonlyMap<number, Sum>>
export type Sum = { readonly events: number; readonly bytes: number }

export function unitKey({ policyId, day }: UnitPlace): string {
  return `${policyId} ${day}`
}

export function unitOfKey(key: string): UnitPlace {
  const [policyId = 0, day = 0] = key.split(' ').map(Number)
  return { policyId, day }
}

export class UnitReader {
  readonly #store: Pick<Store, 'query' | 'cluster' | 'catchUp'>
  readonly #signal: AbortSignal

  constructor(store: Pick<Store, 'query' | 'cluster' | 'catchUp'>, signal: AbortSignal) {
    this.#store = store
    this.#signal = signal
  }

  /** Every read after it sees what ended inserts left. */
  async catchUp(): Promise<void> {
    await this.#store.catchUp('events')
    await this.#store.catchUp('counts')
  }

  /** Counts by unit and by partition of the event log, all from one moment. */
  async received(): Promise<{
    readonly units: UnitSums
    readonly partitions: ReadonlyMap<number, CountedPartition>
  }> {
    const rows = await this.#query<{
      policy: number
      day: number
      partition: number
      events: string
      upto: string
    }>(`SELECT policy, toUInt32(intDiv(toUnixTimestamp(quarter), ${DAY_MS / 1000})) AS day, partition,
      sum(events) AS events, max(upto) AS upto FROM counts GROUP BY policy, day, partition`)
    const units = new Map<string, number>()
    const partitions = new Map<number, CountedPartition>()
    for (const { policy, day, partition, events, upto } of rows) {
      const key = unitKey({ policyId: policy, day })
      units.set(key, (units.get(key) ?? 0) + Number(events))
      const before = partitions.get(partition)
      partitions.set(partition, {
        events: (before?.events ?? 0) + Number(events),
        upto: Math.max(before?.upto ?? 0, Number(upto)),
      })
    }
    return { units, partitions }
  }

  async gone(): Promise<readonly GoneSum[]> {
    const rows = await this.#query<{
      policy: number
      day: number
      log_id: number
      partition: number
      events: string
    }>(`SELECT policy, day, log_id, partition, sum(events) AS events FROM gone FINAL
      GROUP BY policy, day, log_id, partition`)
    return rows.map(({ policy, day, log_id, partition, events }) => ({
      policyId: policy,
      day,
      logId: log_id,
      partition,
      events: Number(events),
    }))
  }

  /** Rows of the active parts of `events`; thawed days are copies, and no part of the sum. */
  async held(): Promise<UnitSums> {
    const units = new Map<string, number>()
    for (const { partition, rows } of await this.#parts('events')) {
      const [policyId, date] = partition.replace(/[()]/g, '').split(',').map(Number)
      if (policyId === undefined || date === undefined || isThawedUnit(policyId)) continue
      units.set(unitKey({ policyId, day: dayOf(date) }), Number(rows))
    }
    return units
  }

  /** Rows of the active parts of `idempotency` by day of receipt; a key may be there more than
   *  once. */
  async keysHeld(): Promise<ReadonlyMap<number, number>> {
    const parts = await this.#parts('idempotency')
    return new Map(parts.map(({ partition, rows }) => [dayOf(Number(partition)), Number(rows)]))
  }

  async countedContent(unit: UnitPlace): Promise<UnitContent> {
    return toContent(
      await this.#query<ContentRow>(
        `SELECT log_id, toUInt32(intDiv(toUnixTimestamp(event_quarter), ${QUARTER_MS / 1000})) AS quarter,
        sum(counts.events) AS events, sum(counts.bytes) AS bytes FROM counts
        WHERE policy = {policy: UInt16} AND intDiv(toUnixTimestamp(counts.quarter), ${DAY_MS / 1000}) = {day: UInt32}
        AND counts.quarter >= toDateTime({from: Int64}, 'UTC') AND counts.quarter < toDateTime({to: Int64}, 'UTC')
        GROUP BY log_id, event_quarter`,
        paramsOf(unit),
      ),
    )
  }

  /** Reads the unit's rows. */
  async heldContent(unit: UnitPlace): Promise<UnitContent> {
    return toContent(
      await this.#query<ContentRow>(
        `SELECT log_id, toUInt32(intDiv(toUInt32(intDiv(toUnixTimestamp64Milli(timestamp), 1000)), ${QUARTER_MS / 1000})) AS quarter,
        count() AS events, sum(toUInt64(size)) AS bytes FROM events
        WHERE policy = {policy: UInt16} AND received >= toDateTime64({from: Int64}, 3, 'UTC') AND received < toDateTime64({to: Int64}, 3, 'UTC')
        GROUP BY log_id, quarter`,
        paramsOf(unit),
      ),
    )
  }

  async #parts(table: string): Promise<readonly { partition: string; rows: string }[]> {
    const { cluster } = this.#store
    return await this.#query<{ partition: string; rows: string }>(
      `SELECT partition, sum(rows) AS rows FROM ${onceOfEachShard(cluster)}
      WHERE database = ${cluster === undefined ? 'currentDatabase()' : '{database: String}'} AND table = {table: String} AND active
      GROUP BY partition`,
      {
        table: localName(table, cluster),
        ...(cluster === undefined ? {} : { database: cluster.database }),
      },
    )
  }

  async #query<Row>(sql: string, params: StoreQuery['params'] = {}): Promise<Row[]> {
    const query = { sql, params, timeoutMs: TIMEOUT_MS, signal: this.#signal }
    return await this.#store.query<Row>(query)
  }
}

type ContentRow = { log_id: number; quarter: number; events: string; bytes: string }

function toContent(rows: readonly ContentRow[]): UnitContent {
  const content = new Map<number, Map<number, Sum>>()
  for (const { log_id, quarter, events, bytes } of rows) {
    const quarters = content.get(log_id) ?? new Map<number, Sum>()
    quarters.set(quarter, { events: Number(events), bytes: Number(bytes) })
    content.set(log_id, quarters)
  }
  return content
}

function paramsOf({ policyId, day }: UnitPlace): Readonly<Record<string, unknown>> {
  const seconds = DAY_MS / 1000
  return { policy: policyId, day, from: day * seconds, to: (day + 1) * seconds }
}

/** Copies of a shard have the same parts: one of them is asked. */
function onceOfEachShard(cluster: StoreCluster | undefined): string {
  return cluster === undefined ? 'system.parts' : `cluster('${cluster.name}', system.parts)`
}

/** `date`: yyyymmdd. */
export function dayOf(date: number): number {
  const time = Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100)
  return time / DAY_MS
}
