// The one value that a widget of the type `number` shows, with its colour by thresholds.
import type { WidgetRows } from '../dashboards/result.ts'
import type { WidgetOptions } from '../dashboards/widget.ts'
import { printValue } from './print-value.ts'
import { numberOf } from './read-series.ts'

/** Of the first row: the column that the options name, else the first of numbers. */
export function shownNumber(options: WidgetOptions, { columns, rows }: WidgetRows) {
  const wanted = options.values[0]?.toLowerCase()
  const named = columns.findIndex(({ name }) => name.toLowerCase() === wanted)
  const first = columns.findIndex(({ type }) => type === 'number')
  const cell = rows[0]?.[Math.max(0, named >= 0 ? named : first)] ?? ''
  const value = numberOf(cell)
  const level = [...options.thresholds]
    .sort((a, b) => a.from - b.from)
    .findLast(({ from }) => value !== null && value >= from)?.level
  return { text: value === null ? cell || '–' : printValue(value, options), level }
}
