// The layers of the bars, the lowest first: of levels the calm ones below, errors on top. Pure.
import type { HistogramAnswer } from '../../../../schemas/search-json/answers.ts'
import { levelOf } from '../events/level.ts'

export type Layer = {
  /** '' of what no value of the split has. */
  readonly name: string
  /** Its colour: a level, a number from 1 to 8, or `rest`. */
  readonly kind: string
  readonly counts: readonly number[]
}

const ORDER = ['rest', 'debug', 'info', 'warning', 'error']

export function layersOf({ histogram, split }: HistogramAnswer, levelName: RegExp): Layer[] {
  if (split === null || split.series.length === 0)
    return [{ name: '', kind: 'rest', counts: histogram.buckets.map(({ count }) => count) }]
  const isLevel = levelName.test(split.column)
  const series = split.series.map(({ value, counts }, at): Layer => {
    const kind = isLevel ? (levelOf(value) ?? 'info') : String((at % 8) + 1)
    return { name: value, kind, counts }
  })
  const rest: Layer = { name: '', kind: 'rest', counts: split.others.counts }
  if (!isLevel) return [...series, rest]
  return [rest, ...series].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
}
