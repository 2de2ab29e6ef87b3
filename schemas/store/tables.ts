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

/** `Default` is the codec of the part: that of the table for fresh parts, that of its TTL for days
 *  that are compacted (docs/decisions/0109). */
const EVENT_CODECS: Record<EventColumn, string> = {
  policy: 'Default',
  log_id: 'Default',
  timestamp: 'DoubleDelta, Default',
  received: 'Delta, Default',
  host: 'Default',
  source: 'Default',
  message: 'Default',
  rest: 'Default',
  names: 'Default',
  id_names: 'Default',
  // Random bytes: what packs harder makes them larger.
  ids: 'ZSTD(1)',
  others: 'Default',
  columns: 'Default',
  layout: 'Default',
  raw: 'Default',
  size: 'T64, Default',
  partition: 'Delta, Default',
  offset: 'Delta, Default',
  index: 'Delta, Default',
}

const FRESH_CODEC = 'ZSTD(1)'
/** Of the parts of a compacted day. */
export const COMPACT_CODEC = 'ZSTD(12)'
/** A day of receipt is compacted when so many days have passed since it began. */
export const COMPACT_AFTER_DAYS = 3
/** Its merges one at a time; 0: none. `infra/store/compaction.ts` changes it. */
export const COMPACTING_SETTING = 'max_number_of_merges_with_ttl_in_pool'

/** What a table of events has had since it can be compacted. */
export const COMPACTION = {
  columns: EVENT_COLUMNS.map(
    ({ name, type }) => `\`${name}\` ${type} CODEC(${EVENT_CODECS[name]})`,
  ),
  ttl: `toStartOfDay(received) + toIntervalDay(${COMPACT_AFTER_DAYS}) RECOMPRESS CODEC(${COMPACT_CODEC})`,
  settings: `default_compression_codec = '${FRESH_CODEC}', ${COMPACTING_SETTING} = 0, merge_with_recompression_ttl_timeout = 60, materialize_ttl_recalculate_only = 1`,
} as const

/** Leaves the blocks with one of some logs. */
export const LOGS_INDEX_NAME = 'ix_log'

/** A unit (policy and day of receipt within one insert) is one part: there whole or not at all. */
const EVENTS: TableShape = {
  name: 'events',
  body: [
    ...COMPACTION.columns,
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
  ttl: COMPACTION.ttl,
  settings: `index_granularity = 8192, ${DURABLE}, ${MERGED}, ${COMPACTION.settings}`,
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
