import { useId } from 'preact/hooks'
import { NEW_EVENTS } from '../../../../schemas/monitors/monitor.ts'
import { windowValue } from '../../../../schemas/monitors/monitor-values.ts'
import type { ControlProps } from '../objects/object-extras.ts'
import { toWords } from '../parts/words.ts'
import { UNITS, unitOf } from './schedule-draft.ts'
import { SCHEDULE_TEXTS } from './texts.ts'
import './schedule.css'

const T = SCHEDULE_TEXTS
const FIRST_LAST = '15m'

/** What is new, or so long a time. */
export function WindowField({ field, value, error, onInput, form }: ControlProps) {
  const id = useId()
  const text = value.trim().toLowerCase()
  const isNew = text === '' || text === NEW_EVENTS
  const [, count = '', unit] = /^(\d*)([mhd])$/.exec(text) ?? []
  if (!isNew && unit === undefined) return form.usual(field.name)
  const told = `${id}-told`
  const isFaulty = !isNew && !windowValue.safeParse(text).success
  return (
    <div class="field object-field">
      <label for={id}>{toWords(field.name)}</label>
      <select
        id={id}
        class="input"
        name={field.name}
        aria-invalid={error !== undefined && !isFaulty}
        aria-describedby={told}
        value={isNew ? NEW_EVENTS : 'last'}
        onChange={({ currentTarget }) =>
          onInput(currentTarget.value === NEW_EVENTS ? NEW_EVENTS : FIRST_LAST)
        }
      >
        <option value={NEW_EVENTS}>{T.kindsOfWindow.new}</option>
        <option value="last">{T.kindsOfWindow.last}</option>
      </select>
      {!isNew && (
        <div class="schedule-parts">
          <input
            class="input schedule-count"
            inputmode="numeric"
            aria-label={T.windowCount}
            aria-invalid={isFaulty}
            aria-describedby={told}
            autocomplete="off"
            value={count}
            onInput={({ currentTarget }) =>
              onInput(`${currentTarget.value.replace(/\D/g, '')}${unit}`)
            }
          />
          <select
            class="input schedule-unit"
            aria-label={T.unit}
            value={unit}
            onChange={({ currentTarget }) => onInput(`${count}${unitOf(currentTarget.value)}`)}
          >
            {UNITS.map((one) => (
              <option key={one} value={one}>
                {T.units[one]}
              </option>
            ))}
          </select>
        </div>
      )}
      <p id={told} class={error === undefined ? 'field-help' : 'field-error'}>
        {isFaulty ? T.windowFault : (error ?? T.windowHelp[isNew ? 'new' : 'last'])}
      </p>
    </div>
  )
}
