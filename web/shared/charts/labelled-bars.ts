// Which bars have their label below them. Pure.

/** The first bar of each label, as far from the one before it as a label is wide; the last bars
 *  have no room. */
export function labelledBars(
  labels: readonly string[],
  slotPx: number,
  labelPx: number,
): ReadonlySet<number> {
  const chosen = new Set<number>()
  let freeFrom = 0
  for (const [index, label] of labels.entries()) {
    const from = index * slotPx
    if (label === labels[index - 1] || from < freeFrom) continue
    if (from + labelPx / 2 >= labels.length * slotPx) break
    chosen.add(index)
    freeFrom = from + labelPx
  }
  return chosen
}
