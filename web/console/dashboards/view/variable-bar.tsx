import { useId } from 'preact/hooks'
import type { TimeFrame } from '../../../../schemas/dashboards/time-frame.ts'
import { address, go } from '../../../shared/address.ts'
import { searchFacets } from '../../../shared/api/search.ts'
import { useAsked } from '../../../shared/asked.ts'
import { sayTimes } from '../../time/say-times.ts'
import { TimePicker } from '../../time/time-picker.tsx'
import { T } from '../texts.ts'
import { readFrame, type Variable, withChosen, withFrame } from './choice.ts'

const MAX_OFFERED = 100

type VariableBarProps = {
  readonly variables: readonly Variable[]
  readonly chosen: Readonly<Record<string, readonly string[]>>
  /** Of the dashboard. */
  readonly frame: TimeFrame
}

/** Values for all widgets, and another time frame; both in the address. */
export function VariableBar({ variables, chosen, frame }: VariableBarProps) {
  const timeId = useId()
  return (
    <div class="board-choices">
      {variables.map((variable) => (
        <div key={variable.name} class="board-choice">
          <span aria-hidden="true">{variable.label || variable.name}</span>
          <Choice
            variable={variable}
            values={
              (Object.hasOwn(chosen, variable.name) && chosen[variable.name]) || variable.value
            }
            frame={frame}
          />
        </div>
      ))}
      <div class="board-choice">
        <span id={timeId}>{T.view.time}</span>
        <TimePicker
          labelledBy={timeId}
          times={readFrame(address.value.parameters) ?? null}
          inherited={`${T.view.ownTime}: ${sayTimes(frame)}`}
          onChoose={({ times }) => times !== undefined && go(withFrame(address.value, times))}
        />
      </div>
    </div>
  )
}

type ChoiceProps = {
  readonly variable: Variable
  readonly values: readonly string[]
  readonly frame: TimeFrame
}

function Choice({ variable, values, frame }: ChoiceProps) {
  const label = variable.label || variable.name
  const choose = (next: readonly string[]) => go(withChosen(address.value, variable.name, next))
  if (variable.kind === 'text')
    return (
      <input
        class="input"
        aria-label={label}
        value={values.join(', ')}
        placeholder={T.view.all}
        onChange={(event) => {
          const text = event.currentTarget.value
          const parts = variable.isMultiple ? text.split(',') : [text]
          choose(parts.map((part) => part.trim()).filter((part) => part !== ''))
        }}
      />
    )
  const props = { label, values, isMultiple: variable.isMultiple, onChoose: choose }
  if (variable.kind === 'list') return <Select {...props} offered={variable.choices} />
  return <ColumnSelect {...props} column={variable.column} query={variable.query} frame={frame} />
}

type SelectProps = {
  readonly label: string
  readonly values: readonly string[]
  readonly isMultiple: boolean
  readonly onChoose: (values: readonly string[]) => void
}

function ColumnSelect({
  column,
  query,
  frame,
  ...props
}: SelectProps & { readonly column: string; readonly query: string; readonly frame: TimeFrame }) {
  const window = readFrame(address.value.parameters) ?? frame
  const asked = useAsked(JSON.stringify([column, query, window]), async (signal) => {
    const question = { query, columns: [column], limit: MAX_OFFERED, ...window }
    const { facets } = await searchFacets(question, signal)
    return facets[0]?.values.map(({ value }) => value) ?? []
  })
  return <Select {...props} offered={asked.answer ?? []} />
}

/** Choosing another one of several adds it; what is chosen is taken away by choosing it again. */
function Select({
  label,
  values,
  isMultiple,
  onChoose,
  offered,
}: SelectProps & { readonly offered: readonly string[] }) {
  const all = [...new Set([...values, ...offered])]
  const pick = (value: string) => {
    if (value === '' || !isMultiple) return onChoose(value === '' ? [] : [value])
    onChoose(values.includes(value) ? values.filter((one) => one !== value) : [...values, value])
  }
  const many = values.length > 1
  return (
    <select
      class="input"
      aria-label={label}
      value={many ? '\u0000' : (values[0] ?? '')}
      onChange={(event) => pick(event.currentTarget.value)}
    >
      <option value="">{T.view.all}</option>
      {many && (
        <option value={'\u0000'} hidden>
          {T.view.chosen(values.length)}
        </option>
      )}
      {all.map((value) => (
        <option key={value} value={value}>
          {many && values.includes(value) ? `✓ ${value}` : value}
        </option>
      ))}
    </select>
  )
}
