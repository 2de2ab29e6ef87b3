// What statements to a server and to a cluster are sent with, since the defaults of servers differ
// from what the product rests on. docs/reference/engines.md lists them. Not tested on a real
// cluster: the page says why.

export type SettingValues = Readonly<Record<string, string | number>>

/** To every server. */
export const SERVER_SETTINGS: SettingValues = {
  // Its log of queries would keep the texts of searches.
  log_queries: 0,
  // By default each thread must find a gigabyte free: on small servers every search would have one
  // thread.
  max_threads_min_free_memory_per_thread: 0,
}

/** To the servers of a cluster. */
export const CLUSTER_SETTINGS: SettingValues = {
  // In a shard, the first server that is there takes the inserts and answers the reads, whichever
  // server we speak with: a read sees what was written before it. When it is away, another one
  // whose copy is up to date takes over.
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
  max_replica_delay_for_distributed_queries: 2,
  fallback_to_stale_replicas_for_distributed_queries: 0,
  // An answer without a shard's rows would be a wrong one.
  skip_unavailable_shards: 0,
  // Reads ask every shard for a partition: rows that were written before a shard was added stay
  // where they are.
  optimize_skip_unused_shards: 0,
  // A query in brackets is answered once, over all shards, and its values are sent to them.
  distributed_product_mode: 'global',
  prefer_global_in_and_join: 1,
  // `INSERT INTO results SELECT`: rows are numbered over all shards, which one shard alone
  // could not do.
  parallel_distributed_insert_select: 0,
  // An insert is answered when its shard has it, not when it waits on the server that we speak
  // with.
  distributed_foreground_insert: 1,
  // A server that was away catches up when it comes back.
  distributed_ddl_task_timeout: 10,
  distributed_ddl_output_mode: 'null_status_on_timeout',
}

/** To the servers of a cluster, whatever the statement asks for. */
export const CLUSTER_LAW: SettingValues = {
  // The engine (26.7) loses a materialized sub-query inside what it sends to a shard: the groups
  // are read twice instead.
  enable_materialized_cte: 0,
}

/** For reads of system tables of all servers: one that is away is not counted. */
export const ANY_SERVERS: SettingValues = { skip_unavailable_shards: 1 }

const QUORUM_WAIT_MS = 30_000

/** For an insert that must be there once. `token`: the same for each try. */
export function clusterInsertSettings(token: string): SettingValues {
  return {
    // An acknowledged insert is on most servers of the shard. Inserts of several partitions wait
    // for their own copies only: one after the other (0, which select_sequential_consistency would
    // need) the second is refused.
    insert_quorum: 'auto',
    insert_quorum_parallel: 1,
    insert_quorum_timeout: QUORUM_WAIT_MS,
    // The belt: the id is committed together with the part, so that an insert that was thought dead
    // and comes late changes nothing.
    insert_deduplicate: 1,
    insert_deduplication_token: token,
  }
}
