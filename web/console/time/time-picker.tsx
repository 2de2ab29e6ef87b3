import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { TimeFrame } from '../../../schemas/dashboards/time-frame.ts'
import { FIXED_INTERVALS } from '../../../schemas/time/time-window.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { place } from '../../shared/parts/menu.tsx'
import { sayTimes, type TimesGiven } from './say-times.ts'
import { TIME_TEXTS as T } from './texts.ts'
import './time-picker.css'

/** `times` null: those of the level above; undefined: as they were. */
export type TimeChoice = {
  readonly times: TimeFrame | null | undefined
  /** IANA name; undefined: the system's. */
  readonly zone: string | undefined
}

type TimePickerProps = {
  readonly id?: string
  /** Id of the text that names it. */
  readonly labelledBy?: string
  /** Null: those of the level above. */
  readonly times: TimesGiven | null
  /** What the level above has; undefined: there is none. */
  readonly inherited?: string
  /** Undefined: no zone is chosen here. */
  readonly zones?: { readonly chosen: string | undefined; readonly ofSystem: string | undefined }
  readonly onChoose: (choice: TimeChoice) => void
}

/** One picker everywhere: fixed intervals, relative and absolute times, zone. */
export function TimePicker({ id, labelledBy, ...panel }: TimePickerProps) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLSpanElement>(null)
  const own = useId()
  return (
    <span ref={box}>
      <Button
        id={id ?? own}
        aria-labelledby={labelledBy && `${labelledBy} ${id ?? own}`}
        class="time-button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="time-text">{sayChoice(panel)}</span> ▾
      </Button>
      {isOpen && (
        <Panel
          {...panel}
          at={box.current}
          onClose={() => {
            setOpen(false)
            box.current?.querySelector('button')?.focus()
          }}
        />
      )}
    </span>
  )
}

function sayChoice({ times, inherited = '', zones }: TimePickerProps): string {
  if (times === null) return inherited
  const zone = zones?.chosen ?? zones?.ofSystem
  const suffix = zones?.chosen === undefined ? '' : ` · ${zones.chosen}`
  return sayTimes(times, zone) + suffix
}

/** The same with a label, of a form. */
export function TimeField({ label, ...picker }: TimePickerProps & { readonly label: string }) {
  const id = useId()
  return (
    <div class="field">
      <span id={id} class="soft">
        {label}
      </span>
      <TimePicker labelledBy={id} {...picker} />
    </div>
  )
}

type PanelProps = Omit<TimePickerProps, 'id' | 'labelledBy'> & {
  readonly at: HTMLElement | null
  readonly onClose: () => void
}

function Panel({ times, inherited, zones, onChoose, at, onClose }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  const [start, setStart] = useState(times?.start ?? '')
  const [end, setEnd] = useState(times?.end ?? '')
  const [zone, setZone] = useState(zones?.chosen ?? '')
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    const shown = panel.current
    if (shown === null) return
    shown.showPopover()
    place(shown, at)
    const chosen = shown.querySelector<HTMLElement>('[aria-pressed="true"]')
    const first = chosen ?? shown.querySelector<HTMLElement>('button')
    first?.focus()
  }, [at])
  const choose = (chosen: TimeChoice['times']) => {
    onClose()
    onChoose({ times: chosen, zone: zone === '' ? undefined : zone })
  }
  const apply = () => {
    const from = start.trim()
    const to = end.trim()
    if (from === '' && to !== '') return setFault(T.noStart)
    choose(from === '' ? undefined : { start: from, ...(to === '' ? {} : { end: to }) })
  }
  return (
    <div
      ref={panel}
      class="time-panel"
      role="dialog"
      aria-label={T.label}
      popover="auto"
      onToggle={(event) => {
        if (event.newState === 'closed') onClose()
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="time-fixed">
        {inherited !== undefined && (
          <Button look="plain" isOn={times === null} onClick={() => choose(null)}>
            {inherited}
          </Button>
        )}
        {FIXED_INTERVALS.map((interval) => (
          <Button
            key={interval}
            look="plain"
            isOn={times?.interval === interval}
            onClick={() => choose({ interval })}
          >
            {T.intervals[interval]}
          </Button>
        ))}
      </div>
      {/* No form: it may stand in one. */}
      <div
        class="time-free"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
          event.preventDefault()
          apply()
        }}
      >
        <Field
          label={T.from}
          name="start"
          placeholder="-2h"
          value={start}
          error={fault}
          onInput={(text) => {
            setStart(text)
            setFault(undefined)
          }}
        />
        <Field label={T.to} name="end" placeholder={T.now} value={end} onInput={setEnd} />
        <p class="soft">{T.help}</p>
        {zones !== undefined && (
          <label class="field">
            <span class="soft">{T.zone}</span>
            <select
              class="input"
              value={zone}
              onChange={(event) => setZone(event.currentTarget.value)}
            >
              <option value="">
                {T.systemZone(zones.chosen === undefined ? zones.ofSystem : undefined)}
              </option>
              {zoneNames().map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <Button look="main" onClick={apply}>
          {T.apply}
        </Button>
      </div>
    </div>
  )
}

/** The browser's own first. */
function zoneNames(): readonly string[] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const all = Intl.supportedValuesOf('timeZone')
  return [...new Set([own, 'UTC', ...all])]
}
