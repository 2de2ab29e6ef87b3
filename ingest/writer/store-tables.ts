// The writer's statements at the store: its three inserts, and the look-ups by which it learns,
// after any doubt, what an insert left (decision 0003: an error never means that nothing was
// written).
import type { Ownership } from '../../infra/event-log/port.ts'
import type { Store } from '../../infra/store/port.ts'
import { EVENT_COLUMNS } from '../../schemas/event-row.ts'
import { Failure } from '../../schemas/failures.ts'
import { COUNT_COLUMNS, IDEMPOTENCY_COLUMNS } from '../../schemas/store/tables.ts'
import type { LogCount, Unit } from './batch/batch.ts'
import { writeCountBlock } from './counts/count-block.ts'
import type { Range } from './cursor.ts'
import { writeIdempotencyBlock } from './keys/idempotency-block.ts'
import type { RequestKey } from './keys/idempotency-window.ts'

const INSERT_TIMEOUT_MS = 60_000
const LOOK_UP_TIMEOUT_MS = 20_000
const DAY_MS = 86_400_000
/** Ahead of searches: a partition stands still until it is answered. */
const URGENT = { priority: 1 }

const eventNames = EVENT_COLUMNS.map(({ name }) => name)
const countNames = COUNT_COLUMNS.map(({ name }) => name)
const keyNames = IDEMPOTENCY_COLUMNS.map(({ name }) => name)

export class StoreTables {
  readonly #store: Store
  readonly #partition: number
  readonly #signal: AbortSignal
  readonly #ownership: Pick<Ownership, 'isHeld'>

  constructor(options: {
    store: Store
    partition: number
    signal: AbortSignal
    ownership: Pick<Ownership, 'isHeld'>
  }) {
    this.#store = options.store
    this.#partition = options.partition
    this.#signal = options.signal
    this.#ownership = options.ownership
  }

  async insertEvents(block: Uint8Array, queryId: string, onSent?: () => void): Promise<void> {
    await this.#insert('events', eventNames, block, queryId, onSent)
  }

  async insertCounts(
    counts: readonly LogCount[],
    options: { upto: number; queryId: string },
  ): Promise<void> {
    if (counts.length === 0) return
    const block = writeCountBlock(counts, { partition: this.#partition, upto: options.upto })
    await this.#insert('counts', countNames, block, options.queryId)
  }

  /** The same rows twice do no harm. */
  async insertKeys(keys: readonly RequestKey[], queryId: string): Promise<void> {
    if (keys.length === 0) return
    const block = writeIdempotencyBlock(keys, this.#partition)
    await this.#insert('idempotency', keyNames, block, queryId)
  }

  /** Resolves when none of the inserts runs any more. */
  async end(queryIds: readonly string[]): Promise<void> {
    for (const queryId of queryIds) await this.#store.kill(queryId)
  }

  /** Rows of the range that are there, by unit. */
  async unitsThere({ from, to }: Range): Promise<Unit[]> {
    await this.#store.catchUp('events')
    const rows = await this.#store.query<{ policy: number; day: number; rows: string }>({
      sql: `SELECT policy, toUInt32(intDiv(toUnixTimestamp64Milli(received), ${DAY_MS})) AS day, count() AS rows
        FROM events WHERE partition = {partition: UInt16}
        AND offset >= {fromOffset: UInt64} AND offset <= {toOffset: UInt64}
        AND (offset > {fromOffset: UInt64} OR \`index\` >= {fromIndex: UInt32})
        AND (offset < {toOffset: UInt64} OR \`index\` < {toIndex: UInt32})
        GROUP BY policy, day`,
      params: {
        partition: this.#partition,
        fromOffset: from.offset,
        fromIndex: from.index,
        toOffset: to.offset,
        toIndex: to.index,
      },
      timeoutMs: LOOK_UP_TIMEOUT_MS,
      settings: URGENT,
      signal: this.#signal,
    })
    return rows.map(({ policy, day, rows: count }) => ({
      policyId: policy,
      day,
      rows: Number(count),
    }))
  }

  /** Months (yyyymm) whose counters include the intent `upto` of this partition. */
  async monthsCounted(months: readonly number[], upto: number): Promise<ReadonlySet<number>> {
    if (months.length === 0) return new Set()
    await this.#store.catchUp('counts')
    const rows = await this.#store.query<{ month: number }>({
      sql: `SELECT toYYYYMM(quarter) AS month FROM counts
        WHERE partition = {partition: UInt16} AND toYYYYMM(quarter) IN {months: Array(UInt32)}
        GROUP BY month HAVING max(upto) >= {upto: UInt64}`,
      params: { partition: this.#partition, months, upto },
      timeoutMs: LOOK_UP_TIMEOUT_MS,
      settings: URGENT,
      signal: this.#signal,
    })
    return new Set(rows.map(({ month }) => month))
  }

  /** What the counters say of the partition: events, and the number of the last intent that they
   *  include. */
  async counted(): Promise<{ events: number; upto: number }> {
    await this.#store.catchUp('counts')
    const [row] = await this.#store.query<{ events: string; upto: string }>({
      sql: 'SELECT sum(events) AS events, max(upto) AS upto FROM counts WHERE partition = {partition: UInt16}',
      params: { partition: this.#partition },
      timeoutMs: LOOK_UP_TIMEOUT_MS,
      signal: this.#signal,
    })
    return { events: Number(row?.events ?? 0), upto: Number(row?.upto ?? 0) }
  }

  /** Events that are not even in the counters, and were accepted as gone. */
  async goneUncounted(): Promise<number> {
    const [row] = await this.#store.query<{ events: string }>({
      sql: 'SELECT sum(events) AS events FROM gone FINAL WHERE policy = 0 AND day = 0 AND partition = {partition: UInt16}',
      params: { partition: this.#partition },
      timeoutMs: LOOK_UP_TIMEOUT_MS,
      signal: this.#signal,
    })
    return Number(row?.events ?? 0)
  }

  /** Rows of keys by day of receipt, each once. */
  async keysByDay(): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#store.query<{ day: number; rows: string }>({
      sql: `SELECT toUInt32(intDiv(toUnixTimestamp64Milli(received), ${DAY_MS})) AS day, uniqExact(key_hash, offset, request) AS rows
        FROM idempotency WHERE partition = {partition: UInt16} GROUP BY day`,
      params: { partition: this.#partition },
      timeoutMs: LOOK_UP_TIMEOUT_MS,
      signal: this.#signal,
    })
    return new Map(rows.map(({ day, rows: count }) => [day, Number(count)]))
  }

  async #insert(
    table: string,
    columns: readonly string[],
    block: Uint8Array,
    queryId: string,
    onSent?: () => void,
  ): Promise<void> {
    await this.#store.insertNative({
      table,
      columns,
      block,
      queryId,
      timeoutMs: INSERT_TIMEOUT_MS,
      signal: this.#signal,
      ...(onSent ? { onSent } : {}),
      // Who owns the partition then has looked up what is there and will not look again.
      beforeSend: () => {
        if (!this.#ownership.isHeld()) throw new Failure('event_log.not_owner')
      },
    })
  }
}
