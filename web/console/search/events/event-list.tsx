import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { EventAnswer } from '../../../../schemas/search-json/answers.ts'
import { printCount, printZone, timePrinter } from '../../../shared/format.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { searchedWords } from '../../../shared/query/searched-words.ts'
import { density } from '../../../shared/settings.ts'
import { useVirtual } from '../../../shared/use-virtual.ts'
import { filterBy, toggleColumn } from '../acts.ts'
import type { SearchView } from '../run/view.ts'
import { T } from '../texts.ts'
import { type DetailTab, EventDetail } from './event-detail.tsx'
import { EventRow } from './event-row.tsx'
import { foldEqual, keyOf } from './fold-equal.ts'
import { LEVEL_NAME } from './level.ts'
import './event-list.css'

export type EventListProps = {
  readonly view: SearchView
  readonly events: readonly EventAnswer[]
  readonly zone: string | undefined
  readonly foot: ComponentChildren
  /** The end of the list is near. */
  readonly onEnd: () => void
  /** Somebody reads: nothing may move. */
  readonly onRead: (isReading: boolean) => void
}

type Open = { readonly id: string; readonly tab: DetailTab }

const NEAR_PX = 1500
/** Time, level, log, host and message. */
const FIXED_COLUMNS = 5
const NONE: ReadonlySet<string> = new Set()

export function EventList({ view, events: found, zone, foot, onEnd, onRead }: EventListProps) {
  const box = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState(-1)
  const [open, setOpen] = useState<Open>()
  const rowPx = useRowPx()
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(NONE)
  const { columns, isFolded } = view
  const folded = useMemo(
    () =>
      isFolded
        ? foldEqual(found, columns, unfolded)
        : found.map((event) => ({ event, count: 1, oldest: event })),
    [found, columns.join('\n'), isFolded, unfolded],
  )
  const events = useMemo(() => folded.map(({ event }) => event), [folded])
  const keys = useMemo(() => events.map(({ id }) => id), [events])
  const virtual = useVirtual(box, keys, rowPx)
  const words = useMemo(() => searchedWords(view.query), [view.query])
  const printer = timePrinter(zone)
  const isOneDay = useMemo(
    () => events.length === 0 || isSameDay(events, printer.minute),
    [events, printer],
  )
  const printTime = isOneDay ? printer.time : printer.dayTime

  useEffect(() => {
    setChosen(-1)
    setOpen(undefined)
    setUnfolded(NONE)
    if (box.current !== null) box.current.scrollTop = 0
  }, [view.query])
  useEffect(() => onRead(open !== undefined), [open, onRead])

  const toggle = (event: EventAnswer | undefined, tab: DetailTab = 'columns') => {
    if (event === undefined) return
    setChosen(events.indexOf(event))
    setOpen(open?.id === event.id && open.tab === tab ? undefined : { id: event.id, tab })
  }
  const latest = useRef(toggle)
  latest.current = toggle
  const onToggle = useCallback((event: EventAnswer) => latest.current(event), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isInside = event.target !== box.current
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: 25, PageUp: -25 }[event.key]
    if (step !== undefined) {
      const next = Math.max(0, Math.min(events.length - 1, chosen + step))
      setChosen(next)
      virtual.scrollTo(next)
      box.current?.focus()
    } else if (event.key === 'Enter' && !isInside) toggle(events[chosen])
    else if (event.key === 'c') toggle(events[chosen], 'context')
    else if (event.key === 'Escape' && open !== undefined) setOpen(undefined)
    else if (event.key === 'x') exclude(events[chosen])
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div
      ref={box}
      class={`events${view.isWrapped ? ' events-wrapped' : ''}${isOneDay ? '' : ' events-days'}`}
      id="events"
      tabIndex={0}
      role="table"
      aria-label={T.list}
      aria-rowcount={events.length}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        // By a key, not by the mouse, which chooses the one below it.
        const isOwn = target === box.current && box.current?.matches(':focus-visible')
        if (isOwn && chosen === -1 && events.length > 0) setChosen(0)
      }}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        virtual.onScroll()
        onRead(open !== undefined || scrollTop > 0)
        if (scrollTop + clientHeight > scrollHeight - NEAR_PX) onEnd()
      }}
    >
      <Head columns={view.columns} zone={zone} at={events[0]?.timestamp} />
      <div role="rowgroup" class="events-all" style={{ height: `${virtual.height}px` }}>
        {virtual.rows.map(({ index, top }) => {
          const group = folded[index]
          if (group === undefined) return null
          const { event, count, oldest } = group
          const isOpen = open?.id === event.id
          return (
            <div
              key={event.id}
              role="presentation"
              class="events-place"
              style={{ transform: `translateY(${top}px)` }}
              data-key={event.id}
              ref={virtual.measure}
            >
              <EventRow
                event={event}
                count={count}
                columns={view.columns}
                words={words}
                printTime={printTime}
                isOpen={isOpen}
                isChosen={index === chosen}
                onToggle={onToggle}
              />
              {isOpen && (
                // What lies inside of a table is a row of it: else nobody reads it aloud.
                <div role="row">
                  <div role="cell" aria-colspan={columns.length + FIXED_COLUMNS}>
                    {count > 1 && (
                      <p class="event-folded">
                        {T.fold.told(printCount(count), printer.full(oldest.timestamp))}
                        <Button
                          onClick={() => setUnfolded(new Set([...unfolded, keyOf(event, columns)]))}
                        >
                          {T.fold.unfold}
                        </Button>
                      </p>
                    )}
                    <EventDetail
                      key={open.tab}
                      event={event}
                      words={words}
                      printTime={printer.full}
                      first={open.tab}
                    />
                  </div>
                </div>
              )}
            </div>
          )
        })}
      </div>
      <p class="events-foot">{foot}</p>
    </div>
  )
}

type HeadProps = {
  readonly columns: readonly string[]
  readonly zone: string | undefined
  /** What the zone is called depends on the season. */
  readonly at: string | undefined
}

function Head({ columns, zone, at }: HeadProps) {
  const name = useMemo(() => zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone, [zone])
  const short = useMemo(() => (at === undefined ? '' : printZone(zone, at)), [zone, at])
  return (
    <div role="rowgroup" class="events-head">
      <div role="row" class="event">
        <span role="columnheader" class="event-time" title={T.times.zoned(name)}>
          {T.time} {short}
        </span>
        <span role="columnheader" class="event-level">
          <span class="aside">level</span>
        </span>
        <span role="columnheader" class="event-cell">
          {T.log}
        </span>
        <span role="columnheader" class="event-cell">
          {T.host}
        </span>
        {columns.map((column) => (
          <span key={column} role="columnheader" class="event-cell">
            {column}
            <button
              type="button"
              class="events-drop"
              aria-label={`${T.menu.hide}: ${column}`}
              onClick={() => toggleColumn(column)}
            >
              ×
            </button>
          </span>
        ))}
        <span role="columnheader" class="event-message">
          {T.message}
        </span>
      </div>
    </div>
  )
}

/** The key x: what is most telling of an event, its level or else its log. */
function exclude(event: EventAnswer | undefined): void {
  if (event === undefined) return
  const level = Object.entries(event.columns).find(([name]) => LEVEL_NAME.test(name))
  const [column, value] = level ?? ['log', event.log]
  filterBy(column, value, { isNot: true })
}

function isSameDay(events: readonly EventAnswer[], print: (iso: string) => string): boolean {
  const [first, last] = [events[0], events.at(-1)].map((it) => print(it?.timestamp ?? ''))
  return first?.slice(0, 5) === last?.slice(0, 5)
}

/** As the density says. */
function useRowPx(): number {
  // Read anew when it changes.
  void density.value
  const style = getComputedStyle(document.documentElement)
  return Number.parseInt(style.getPropertyValue('--row'), 10) || 20
}
