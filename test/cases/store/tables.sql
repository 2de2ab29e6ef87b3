-- One server, and the embedded engine.
CREATE TABLE IF NOT EXISTS migrations (
  `number` UInt32
) ENGINE = MergeTree ORDER BY number
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS events (
  `policy` UInt16 CODEC(Default),
  `log_id` UInt32 CODEC(Default),
  `timestamp` DateTime64(9, 'UTC') CODEC(DoubleDelta, Default),
  `received` DateTime64(3, 'UTC') CODEC(Delta, Default),
  `host` LowCardinality(String) CODEC(Default),
  `source` LowCardinality(String) CODEC(Default),
  `message` String CODEC(Default),
  `rest` String CODEC(Default),
  `names` LowCardinality(String) CODEC(Default),
  `id_names` LowCardinality(String) CODEC(Default),
  `ids` String CODEC(ZSTD(1)),
  `others` String CODEC(Default),
  `columns` JSON(max_dynamic_paths=256) CODEC(Default),
  `layout` LowCardinality(String) CODEC(Default),
  `raw` String CODEC(Default),
  `size` UInt32 CODEC(T64, Default),
  `partition` UInt16 CODEC(Delta, Default),
  `offset` UInt64 CODEC(Delta, Default),
  `index` UInt32 CODEC(Delta, Default),
  words String ALIAS arrayMap((x, y) -> concat(replaceAll(replaceRegexpAll(concat(' ', if(isValidASCII(x), lower(x), replaceRegexpAll(lowerUTF8(replaceAll(replaceAll(x, 'Σ', 'σ'), 'İ', 'i')), '[^\\x00-\\x7F\\p{L}\\p{Nd}]+', ' ')), ' '), '[\\x00-/:-^`{-\\x7F](?:(?:[0-9][0-9a-f]*(?:z|t[0-9][0-9])?|[a-f]+[0-9][0-9a-f]{5,})[\\x00-/:-^`{-\\x7F]+)+', ' '), '_', '·'), if(match(y, '[^\\x00-\\x08\\x0E-\\x1F!-\\x7F]'), ' ¶', '')), [concat(message, rest)], [rest])[1],
  INDEX ix_w words TYPE text(tokenizer = 'splitByNonAlpha', posting_list_codec = 'bitpacking'),
  INDEX ix_ids arrayConcat(splitByChar(' ', lower(ids)), splitByChar('-', replaceAll(lower(ids), ' ', '-'))) TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX ix_num arrayMap(x -> if(countSubstrings(x, '.') > 3, '..', x), extractAll(lowerUTF8(replaceAll(replaceAll(concat(message, rest), 'Σ', 'σ'), 'İ', 'i')), '\\b[0-9]{1,3}(?:[.][0-9]{1,3}){3,}\\b|\\b[a-f]*[0-9][0-9a-f]{5,}\\b')) TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX ix_off offset TYPE minmax GRANULARITY 1,
  INDEX ix_ts timestamp TYPE minmax GRANULARITY 1,
  INDEX ix_log log_id TYPE set(64) GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (policy, toYYYYMMDD(received, 'UTC')) ORDER BY timestamp TTL toStartOfDay(received) + toIntervalDay(3) RECOMPRESS CODEC(ZSTD(12))
SETTINGS non_replicated_deduplication_window = 0, index_granularity = 8192, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, default_compression_codec = 'ZSTD(1)', max_number_of_merges_with_ttl_in_pool = 0, merge_with_recompression_ttl_timeout = 60, materialize_ttl_recalculate_only = 1;
CREATE TABLE IF NOT EXISTS counts (
  `policy` UInt16,
  `quarter` DateTime('UTC'),
  `event_quarter` DateTime('UTC'),
  `log_id` UInt32,
  `host` LowCardinality(String),
  `source` LowCardinality(String),
  `partition` UInt16,
  `events` SimpleAggregateFunction(sum, UInt64),
  `bytes` SimpleAggregateFunction(sum, UInt64),
  `upto` SimpleAggregateFunction(max, UInt64),
  CONSTRAINT has_policy CHECK policy > 0
) ENGINE = AggregatingMergeTree PARTITION BY toYYYYMM(quarter) ORDER BY (quarter, event_quarter, log_id, host, source, partition, policy)
SETTINGS non_replicated_deduplication_window = 0, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20;
CREATE TABLE IF NOT EXISTS idempotency (
  `partition` UInt16,
  `key_hash` FixedString(16),
  `offset` UInt64,
  `request` UInt32,
  `received` DateTime64(3, 'UTC'),
  INDEX ix_off offset TYPE minmax GRANULARITY 1
) ENGINE = ReplacingMergeTree PARTITION BY toYYYYMMDD(received, 'UTC') ORDER BY (partition, key_hash, offset, request)
SETTINGS non_replicated_deduplication_window = 0, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20;
CREATE TABLE IF NOT EXISTS results (
  result String CODEC(ZSTD(1)),
  n UInt64 CODEC(Delta, ZSTD(1)),
  row String CODEC(ZSTD(1)),
  names Array(LowCardinality(String)) CODEC(ZSTD(1))
) ENGINE = MergeTree PARTITION BY result ORDER BY n
SETTINGS index_granularity = 1024, max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1;
CREATE TABLE IF NOT EXISTS gone (
  `policy` UInt16,
  `day` UInt32,
  `log_id` UInt32,
  `partition` UInt16,
  `entry` String,
  `reason` LowCardinality(String),
  `events` Int64,
  `bytes` Int64,
  `at` DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree ORDER BY (policy, day, log_id, partition, entry)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20;
CREATE TABLE IF NOT EXISTS archived (
  `policy` UInt16,
  `log_id` UInt32,
  `timestamp` DateTime64(9, 'UTC'),
  `received` DateTime64(3, 'UTC'),
  `host` LowCardinality(String),
  `source` LowCardinality(String),
  `message` String,
  `rest` String,
  `names` LowCardinality(String),
  `id_names` LowCardinality(String),
  `ids` String,
  `others` String,
  `columns` JSON(max_dynamic_paths=256),
  `layout` LowCardinality(String),
  `raw` String,
  `size` UInt32,
  `partition` UInt16,
  `offset` UInt64,
  `index` UInt32
) ENGINE = MergeTree ORDER BY tuple()
SETTINGS index_granularity = 8192;

-- A cluster: LOGEYE_STORE_CLUSTER=logeye, database logs.
CREATE TABLE IF NOT EXISTS `logs`.migrations ON CLUSTER `logeye` (
  `number` UInt32
) ENGINE = ReplicatedMergeTree('/clickhouse/logeye/logeye/logs/all/migrations', '{shard}-{replica}') ORDER BY number
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS `logs`.events_local ON CLUSTER `logeye` (
  `policy` UInt16 CODEC(Default),
  `log_id` UInt32 CODEC(Default),
  `timestamp` DateTime64(9, 'UTC') CODEC(DoubleDelta, Default),
  `received` DateTime64(3, 'UTC') CODEC(Delta, Default),
  `host` LowCardinality(String) CODEC(Default),
  `source` LowCardinality(String) CODEC(Default),
  `message` String CODEC(Default),
  `rest` String CODEC(Default),
  `names` LowCardinality(String) CODEC(Default),
  `id_names` LowCardinality(String) CODEC(Default),
  `ids` String CODEC(ZSTD(1)),
  `others` String CODEC(Default),
  `columns` JSON(max_dynamic_paths=256) CODEC(Default),
  `layout` LowCardinality(String) CODEC(Default),
  `raw` String CODEC(Default),
  `size` UInt32 CODEC(T64, Default),
  `partition` UInt16 CODEC(Delta, Default),
  `offset` UInt64 CODEC(Delta, Default),
  `index` UInt32 CODEC(Delta, Default),
  words String ALIAS arrayMap((x, y) -> concat(replaceAll(replaceRegexpAll(concat(' ', if(isValidASCII(x), lower(x), replaceRegexpAll(lowerUTF8(replaceAll(replaceAll(x, 'Σ', 'σ'), 'İ', 'i')), '[^\\x00-\\x7F\\p{L}\\p{Nd}]+', ' ')), ' '), '[\\x00-/:-^`{-\\x7F](?:(?:[0-9][0-9a-f]*(?:z|t[0-9][0-9])?|[a-f]+[0-9][0-9a-f]{5,})[\\x00-/:-^`{-\\x7F]+)+', ' '), '_', '·'), if(match(y, '[^\\x00-\\x08\\x0E-\\x1F!-\\x7F]'), ' ¶', '')), [concat(message, rest)], [rest])[1],
  INDEX ix_w words TYPE text(tokenizer = 'splitByNonAlpha', posting_list_codec = 'bitpacking'),
  INDEX ix_ids arrayConcat(splitByChar(' ', lower(ids)), splitByChar('-', replaceAll(lower(ids), ' ', '-'))) TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX ix_num arrayMap(x -> if(countSubstrings(x, '.') > 3, '..', x), extractAll(lowerUTF8(replaceAll(replaceAll(concat(message, rest), 'Σ', 'σ'), 'İ', 'i')), '\\b[0-9]{1,3}(?:[.][0-9]{1,3}){3,}\\b|\\b[a-f]*[0-9][0-9a-f]{5,}\\b')) TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX ix_off offset TYPE minmax GRANULARITY 1,
  INDEX ix_ts timestamp TYPE minmax GRANULARITY 1,
  INDEX ix_log log_id TYPE set(64) GRANULARITY 1
) ENGINE = ReplicatedMergeTree('/clickhouse/logeye/logeye/logs/{shard}/events', '{replica}') PARTITION BY (policy, toYYYYMMDD(received, 'UTC')) ORDER BY timestamp TTL toStartOfDay(received) + toIntervalDay(3) RECOMPRESS CODEC(ZSTD(12))
SETTINGS replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800, index_granularity = 8192, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20, default_compression_codec = 'ZSTD(1)', max_number_of_merges_with_ttl_in_pool = 0, merge_with_recompression_ttl_timeout = 60, materialize_ttl_recalculate_only = 1;
CREATE TABLE IF NOT EXISTS `logs`.events ON CLUSTER `logeye` AS `logs`.events_local ENGINE = Distributed('logeye', 'logs', 'events_local', partition);
CREATE TABLE IF NOT EXISTS `logs`.counts_local ON CLUSTER `logeye` (
  `policy` UInt16,
  `quarter` DateTime('UTC'),
  `event_quarter` DateTime('UTC'),
  `log_id` UInt32,
  `host` LowCardinality(String),
  `source` LowCardinality(String),
  `partition` UInt16,
  `events` SimpleAggregateFunction(sum, UInt64),
  `bytes` SimpleAggregateFunction(sum, UInt64),
  `upto` SimpleAggregateFunction(max, UInt64),
  CONSTRAINT has_policy CHECK policy > 0
) ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/logeye/logeye/logs/{shard}/counts-2', '{replica}') PARTITION BY toYYYYMM(quarter) ORDER BY (quarter, event_quarter, log_id, host, source, partition, policy)
SETTINGS replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20;
CREATE TABLE IF NOT EXISTS `logs`.counts ON CLUSTER `logeye` AS `logs`.counts_local ENGINE = Distributed('logeye', 'logs', 'counts_local', partition);
CREATE TABLE IF NOT EXISTS `logs`.idempotency_local ON CLUSTER `logeye` (
  `partition` UInt16,
  `key_hash` FixedString(16),
  `offset` UInt64,
  `request` UInt32,
  `received` DateTime64(3, 'UTC'),
  INDEX ix_off offset TYPE minmax GRANULARITY 1
) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/logeye/logeye/logs/{shard}/idempotency', '{replica}') PARTITION BY toYYYYMMDD(received, 'UTC') ORDER BY (partition, key_hash, offset, request)
SETTINGS replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20;
CREATE TABLE IF NOT EXISTS `logs`.idempotency ON CLUSTER `logeye` AS `logs`.idempotency_local ENGINE = Distributed('logeye', 'logs', 'idempotency_local', partition);
CREATE TABLE IF NOT EXISTS `logs`.results_local ON CLUSTER `logeye` (
  result String CODEC(ZSTD(1)),
  n UInt64 CODEC(Delta, ZSTD(1)),
  row String CODEC(ZSTD(1)),
  names Array(LowCardinality(String)) CODEC(ZSTD(1))
) ENGINE = MergeTree PARTITION BY result ORDER BY n
SETTINGS index_granularity = 1024, max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1;
CREATE TABLE IF NOT EXISTS `logs`.results ON CLUSTER `logeye` AS `logs`.results_local ENGINE = Distributed('logeye', 'logs', 'results_local', sipHash64(result));
CREATE TABLE IF NOT EXISTS `logs`.gone ON CLUSTER `logeye` (
  `policy` UInt16,
  `day` UInt32,
  `log_id` UInt32,
  `partition` UInt16,
  `entry` String,
  `reason` LowCardinality(String),
  `events` Int64,
  `bytes` Int64,
  `at` DateTime64(3, 'UTC')
) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/logeye/logeye/logs/all/gone', '{shard}-{replica}') ORDER BY (policy, day, log_id, partition, entry)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 60, cleanup_delay_period = 10, max_cleanup_delay_period = 20;
CREATE TABLE IF NOT EXISTS `logs`.archived_local ON CLUSTER `logeye` (
  `policy` UInt16,
  `log_id` UInt32,
  `timestamp` DateTime64(9, 'UTC'),
  `received` DateTime64(3, 'UTC'),
  `host` LowCardinality(String),
  `source` LowCardinality(String),
  `message` String,
  `rest` String,
  `names` LowCardinality(String),
  `id_names` LowCardinality(String),
  `ids` String,
  `others` String,
  `columns` JSON(max_dynamic_paths=256),
  `layout` LowCardinality(String),
  `raw` String,
  `size` UInt32,
  `partition` UInt16,
  `offset` UInt64,
  `index` UInt32
) ENGINE = MergeTree ORDER BY tuple()
SETTINGS index_granularity = 8192;
CREATE TABLE IF NOT EXISTS `logs`.archived ON CLUSTER `logeye` AS `logs`.archived_local ENGINE = Distributed('logeye', 'logs', 'archived_local', partition);
