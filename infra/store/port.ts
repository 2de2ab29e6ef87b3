// The store as the rest of the program sees it: ClickHouse over HTTP by the official client
// (open.ts), embedded or a server. Driver errors become a Failure `store.*` by ClickHouse's error
// code; the engine's text never leaves this folder.
import type { StoreCluster } from '../../schemas/store/cluster.ts'

export type StoreQuery = {
  readonly sql: string
  /** Bound parameters for `{name: Type}` in the text. */
  readonly params?: Readonly<Record<string, unknown>>
  readonly settings?: Readonly<Record<string, string | number>>
  /** Lets `kill` find the query. */
  readonly queryId?: string
  /** Server-side limit, max_execution_time; default 60,000. */
  readonly timeoutMs?: number
  /** An abort closes the connection and kills the query. */
  readonly signal?: AbortSignal
}

export type RowReading = {
  /** `json`: the one column is a row as JSON text, written by
   *  formatRowNoNewline('JSONCompactEachRow', …). Default `columns`. */
  readonly rowsAre?: 'columns' | 'json'
  /** `bytes`: texts of schemas/byte-text.ts. Default `utf8`, where invalid bytes become U+FFFD. */
  readonly texts?: 'utf8' | 'bytes'
}

/** What a statement read. */
export type StoreCost = {
  readonly rowsRead: number
  readonly bytesRead: number
  readonly elapsedMs: number
}

export interface Store {
  /** Absent on one server and embedded. */
  readonly cluster: StoreCluster | undefined
  /** All rows (JSONEachRow objects; 64-bit integers as text). */
  query<Row>(query: StoreQuery): Promise<Row[]>
  /** Row batches as they arrive (JSONCompactEachRow arrays). */
  stream(query: StoreQuery, reading?: RowReading): AsyncIterable<unknown[][]>
  /** All rows of a small answer, as `query`, and what the statement read. */
  measure<Row>(query: StoreQuery): Promise<StoreCost & { readonly rows: Row[] }>
  /** DDL, OPTIMIZE, INSERT … SELECT and the like. */
  command(query: StoreQuery): Promise<void>
  /** All rows in format Native, packed by zstd. An answer that broke off cannot be told by its
   *  bytes alone: count the rows of what is read back. */
  readPacked(query: StoreQuery): AsyncIterable<Uint8Array>
  /** One Native block as one insert: one part a table partition, synchronous, fsynced. */
  insertNative(insert: {
    table: string
    columns: readonly string[]
    block: Uint8Array
    /** By zstd. */
    isPacked?: boolean
    queryId: string
    timeoutMs?: number
    signal?: AbortSignal
    /** Called after the time that the request says it was sent at: a caller that stands still from
     *  here on comes too late for the store, when it was told to end the query meanwhile. What it
     *  throws is thrown, and nothing is sent. */
    beforeSend?: () => void
    /** Called when at most the last pieces of the block (128 KiB) are not yet with the system's
     *  network: its sender may keep its thread busy. May be called of an insert that fails; never
     *  when nothing is sent. */
    onSent?: () => void
  }): Promise<void>
  /** Ends a query by id; resolves when system.processes no longer has it (at most 10 s, then
   *  store.unavailable). */
  kill(queryId: string): Promise<void>
  /** Before a look-up: every read after it sees what ended inserts left in the table. On one
   *  server they do. */
  catchUp(table: string): Promise<void>
  ping(): Promise<boolean>
  close(): Promise<void>
}
