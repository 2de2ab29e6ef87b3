// How grouping and sorting go to the disk: before the memory of a query is used up, with room for
// the merge after it. The pieces are read again side by side, a block of each at a time: of the
// engine's usual 16 MB a block, thirty pieces would be all the memory there is.

const MERGED_BLOCK_BYTES = 1_000_000

/** Settings: from how many bytes in memory on rows are grouped, and sorted, on the disk. */
export const SPILL_LIMITS = [
  'max_bytes_before_external_group_by',
  'max_bytes_before_external_sort',
] as const

export function spillSettings(maxQueryMemoryBytes: number): Readonly<Record<string, number>> {
  const bytes = Math.floor(maxQueryMemoryBytes * 0.375)
  const limits = SPILL_LIMITS.map((name) => [name, bytes] as const)
  return { ...Object.fromEntries(limits), prefer_external_sort_block_bytes: MERGED_BLOCK_BYTES }
}
