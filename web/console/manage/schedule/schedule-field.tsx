import type { ComponentType } from 'preact'
import type { ControlProps } from '../objects/object-extras.ts'
import { FieldsOrText } from '../parts/fields-or-text.tsx'
import { namesOf, toWords } from '../parts/words.ts'
import { nextTimes } from './next-times.ts'
import { SCHEDULE_FORM, type ScheduleDraft, type ScheduleForm, unitOf } from './schedule-draft.ts'
import { SCHEDULE_TEXTS } from './texts.ts'
import './schedule.css'

const T = SCHEDULE_TEXTS

type ScheduleFieldOptions = {
  /** What counts where nothing is chosen. */
  readonly usual: string
  readonly label?: string
  readonly form?: ScheduleForm
  /** The form asks for a zone, too. */
  readonly isZoned?: boolean
}

export function makeScheduleField({
  usual,
  label,
  form: written = SCHEDULE_FORM,
  isZoned = true,
}: ScheduleFieldOptions): ComponentType<ControlProps> {
  const isCron = written !== SCHEDULE_FORM
  return function ScheduleField({ field, value, error, onInput, form }: ControlProps) {
    const draft = written.read(value === '' ? usual : value)
    const next = nextTimes(value || usual, form.read('timeZone'), form.read('businessHours'))
    const help = (isText: boolean) => {
      if (isText || draft === undefined) return isCron ? T.cronHelp : T.textHelp
      if (draft.kind === 'never') return T.help.never
      if (!isZoned) return T.help.inSystem
      return draft.kind === 'every' && !isCron ? T.help.every : T.help.at
    }
    return (
      <FieldsOrText
        {...{ label: label ?? toWords(field.name), name: field.name, value, usual, onInput }}
        isReadable={draft !== undefined}
        isFaulty={error !== undefined}
        told={(isText) => {
          if (error === undefined) return help(isText)
          return isText ? error : isCron ? T.cronFault : T.fault
        }}
        fields={({ id, toldBy }) =>
          draft && (
            <>
              <select
                {...{ id, name: field.name, class: 'input', value: draft.kind }}
                aria-describedby={toldBy}
                onChange={({ currentTarget }) => {
                  const kind = written.kinds.find((one) => one === currentTarget.value) ?? 'never'
                  onInput(written.print({ ...draft, kind }))
                }}
              >
                {written.kinds.map((kind) => (
                  <option key={kind} value={kind}>
                    {T.kinds[kind]}
                  </option>
                ))}
              </select>
              <Parts
                {...{ draft, written, toldBy }}
                isFaulty={error !== undefined}
                onChange={(changed) => onInput(written.print(changed))}
              />
            </>
          )
        }
        below={() =>
          next !== undefined && <span>{next.length > 0 ? T.next(next.join(', ')) : T.noNext}</span>
        }
      />
    )
  }
}

type PartsProps = {
  readonly written: ScheduleForm
  readonly draft: ScheduleDraft
  readonly toldBy: string
  readonly isFaulty: boolean
  readonly onChange: (draft: ScheduleDraft) => void
}

function Parts({ written: { steps, units }, draft, toldBy, isFaulty, onChange }: PartsProps) {
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
        {steps === undefined ? (
          number(T.count, count, (typed) => onChange({ ...draft, count: typed }))
        ) : (
          <select
            class="input schedule-unit"
            aria-label={T.count}
            value={count}
            onChange={({ currentTarget }) => onChange({ ...draft, count: currentTarget.value })}
          >
            {steps[unit]?.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        )}
        <select
          class="input schedule-unit"
          aria-label={T.unit}
          value={unit}
          onChange={({ currentTarget }) => {
            const chosen = unitOf(currentTarget.value)
            const isOffered = steps === undefined || steps[chosen]?.includes(count)
            onChange({ ...draft, unit: chosen, count: isOffered ? count : '1' })
          }}
        >
          {units.map((one) => (
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
