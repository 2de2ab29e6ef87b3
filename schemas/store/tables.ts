// The store's tables, written once for a server and for a cluster (create-table.ts). Retention is
// DROP PARTITION only: a row deleted alone would make a unit partial (exactly-once look-up).
import { EVENT_COLUMNS, type EventColumn } from '../event-row.ts'
import type { TableShape } from './create-table.ts'
import { IDS_INDEX, NUMBERS_INDEX, WORDS_DEFINITION, WORDS_INDEX } from './text-index.ts'

/** Merged parts are synced within seconds, the files of their text indexes by us
 *  (infra/store/server/part-sync.ts), so a minute is long enough to keep what they were made of (8
 *  by default: a third of the disk under load). */
const MERGED = 'old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20'

/** Without these a synced part can be lost after a merge, or an answered insert with the power. */
const DURABLE =
  'fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1'

const EVENT_CODECS: Record<EventColumn, string> = {
  policy: 'ZSTD(1)',
  log_id: 'ZSTD(1)',
  timestamp: 'DoubleDelta, ZSTD(1)',
  received: 'Delta, ZSTD(1)',
  host: 'ZSTD(1)',
  source: 'ZSTD(1)',
  // 3 % less than by 1, for the same work.
  message: 'ZSTD(3)',
  rest: 'ZSTD(3)',
  names: 'ZSTD(1)',
  id_names: 'ZSTD(1)',
  ids: 'ZSTD(1)',
  others: 'ZSTD(1)',
  // Its default (LZ4) doubles it.
  columns: 'ZSTD(1)',
  layout: 'ZSTD(1)',
  raw: 'ZSTD(1)',
  size: 'T64, ZSTD(1)',
  partition: 'Delta, ZSTD(1)',
  offset: 'Delta, ZSTD(1)',
  index: 'Delta, ZSTD(1)',
}

/** Leaves the blocks with one of some logs. */
export const LOGS_INDEX_NAME = 'ix_log'

/** A unit (policy and day of receipt within one insert) is one part: there whole or not at all. */
const EVENTS: TableShape = {
  name: 'events',
  body: [
    ...EVENT_COLUMNS.map(({ name, type }) => `\`${name}\` ${type} CODEC(${EVENT_CODECS[name]})`),
    WORDS_DEFINITION,
    WORDS_INDEX,
    IDS_INDEX,
    NUMBERS_INDEX,
    'INDEX ix_off offset TYPE minmax GRANULARITY 1',
    'INDEX ix_ts timestamp TYPE minmax GRANULARITY 1',
    `INDEX ${LOGS_INDEX_NAME} log_id TYPE set(64) GRANULARITY 1`,
  ],
  engine: 'MergeTree',
  partitionBy: "(policy, toYYYYMMDD(received, 'UTC'))",
  orderBy: 'timestamp',
  settings: `index_granularity = 8192, ${DURABLE}, ${MERGED}`,
  copies: 'replicated',
  shardBy: 'partition',
}

/** Events and bytes by quarter of an hour (UTC) of receipt and of event. Every row of a block
 *  carries `upto` = the number of the writer's intent (corrections 0), so that counters and the
 *  position they include become visible together. Kept longer than the events. By policy since data
 *  format 2: the sums of a unit (policy, day of receipt) are what of it was received (decision
 *  0021). */
export const COUNT_COLUMNS = [
  { name: 'policy', type: 'UInt16' },
  { name: 'quarter', type: "DateTime('UTC')" },
  { name: 'event_quarter', type: "DateTime('UTC')" },
  { name: 'log_id', type: 'UInt32' },
  { name: 'host', type: 'LowCardinality(String)' },
  { name: 'source', type: 'LowCardinality(String)' },
  { name: 'partition', type: 'UInt16' },
  { name: 'events', type: 'SimpleAggregateFunction(sum, UInt64)' },
  { name: 'bytes', type: 'SimpleAggregateFunction(sum, UInt64)' },
  { name: 'upto', type: 'SimpleAggregateFunction(max, UInt64)' },
] as const

const COUNTS: TableShape = {
  name: 'counts',
  keeperName: 'counts-2',
  // A writer of format 1 beside us would count for no policy: it is refused, and waits for its end.
  body: [...columnsOf(COUNT_COLUMNS), 'CONSTRAINT has_policy CHECK policy > 0'],
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYYYYMM(quarter)',
  orderBy: '(quarter, event_quarter, log_id, host, source, partition, policy)',
  settings: `${DURABLE}, ${MERGED}`,
  copies: 'replicated',
  shardBy: 'partition',
}

/** What was received and is kept no more, by entry: received = held + gone holds for each unit. An
 *  entry that is written again is the same one: read with FINAL. `policy` 0: events that are not
 *  even in the counters, of `partition`. */
export const GONE_COLUMNS = [
  { name: 'policy', type: 'UInt16' },
  /** Day of receipt, counted from 1970, UTC. */
  { name: 'day', type: 'UInt32' },
  { name: 'log_id', type: 'UInt32' },
  { name: 'partition', type: 'UInt16' },
  /** Names the entry: what made it, once. */
  { name: 'entry', type: 'String' },
  /** retention, deletion, damage, or a correction of these: then below 0. */
  { name: 'reason', type: 'LowCardinality(String)' },
  { name: 'events', type: 'Int64' },
  { name: 'bytes', type: 'Int64' },
  { name: 'at', type: "DateTime64(3, 'UTC')" },
] as const

const GONE: TableShape = {
  name: 'gone',
  body: columnsOf(GONE_COLUMNS),
  engine: 'ReplacingMergeTree',
  orderBy: '(policy, day, log_id, partition, entry)',
  settings: `${DURABLE}, ${MERGED}`,
  copies: 'everywhere',
}

/** One row a request that carried an Idempotency-Key (decision 2.7). The same row twice is one row
 *  after a merge and no harm before: readers take the lowest position of a key. A key's first
 *  position is found by (partition, key_hash), a range of positions by partition and offset. Counts
 *  for 24 h of receipt; dropped by partition after three days. */
export const IDEMPOTENCY_COLUMNS = [
  { name: 'partition', type: 'UInt16' },
  /** 16 bytes of a hash over account, key and body. */
  { name: 'key_hash', type: 'FixedString(16)' },
  { name: 'offset', type: 'UInt64' },
  /** Index of the request in its block. */
  { name: 'request', type: 'UInt32' },
  { name: 'received', type: "DateTime64(3, 'UTC')" },
] as const

const IDEMPOTENCY: TableShape = {
  name: 'idempotency',
  body: [...columnsOf(IDEMPOTENCY_COLUMNS), 'INDEX ix_off offset TYPE minmax GRANULARITY 1'],
  engine: 'ReplacingMergeTree',
  partitionBy: "toYYYYMMDD(received, 'UTC')",
  orderBy: '(partition, key_hash, offset, request)',
  settings: `${DURABLE}, ${MERGED}`,
  copies: 'replicated',
  shardBy: 'partition',
}

/** Whole results of searches, from which pages and files are printed (decisions 4.5, 4.6). A result
 *  is a partition, which is dropped when nothing names it any more, so that nothing needs to be
 *  merged. `row`: as JSONCompactEachRow, `names`: spellings of the parsed columns that it has. Not
 *  synced: after a loss of power rows are missed, and the readers see it. */
const RESULTS: TableShape = {
  name: 'results',
  body: [
    'result String CODEC(ZSTD(1))',
    'n UInt64 CODEC(Delta, ZSTD(1))',
    'row String CODEC(ZSTD(1))',
    'names Array(LowCardinality(String)) CODEC(ZSTD(1))',
  ],
  engine: 'MergeTree',
  partitionBy: 'result',
  orderBy: 'n',
  settings:
    'index_granularity = 1024, max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1',
  copies: 'one',
  shardBy: 'sipHash64(result)',
}

/** Which steps of the migration are done, on every server: a step is a statement that may run
 *  again. */
const MIGRATIONS: TableShape = {
  name: 'migrations',
  body: ['`number` UInt32'],
  engine: 'MergeTree',
  orderBy: 'number',
  settings: 'fsync_after_insert = 1, fsync_part_directory = 1',
  copies: 'everywhere',
}

/** Events of an object of an archive, on their way back into `events` or to be compared with what
 *  was to be archived (docs/decisions/0108); emptied before each use, by one job of all. */
const ARCHIVED: TableShape = {
  name: 'archived',
  body: EVENT_COLUMNS.map(({ name, type }) => `\`${name}\` ${type}`),
  engine: 'MergeTree',
  orderBy: 'tuple()',
  settings: 'index_granularity = 8192',
  copies: 'one',
  shardBy: 'partition',
}

export const TABLES = {
  events: EVENTS,
  counts: COUNTS,
  idempotency: IDEMPOTENCY,
  results: RESULTS,
  gone: GONE,
  archived: ARCHIVED,
  migrations: MIGRATIONS,
} as const

function columnsOf(columns: readonly { name: string; type: string }[]): string[] {
  return columns.map(({ name, type }) => `\`${name}\` ${type}`)
}
