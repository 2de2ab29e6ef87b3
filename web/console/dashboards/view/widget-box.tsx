import { useState } from 'preact/hooks'
import { CHART_TYPES } from '../../../../schemas/charts/chart-option.ts'
import type { WidgetResult } from '../../../../schemas/dashboards/result.ts'
import type { Widget } from '../../../../schemas/dashboards/widget.ts'
import type { CallError } from '../../../shared/api/call.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { asSentence } from '../../../shared/tell-failure.ts'
import { TEXTS } from '../../../shared/texts.ts'
import { Progress } from '../../../shared/waiting/progress.tsx'
import { T } from '../texts.ts'
import { searchPath } from './drill-down.ts'
import { WidgetContent } from './widget-content.tsx'

type WidgetBoxProps = {
  readonly widget: Widget
  readonly asked: {
    readonly answer: WidgetResult | undefined
    readonly error: CallError | undefined
    readonly isBusy: boolean
    readonly again: () => void
  }
  readonly timeZone: string
}

/** A widget with its title: each has its own progress, failure and way out. */
export function WidgetBox({ widget, asked, timeZone }: WidgetBoxProps) {
  const { answer, error, isBusy, again } = asked
  const [isTable, setTable] = useState(false)
  const { title, description, type } = widget
  const failed = error ?? answer?.error ?? undefined
  const isPicture = CHART_TYPES.has(type) || type === 'number'
  const leads = widget.hasDrillDown && answer !== undefined && type !== 'text'
  return (
    <>
      <div class="board-title">
        <h2 title={description || undefined}>
          {leads ? (
            <a href={searchPath(answer.query, answer.window)} title={T.view.toSearch(title)}>
              {title}
            </a>
          ) : (
            title
          )}
        </h2>
        {isPicture && answer?.rows != null && (
          <Button
            look="plain"
            isOn={isTable}
            class="board-switch"
            title={isTable ? T.view.asChart : T.view.asTable}
            aria-label={`${title}: ${T.view.asTable}`}
            onClick={() => setTable(!isTable)}
          >
            ≡
          </Button>
        )}
      </div>
      {type === 'text' ? (
        <div class="board-text">{widget.text}</div>
      ) : (
        <>
          <Progress isBusy={isBusy} label={T.view.busy(title)} />
          <div class="board-inside">
            {failed !== undefined && !isBusy ? (
              <div class="board-told board-failed" role="alert">
                <p>{asSentence(failed.message || TEXTS.failure.unreachable)}</p>
                <Button onClick={again}>{TEXTS.act.retry}</Button>
              </div>
            ) : (
              answer !== undefined && (
                <WidgetContent {...{ widget, timeZone, isTable }} result={answer} />
              )
            )}
          </div>
        </>
      )}
    </>
  )
}
