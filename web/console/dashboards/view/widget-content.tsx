import { CHART_TYPES } from '../../../../schemas/charts/chart-option.ts'
import type { WidgetResult } from '../../../../schemas/dashboards/result.ts'
import type { Widget } from '../../../../schemas/dashboards/widget.ts'
import { go } from '../../../shared/address.ts'
import { T } from '../texts.ts'
import { Chart } from './chart.tsx'
import { pickedPath } from './drill-down.ts'
import { WidgetNumber } from './widget-number.tsx'
import { WidgetTable } from './widget-table.tsx'

type WidgetContentProps = {
  readonly widget: Widget
  readonly result: WidgetResult
  readonly timeZone: string
  /** The rows, whatever the type is. */
  readonly isTable?: boolean
}

export function WidgetContent({ widget, result, timeZone, isTable = false }: WidgetContentProps) {
  const { rows } = result
  if (rows === null || rows.rows.length === 0) return <p class="board-told">{T.view.nothing}</p>
  if (widget.type === 'number' && !isTable) return <WidgetNumber widget={widget} rows={rows} />
  if (isTable || !CHART_TYPES.has(widget.type)) return <WidgetTable widget={widget} rows={rows} />
  return (
    <Chart
      {...{ widget, rows, timeZone }}
      onPick={(picked) => {
        const to = pickedPath(widget, result, picked)
        if (to !== undefined) go(to)
      }}
    />
  )
}
