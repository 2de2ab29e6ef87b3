import type { ComponentType } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Button } from '../../../shared/parts/button.tsx'
import type { ControlProps } from '../objects/object-extras.ts'
import { namesOf, toWords } from '../parts/words.ts'
import { nextTimes } from './next-times.ts'
import {
  printSchedule,
  readSchedule,
  SCHEDULE_KINDS,
  type ScheduleDraft,
  UNITS,
  unitOf,
} from './schedule-draft.ts'
import { SCHEDULE_TEXTS } from './texts.ts'
import './schedule.css'

const T = SCHEDULE_TEXTS

/** `usual`: what counts where nothing is chosen. */
export function makeScheduleField(usual: string): ComponentType<ControlProps> {
  return function ScheduleField({ field, value, error, onInput, form }: ControlProps) {
    const id = useId()
    const [isText, setText] = useState(false)
    const draft = readSchedule(value === '' ? usual : value)
    const isAsText = isText || draft === undefined
    const told = `${id}-told`
    const help = isAsText
      ? T.textHelp
      : draft.kind === 'never' || draft.kind === 'every'
        ? T.help[draft.kind]
        : T.help.at
    const next = nextTimes(value || usual, form.read('timeZone'), form.read('businessHours'))
    return (
      <div class="field object-field">
        <label for={id}>{toWords(field.name)}</label>
        {isAsText ? (
          <input
            id={id}
            name={field.name}
            class="input schedule-text"
            aria-invalid={error !== undefined}
            aria-describedby={told}
            value={value}
            placeholder={usual}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        ) : (
          <>
            <select
              id={id}
              class="input"
              name={field.name}
              aria-describedby={told}
              value={draft.kind}
              onChange={({ currentTarget }) => {
                const kind = SCHEDULE_KINDS.find((one) => one === currentTarget.value) ?? 'never'
                onInput(printSchedule({ ...draft, kind }))
              }}
            >
              {SCHEDULE_KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {T.kinds[kind]}
                </option>
              ))}
            </select>
            <Parts
              draft={draft}
              toldBy={told}
              isFaulty={error !== undefined}
              onChange={(changed) => onInput(printSchedule(changed))}
            />
          </>
        )}
        <p id={told} class={error === undefined ? 'field-help' : 'field-error'}>
          {error === undefined ? help : isAsText ? error : T.fault}
        </p>
        <div class="schedule-told">
          {next !== undefined && (
            <span>{next.length > 0 ? T.next(next.join(', ')) : T.noNext}</span>
          )}
          <Button look="plain" disabled={draft === undefined} onClick={() => setText(!isAsText)}>
            {isAsText ? T.asFields : T.asText}
          </Button>
        </div>
      </div>
    )
  }
}

type PartsProps = {
  readonly draft: ScheduleDraft
  readonly toldBy: string
  readonly isFaulty: boolean
  readonly onChange: (draft: ScheduleDraft) => void
}

function Parts({ draft, toldBy, isFaulty, onChange }: PartsProps) {
  const { kind, count, unit, time, weekdays, day } = draft
  const shared = { 'aria-invalid': isFaulty, 'aria-describedby': toldBy, autocomplete: 'off' }
  if (kind === 'never') return null
  const number = (label: string, typed: string, onTyped: (typed: string) => void) => (
    <input
      {...shared}
      class="input schedule-count"
      inputmode="numeric"
      aria-label={label}
      value={typed}
      onInput={({ currentTarget }) => onTyped(currentTarget.value.replace(/\D/g, ''))}
    />
  )
  if (kind === 'every')
    return (
      <div class="schedule-parts">
        {number(T.count, count, (typed) => onChange({ ...draft, count: typed }))}
        <select
          class="input schedule-unit"
          aria-label={T.unit}
          value={unit}
          onChange={({ currentTarget }) =>
            onChange({ ...draft, unit: unitOf(currentTarget.value) })
          }
        >
          {UNITS.map((one) => (
            <option key={one} value={one}>
              {T.units[one]}
            </option>
          ))}
        </select>
      </div>
    )
  return (
    <div class="schedule-parts">
      {kind === 'weekly' && (
        <fieldset class="schedule-days">
          <legend class="schedule-legend">{T.days}</legend>
          {namesOf(T.dayNames).map((name) => (
            <label key={name} class="flag">
              <input
                type="checkbox"
                checked={weekdays.includes(name)}
                onChange={(event) => {
                  const isOn = event.currentTarget.checked
                  const chosen = namesOf(T.dayNames).filter((one) =>
                    one === name ? isOn : weekdays.includes(one),
                  )
                  onChange({ ...draft, weekdays: chosen })
                }}
              />
              {T.dayNames[name]}
            </label>
          ))}
        </fieldset>
      )}
      {kind === 'monthly' && number(T.day, day, (typed) => onChange({ ...draft, day: typed }))}
      <input
        {...shared}
        class="input schedule-time"
        type="time"
        aria-label={T.time}
        value={time}
        onInput={({ currentTarget }) => onChange({ ...draft, time: currentTarget.value })}
      />
    </div>
  )
}
