/** Bytes from which grouping and sorting go to the disk: before the memory of a query is used up, with room for the merge after it. */
export function spillBytes(maxQueryMemoryBytes: number): number {
  return Math.floor(maxQueryMemoryBytes * 0.375)
}
