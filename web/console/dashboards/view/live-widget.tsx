import type { WidgetResult } from '../../../../schemas/dashboards/result.ts'
import type { Widget } from '../../../../schemas/dashboards/widget.ts'
import { type DashboardKey, runWidget, type WidgetQuestion } from '../../../shared/api/apps.ts'
import { useAsked } from '../../../shared/asked.ts'
import { WidgetBox } from './widget-box.tsx'

type LiveWidgetProps = {
  readonly board: DashboardKey
  readonly widget: Widget
  readonly question: Pick<WidgetQuestion, 'variables' | 'timeFrame'>
  /** Says when it is to be run again. */
  readonly round: string
  readonly timeZone: string
  /** It is not saved. */
  readonly isDraft?: boolean
}

/** Runs by itself: a slow or failing one holds no other up. */
export function LiveWidget({ board, widget, question, round, timeZone, isDraft }: LiveWidgetProps) {
  const key = JSON.stringify([round, question, isDraft ? widget : widget.id])
  const asked = useAsked(key, (signal): Promise<WidgetResult> | Promise<undefined> => {
    if (widget.type === 'text') return Promise.resolve(undefined)
    const what = isDraft ? { widget } : { widgetId: widget.id }
    return runWidget(board, { ...question, ...what }, signal)
  })
  return <WidgetBox {...{ widget, timeZone, asked }} />
}
