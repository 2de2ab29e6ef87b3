import { useState } from 'preact/hooks'
import type { Unit, VisualType, Widget } from '../../../../schemas/dashboards/widget.ts'
import type { DashboardKey } from '../../../shared/api/apps.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { QueryField } from '../../query-editor/query-field.tsx'
import { TimeField } from '../../time/time-picker.tsx'
import { T } from '../texts.ts'
import { LiveWidget } from '../view/live-widget.tsx'
import { MoreOptions } from './more-options.tsx'

type WidgetFormProps = {
  readonly board: DashboardKey
  readonly widget: Widget
  readonly timeZone: string
  readonly onTake: (widget: Widget) => void
  readonly onClose: () => void
}

/** With all names of the types: a new one that is missing here does not compile. */
const TYPES: Readonly<Record<VisualType, string>> = {
  table: 'Table',
  line: 'Line',
  area: 'Area',
  column: 'Columns',
  stackedColumn: 'Stacked columns',
  bar: 'Bars',
  pie: 'Pie',
  donut: 'Donut',
  gauge: 'Gauge',
  number: 'Number',
  heatMap: 'Heat map',
  map: 'Map',
  wordCloud: 'Word cloud',
  text: 'Text',
  eventList: 'Events',
  transactionTable: 'Transactions',
}
const UNITS: Readonly<Record<Unit, string>> = {
  none: 'None',
  short: 'Short: 1.2 k',
  bytes: 'Bytes',
  milliseconds: 'Milliseconds',
  seconds: 'Seconds',
  percent: 'Percent',
}
const LEGENDS = { none: 'None', bottom: 'Below', right: 'Beside' } as const

export function WidgetForm({ board, widget, timeZone, onTake, onClose }: WidgetFormProps) {
  const [draft, setDraft] = useState(widget)
  const [tried, setTried] = useState(widget)
  const set = (more: Partial<Widget>) => setDraft((before) => ({ ...before, ...more }))
  const option = (more: Partial<Widget['options']>) =>
    set({ options: { ...draft.options, ...more } })
  const { type, options } = draft
  const isText = type === 'text'
  return (
    <Dialog title={T.edit.widgetTitle(widget.title)} onClose={onClose}>
      <form
        class="board-form board-form-wide"
        onSubmit={(event) => {
          event.preventDefault()
          onTake(draft)
        }}
      >
        <Field
          {...{ label: T.edit.title, name: 'title', value: draft.title }}
          onInput={(title) => set({ title })}
          required
        />
        {isText ? (
          <TextArea label={T.edit.text} value={draft.text} onInput={(text) => set({ text })} />
        ) : (
          <QueryField
            {...{ label: T.edit.query, name: 'query', value: draft.query, hint: '', help: '' }}
            error={undefined}
            onInput={(query) => set({ query })}
          />
        )}
        <div class="board-form-row">
          <Choice
            label={T.edit.type}
            value={type}
            names={TYPES}
            onChoose={(it) => set({ type: it })}
          />
          <TimeField
            label={T.edit.timeFrame}
            times={draft.timeFrame}
            inherited={T.edit.inherited}
            onChoose={({ times }) => times !== undefined && set({ timeFrame: times })}
          />
          <Choice
            {...{ label: T.edit.unit, value: options.unit, names: UNITS }}
            onChoose={(unit) => option({ unit })}
          />
          <Choice
            {...{ label: T.edit.legend, value: options.legend, names: LEGENDS }}
            onChoose={(legend) => option({ legend })}
          />
        </div>
        <MoreOptions widget={draft} onChange={set} />
        <section class="board-widget board-preview" aria-label={T.edit.preview}>
          <LiveWidget
            {...{ board, timeZone, widget: { ...draft, title: tried.title, query: tried.query } }}
            question={{}}
            round="draft"
            isDraft
          />
        </section>
        <div class="row">
          <Button type="submit" look="main">
            {T.edit.take}
          </Button>
          <Button onClick={() => setTried(draft)}>{T.edit.preview}</Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}

type TextAreaProps = {
  readonly label: string
  readonly value: string
  readonly onInput: (text: string) => void
}

function TextArea({ label, value, onInput }: TextAreaProps) {
  return (
    <div class="field">
      <label for="widget-text">{label}</label>
      <textarea
        id="widget-text"
        class="input board-query"
        spellcheck={false}
        rows={3}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  )
}

type ChoiceProps<Name extends string> = {
  readonly label: string
  readonly value: Name
  readonly names: Readonly<Record<Name, string>>
  readonly onChoose: (name: Name) => void
}

function Choice<Name extends string>({ label, value, names, onChoose }: ChoiceProps<Name>) {
  const list: { readonly name: Name; readonly text: string }[] = []
  for (const name in names) list.push({ name, text: names[name] })
  const id = `widget-${label.toLowerCase().replaceAll(' ', '-')}`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = list.find(({ name }) => name === currentTarget.value)
          if (chosen !== undefined) onChoose(chosen.name)
        }}
      >
        {list.map(({ name, text }) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
