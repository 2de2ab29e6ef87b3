// Where the rows of a long list stand. Pure.

/** One more than there are rows: the end of the last. `heights`: of the rows that differ. */
export function topsOf(
  keys: readonly string[],
  heights: ReadonlyMap<string, number>,
  rowPx: number,
): Float64Array {
  const tops = new Float64Array(keys.length + 1)
  let top = 0
  keys.forEach((key, index) => {
    tops[index] = top
    top += heights.get(key) ?? rowPx
  })
  tops[keys.length] = top
  return tops
}

/** The row at so many pixels below the first. */
export function rowAt(tops: Float64Array, px: number): number {
  let low = 0
  let high = tops.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((tops[middle] ?? 0) <= px) low = middle
    else high = middle - 1
  }
  return low
}

/** Of rows that have left the list, once there are more of them than rows: a list whose rows come
 *  and go for hours must not fill the memory. */
export function forgetGone(heights: Map<string, number>, keys: readonly string[]): void {
  if (heights.size <= 2 * keys.length) return
  const there = new Set(keys)
  for (const key of heights.keys()) if (!there.has(key)) heights.delete(key)
}
