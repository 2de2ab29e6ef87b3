// When a monitor would have fired, as bars. Pure.
import type { Bar } from '../../../../shared/charts/bar.ts'
import { timePrinter } from '../../../../shared/format.ts'

const BAR_MS = 3 * 3_600_000
const WEEK_MS = 7 * 86_400_000

/** Of three hours each, over the week from `from` (ISO 8601) on. */
export function firedBars(from: string, fired: readonly { readonly at: string }[]): Bar[] {
  const fromMs = Date.parse(from)
  const counts = new Array<number>(Math.ceil(WEEK_MS / BAR_MS)).fill(0)
  for (const { at } of fired) {
    const slot = Math.floor((Date.parse(at) - fromMs) / BAR_MS)
    const last = counts.length - 1
    const within = Math.max(0, Math.min(last, slot))
    counts[within] = (counts[within] ?? 0) + 1
  }
  const print = timePrinter(undefined).minute
  const timeOf = (index: number) => print(new Date(fromMs + index * BAR_MS).toISOString())
  return counts.map((count, index) => ({
    label: timeOf(index).slice(0, 5),
    title: `${timeOf(index)} – ${timeOf(index + 1).slice(-5)}`,
    values: [count],
  }))
}
