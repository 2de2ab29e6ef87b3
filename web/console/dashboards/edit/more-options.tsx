import { useState } from 'preact/hooks'
import type { ThresholdLevel, Widget } from '../../../../schemas/dashboards/widget.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { Select } from '../../../shared/parts/select.tsx'
import { SourcesField } from '../../query-editor/query-field.tsx'
import { T } from '../texts.ts'

type MoreOptionsProps = {
  readonly widget: Widget
  readonly onChange: (more: Partial<Widget>) => void
}

type Options = Widget['options']
type Threshold = Options['thresholds'][number]

const LEVELS: readonly ThresholdLevel[] = ['good', 'warning', 'critical']
const MOST_THRESHOLDS = 8

/** What most widgets leave as it is. */
export function MoreOptions({ widget, onChange }: MoreOptionsProps) {
  const { options, sources, hasDrillDown, description } = widget
  const option = (more: Partial<Options>) => onChange({ options: { ...options, ...more } })
  const { thresholds } = options
  const setThresholds = (next: readonly Threshold[]) => option({ thresholds: [...next] })
  return (
    <details class="widget-more">
      <summary>{T.edit.more}</summary>
      <div class="widget-more-inside">
        <Field
          {...{ label: T.edit.description, name: 'description', value: description }}
          onInput={(text) => onChange({ description: text })}
        />
        <SourcesField
          {...{ label: T.edit.sources, name: 'sources', value: sources ?? '' }}
          {...{ hint: '', help: T.edit.widgetSourcesHelp, error: undefined }}
          onInput={(text) => onChange({ sources: text.trim() === '' ? null : text })}
        />
        <div class="board-form-row">
          <Field
            {...{ label: T.edit.suffix, name: 'suffix', value: options.suffix }}
            onInput={(suffix) => option({ suffix })}
          />
          <Amount
            {...{ label: T.edit.decimals, value: options.decimals }}
            onChange={(decimals) => option({ decimals })}
          />
          <Amount
            {...{ label: T.edit.min, value: options.min }}
            onChange={(min) => option({ min })}
          />
          <Amount
            {...{ label: T.edit.max, value: options.max }}
            onChange={(max) => option({ max })}
          />
          <Amount
            {...{ label: T.edit.maxRows, value: options.maxRows }}
            onChange={(maxRows) => option({ maxRows: maxRows ?? 100 })}
          />
        </div>
        <fieldset class="variable-form">
          <legend>{T.edit.thresholds}</legend>
          <p class="field-help">{T.edit.thresholdsHelp}</p>
          {thresholds.map((one, at) => (
            <div key={`${at}`} class="threshold">
              <Amount
                {...{ label: T.edit.from, value: one.from }}
                onChange={(from) =>
                  setThresholds(
                    thresholds.map((it, place) => (place === at ? { ...it, from: from ?? 0 } : it)),
                  )
                }
              />
              <Select
                {...{ label: T.edit.level, name: 'level', value: one.level }}
                options={LEVELS.map((level) => [level, T.edit.levels[level]] as const)}
                onChoose={(value) => {
                  const level = LEVELS.find((it) => it === value) ?? 'good'
                  setThresholds(
                    thresholds.map((it, place) => (place === at ? { ...it, level } : it)),
                  )
                }}
              />
              <Button
                look="plain"
                aria-label={T.edit.removeThreshold(one.from)}
                onClick={() => setThresholds(thresholds.filter((_, place) => place !== at))}
              >
                ×
              </Button>
            </div>
          ))}
          {thresholds.length < MOST_THRESHOLDS && (
            <div>
              <Button onClick={() => setThresholds([...thresholds, { from: 0, level: 'warning' }])}>
                {T.edit.addThreshold}
              </Button>
            </div>
          )}
        </fieldset>
        <label class="row">
          <input
            type="checkbox"
            checked={hasDrillDown}
            onChange={(event) => onChange({ hasDrillDown: event.currentTarget.checked })}
          />
          {T.edit.hasDrillDown}
        </label>
      </div>
    </details>
  )
}

type AmountProps = {
  readonly label: string
  readonly value: number | null
  /** Null: nothing, or no number yet. */
  readonly onChange: (value: number | null) => void
}

function Amount({ label, value, onChange }: AmountProps) {
  const [text, setText] = useState(value === null ? '' : String(value))
  return (
    <Field
      {...{ label, name: 'amount', value: text }}
      onInput={(typed) => {
        setText(typed)
        const amount = Number(typed)
        onChange(typed.trim() === '' || !Number.isFinite(amount) ? null : amount)
      }}
    />
  )
}
