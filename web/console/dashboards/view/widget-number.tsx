import { printValue } from '../../../../schemas/charts/print-value.ts'
import { numberOf } from '../../../../schemas/charts/read-series.ts'
import type { WidgetRows } from '../../../../schemas/dashboards/result.ts'
import type { Widget } from '../../../../schemas/dashboards/widget.ts'

type WidgetNumberProps = { readonly widget: Widget; readonly rows: WidgetRows }

/** One large value, coloured by its thresholds. */
export function WidgetNumber({ widget: { options }, rows }: WidgetNumberProps) {
  const wanted = options.values[0]?.toLowerCase()
  const named = rows.columns.findIndex(({ name }) => name.toLowerCase() === wanted)
  const first = rows.columns.findIndex(({ type }) => type === 'number')
  const cell = rows.rows[0]?.[Math.max(0, named >= 0 ? named : first)] ?? ''
  const value = numberOf(cell)
  const level = [...options.thresholds]
    .sort((a, b) => a.from - b.from)
    .findLast(({ from }) => value !== null && value >= from)?.level
  return (
    <p class={`board-number ${level === undefined ? '' : `board-level-${level}`}`}>
      {value === null ? cell || '–' : printValue(value, options)}
    </p>
  )
}
