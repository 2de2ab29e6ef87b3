import { useEffect, useRef, useState } from 'preact/hooks'
import { FIXED_INTERVALS } from '../../../../schemas/time/time-window.ts'
import { timePrinter } from '../../../shared/format.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { place } from '../../../shared/parts/menu.tsx'
import { changeView } from '../acts.ts'
import { givenOf, type SearchView } from '../run/view.ts'
import { T } from '../texts.ts'
import './time-picker.css'

/** One picker everywhere: fixed intervals, relative and absolute times, zone. */
export function TimePicker({
  view,
  zone,
}: {
  readonly view: SearchView
  readonly zone: string | undefined
}) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLSpanElement>(null)
  return (
    <span ref={box}>
      <Button
        id="time"
        class="time-button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="time-text">{describeRange(view, zone)}</span> ▾
      </Button>
      {isOpen && (
        <Panel
          view={view}
          systemZone={view.zone === undefined ? zone : undefined}
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

type PanelProps = {
  readonly view: SearchView
  /** If it is known. */
  readonly systemZone: string | undefined
  readonly at: HTMLElement | null
  readonly onClose: () => void
}

function Panel({ view, systemZone, at, onClose }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  const { range } = view
  const given = givenOf(range)
  const [start, setStart] = useState(given.start ?? '')
  const [end, setEnd] = useState(given.end ?? '')
  const [zone, setZone] = useState(view.zone ?? '')
  useEffect(() => {
    const shown = panel.current
    if (shown === null) return
    shown.showPopover()
    place(shown, at)
    const chosen = shown.querySelector<HTMLElement>('[aria-pressed="true"]')
    const first = chosen ?? shown.querySelector<HTMLElement>('button')
    first?.focus()
  }, [at])
  const choose = (change: Partial<SearchView>) => {
    onClose()
    changeView({ zone: zone === '' ? undefined : zone, ...change })
  }
  return (
    <div
      ref={panel}
      class="time-panel"
      role="dialog"
      aria-label={T.timeLabel}
      popover="auto"
      onToggle={(event) => {
        if (event.newState === 'closed') onClose()
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="time-fixed">
        {FIXED_INTERVALS.map((interval) => (
          <Button
            key={interval}
            look="plain"
            isOn={range.kind === 'interval' && range.interval === interval}
            onClick={() => choose({ range: { kind: 'interval', interval } })}
          >
            {T.intervals[interval]}
          </Button>
        ))}
      </div>
      <form
        class="time-free"
        onSubmit={(event) => {
          event.preventDefault()
          choose(readTimes(start.trim(), end.trim()))
        }}
      >
        <Field
          label={T.times.from}
          name="start"
          placeholder="-2h"
          value={start}
          onInput={setStart}
        />
        <Field label={T.times.to} name="end" placeholder="now" value={end} onInput={setEnd} />
        <p class="soft">{T.times.help}</p>
        <label class="field">
          <span class="soft">{T.times.zone}</span>
          <select
            class="input"
            value={zone}
            onChange={(event) => setZone(event.currentTarget.value)}
          >
            <option value="">{T.times.systemZone(systemZone)}</option>
            {zoneNames().map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Button look="main" type="submit">
          {T.times.apply}
        </Button>
      </form>
    </div>
  )
}

/** Nothing: the zone alone is chosen. */
function readTimes(start: string, end: string): Partial<SearchView> {
  if (start !== '') return { range: { kind: 'times', start, end: end || undefined } }
  return end === '' ? {} : { range: { kind: 'unclear', given: { end } } }
}

/** The browser's own first. */
function zoneNames(): readonly string[] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const all = Intl.supportedValuesOf('timeZone')
  return [...new Set([own, 'UTC', ...all])]
}

function describeRange({ range, zone: asked }: SearchView, zone: string | undefined): string {
  const suffix = asked === undefined ? '' : ` · ${asked}`
  if (range.kind === 'interval') {
    const known = FIXED_INTERVALS.find((name) => name === range.interval)
    return `${known === undefined ? range.interval : T.intervals[known]}${suffix}`
  }
  const print = (text: string) =>
    /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? timePrinter(zone).full(text).slice(0, 19) : text
  if (range.kind === 'unclear') return `${T.times.unclear}${suffix}`
  const { start, end } = range
  return `${print(start)} – ${end === undefined ? 'now' : print(end)}${suffix}`
}
