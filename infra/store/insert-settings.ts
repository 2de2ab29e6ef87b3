// How every insert runs, said by the client each time and by the embedded store's process for who
// does not: the defaults of server and embedded engine differ. One insert = one block = one part a
// table partition; without a log of block ids, which the engine may lose. Numbers of 64 bits are
// text, as the official client declares them.
export const INSERT_SETTINGS = {
  // Searches (2) let an insert pass, each for a moment at every block: several of them took two
  // thirds of the writer's rate.
  priority: '1',
  async_insert: 0,
  insert_deduplicate: 0,
  max_threads: 1,
  max_insert_threads: '1',
  min_insert_block_size_rows: '1000000',
  min_insert_block_size_bytes: '0',
  max_insert_block_size: '1000000',
  max_partitions_per_insert_block: '100',
} as const
