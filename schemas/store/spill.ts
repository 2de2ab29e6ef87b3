// How grouping and sorting go to the disk: before the memory of a query is used up, with room for
// the merge after it. The pieces are read again side by side, one block of each at a time. With
// the engine's usual blocks of 16 MB, thirty pieces would fill all the memory.

const MERGED_BLOCK_BYTES = 1_000_000

/** Settings: above how many bytes in memory grouping and sorting use the disk. */
export const SPILL_LIMITS = [
  'max_bytes_before_external_group_by',
  'max_bytes_before_external_sort',
] as const

export function spillSettings(maxQueryMemoryBytes: number): Readonly<Record<string, number>> {
  const bytes = Math.floor(maxQueryMemoryBytes * 0.375)
  const limits = SPILL_LIMITS.map((name) => [name, bytes] as const)
  return { ...Object.fromEntries(limits), prefer_external_sort_block_bytes: MERGED_BLOCK_BYTES }
}
