import { shownNumber } from '../../../../schemas/charts/shown-number.ts'
import type { WidgetRows } from '../../../../schemas/dashboards/result.ts'
import type { Widget } from '../../../../schemas/dashboards/widget.ts'

type WidgetNumberProps = { readonly widget: Widget; readonly rows: WidgetRows }

/** One large value, coloured by its thresholds. */
export function WidgetNumber({ widget: { options }, rows }: WidgetNumberProps) {
  const { text, level } = shownNumber(options, rows)
  return <p class={`board-number ${level === undefined ? '' : `board-level-${level}`}`}>{text}</p>
}
