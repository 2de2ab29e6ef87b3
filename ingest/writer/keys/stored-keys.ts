// Which keyed requests of the last 24 h are stored (decision 2.7): a filter in memory says "surely
// not" for nearly all of them, the store's table is asked about the rest. Requests without a key
// cost nothing.
import type { Clock } from '../../../infra/clock.ts'
import { describeError, type Logger } from '../../../infra/logger.ts'
import type { Store } from '../../../infra/store/port.ts'
import type { StoredKeys } from '../block-reader.ts'
import { IdentityFilter, type RequestKey } from './idempotency-window.ts'

/** Keys a statement. */
const KEYS_A_QUERY = 2000
/** Keys loaded at most: beyond this the filter would say "maybe" for most. */
const MAX_LOADED = 20_000_000
/** Ahead of searches: a partition stands still until it is answered. */
const URGENT = { priority: 1 }

export type KeyRow = {
  readonly identity: string
  readonly received: string
  readonly offset: string
  readonly request: number
}

export class StoreKeys implements StoredKeys {
  readonly #store: Pick<Store, 'query' | 'stream'>
  readonly #partition: number
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #signal: AbortSignal
  readonly #filter = new IdentityFilter()
  #loading: 'no' | 'running' | 'done' | 'never' = 'no'
  /** Keys of batches that are built and not yet known to be in the store, oldest first. */
  readonly #pending = new Set<readonly RequestKey[]>()

  constructor(options: {
    store: Pick<Store, 'query' | 'stream'>
    partition: number
    logger: Logger
    clock: Clock
    signal: AbortSignal
  }) {
    this.#store = options.store
    this.#partition = options.partition
    this.#logger = options.logger
    this.#clock = options.clock
    this.#signal = options.signal
  }

  /** Keys of a batch on its way to the store; the remover is called when they are there. */
  addPending(keys: readonly RequestKey[]): () => void {
    if (keys.length === 0) return () => undefined
    this.#pending.add(keys)
    const elapsedMs = this.#clock.elapsedMs()
    for (const { identity, receivedMs } of keys)
      this.#filter.add(identity, { receivedMs, elapsedMs })
    return () => this.#pending.delete(keys)
  }

  async find(identities: readonly string[]): Promise<Map<string, RequestKey[]>> {
    const found = new Map<string, RequestKey[]>()
    if (this.#loading === 'no') void this.#load()
    const wanted = new Set(identities)
    for (const keys of this.#pending) {
      for (const key of keys) if (wanted.has(key.identity)) add(found, key)
    }
    const unsure =
      this.#loading === 'done' ? [...wanted].filter((id) => this.#filter.mayHave(id)) : [...wanted]
    for (let from = 0; from < unsure.length; from += KEYS_A_QUERY) {
      for (const key of await this.#query(unsure.slice(from, from + KEYS_A_QUERY))) add(found, key)
    }
    return found
  }

  async #query(identities: readonly string[]): Promise<RequestKey[]> {
    // Hexadecimal digits that we made ourselves: nothing of a sender stands in the text.
    const list = identities.map((id) => `unhex('${Buffer.from(id, 'latin1').toString('hex')}')`)
    const rows = await this.#store.query<KeyRow>({
      sql: `SELECT hex(key_hash) AS identity, toUnixTimestamp64Milli(received) AS received, offset, request
        FROM idempotency WHERE partition = {partition: UInt16} AND key_hash IN (${list.join(', ')})`,
      params: { partition: this.#partition },
      settings: URGENT,
      timeoutMs: 20_000,
      signal: this.#signal,
    })
    return rows.map(fromRow)
  }

  /** All that are kept, since the time of day may have been set back: the last ones are not the
   *  newest then. Until it is done every keyed request is asked of the store. */
  async #load(): Promise<void> {
    this.#loading = 'running'
    try {
      const elapsedMs = this.#clock.elapsedMs()
      let loaded = 0
      const rows = this.#store.stream({
        sql: `SELECT hex(key_hash), toUnixTimestamp64Milli(received) FROM idempotency
          WHERE partition = {partition: UInt16} LIMIT {max: UInt32}`,
        params: { partition: this.#partition, max: MAX_LOADED },
        timeoutMs: 120_000,
        signal: this.#signal,
      })
      for await (const batch of rows) {
        for (const [identity, received] of batch) {
          const receivedMs = Number(received)
          this.#filter.add(fromHex(String(identity)), { receivedMs, elapsedMs })
        }
        loaded += batch.length
      }
      this.#loading = loaded < MAX_LOADED ? 'done' : 'never'
      this.#logger.info('idempotency keys loaded', { partition: this.#partition, keys: loaded })
    } catch (error) {
      // The next keyed request tries again; until then the store is asked.
      this.#loading = 'no'
      if (!this.#signal.aborted)
        this.#logger.warn('idempotency keys not loaded', describeError(error))
    }
  }
}

function fromRow(row: KeyRow): RequestKey {
  return {
    identity: fromHex(row.identity),
    receivedMs: Number(row.received),
    offset: Number(row.offset),
    request: row.request,
  }
}

function fromHex(hex: string): string {
  return Buffer.from(hex, 'hex').toString('latin1')
}

function add(found: Map<string, RequestKey[]>, key: RequestKey): void {
  const keys = found.get(key.identity)
  if (keys === undefined) found.set(key.identity, [key])
  else keys.push(key)
}
