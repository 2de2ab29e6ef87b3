// The columns that a template gives an event by its message (decisions 2.10, 3.7, 3.9). They lie
// in the message already: places are noted, no text is made.

import { printNames, REST_SEPARATOR } from '../../../schemas/shown-columns.ts'
import type { TimeZone } from '../../../schemas/time/time-zone.ts'
import type { PatternMatcher } from '../../patterns/match/pattern-matcher.ts'
import type { TemplateMatcher } from '../../patterns/match/template-matcher.ts'
import { innerColumns } from '../../patterns/values/inner-columns.ts'
import {
  EXACT_NUMBER_VALUE,
  NO_VALUE,
  NUMBER_VALUE,
  TIME_VALUE,
} from '../../patterns/values/match-values.ts'
import { ORIGINAL_TIME_COLUMN } from '../shapes/shape.ts'
import { isStorableName } from '../shapes/shape-plan.ts'
import { addPlace, type ColumnKind, type SplitEvent } from '../split-event.ts'
import type { Locate } from './locator.ts'

const DAY_MS = 86_400_000
const SEPARATOR = REST_SEPARATOR.charCodeAt(0)
const FEW_NAMES = 64
/** They make columns that the pattern does not name. */
const OPEN_TYPES: ReadonlySet<string> = new Set(['pairs', 'json', 'geoip'])

type PatternFacts = {
  readonly number: number
  /** Those that stand in `rest`, in order. */
  readonly names: string
  readonly isOpen: boolean
}

export class TemplateColumns {
  readonly #template: TemplateMatcher
  readonly #zone: TimeZone
  readonly #locate: Locate | undefined
  readonly #facts: ReadonlyMap<PatternMatcher, PatternFacts>

  /** `zone`: of times that name none. `locate`: for `{geoip}`; without it there are no places. */
  constructor(template: TemplateMatcher, zone: TimeZone, locate?: Locate) {
    this.#template = template
    this.#zone = zone
    this.#locate = locate
    this.#facts = new Map(
      template.matchers.map((matcher, i) => {
        const { columns } = matcher.program
        const shown = columns.filter((_, at) => isShown(matcher, at)).map(({ name }) => name)
        const isOpen = columns.some(({ type }) => OPEN_TYPES.has(type))
        return [matcher, { number: i + 1, names: printNames(shown), isOpen }]
      }),
    )
  }

  /** Adds to an event that was split. `has`: whether the event is a line, or an object, and whether
   *  that had a time of its own, which counts before the template's. Gives the number of the
   *  pattern that fits, from 1; 0: none, and nothing is changed. */
  add(out: SplitEvent, receivedMs: number, has: 'line' | 'no time' | 'time' = 'line'): number {
    const { messageAt, messageLength, columnCount: before } = out
    const bytes = messageAt < 0 ? out.made.bytes : out.body.bytes
    const start = messageAt < 0 ? ~messageAt : messageAt
    const matcher = this.#template.read(bytes, start, start + messageLength, receivedMs, this.#zone)
    if (matcher === undefined) return 0
    const { program, values } = matcher
    const facts = this.#facts.get(matcher)
    // The values of an object stand in `rest` already.
    if (has === 'line') out.names = facts?.names ?? ''
    for (let i = 0; i < program.columns.length; i++) {
      const kind = values.kinds[i] ?? NO_VALUE
      const isTime = i === program.timeColumn
      if (isTime && kind === TIME_VALUE && has !== 'time') this.#takeTime(out, matcher, receivedMs)
      else if (isShown(matcher, i) || isTime) {
        if (has === 'line' && !isTime) this.#addToRest(out, matcher, i, kind)
        else this.#addOther(out, matcher, i, kind)
      }
    }
    if (facts?.isOpen === true) {
      for (let i = 0; i < program.columns.length; i++) {
        this.#addInner(out, matcher, i)
        if (this.#locate !== undefined) this.#addPlace(out, matcher, i, this.#locate)
      }
    }
    if (before > 0) removeReplaced(out, before)
    return facts?.number ?? 0
  }

  #addToRest(out: SplitEvent, matcher: PatternMatcher, i: number, kind: number): void {
    const { starts, ends, values, program } = matcher
    out.rest.writeByte(SEPARATOR)
    if (kind === NO_VALUE) return
    const source = out.messageAt < 0 ? out.made : out.body
    const start = starts[i] ?? 0
    const length = (ends[i] ?? 0) - start
    if (length === 0) return
    const isOther = hasSeparator(source.bytes, start, start + length)
    if (!isOther) out.rest.writeRange(source, start, length)
    out.columnNumbers[out.columnCount] = values.numbers[i] ?? 0
    const place = out.messageAt < 0 ? ~start : start
    addPlace(out, program.columns[i]?.name ?? '', kindOf(kind), place, length, isOther)
  }

  #addOther(out: SplitEvent, matcher: PatternMatcher, i: number, kind: number): void {
    const { starts, ends, values, program } = matcher
    const name = program.columns[i]?.name ?? ''
    const start = starts[i] ?? 0
    const length = (ends[i] ?? 0) - start
    if (kind === NO_VALUE || length === 0 || name === '') return
    out.columnNumbers[out.columnCount] = values.numbers[i] ?? 0
    addPlace(out, name, kindOf(kind), out.messageAt < 0 ? ~start : start, length, true)
  }

  /** Decision 3.7: a time more than a day ahead is kept in a column. */
  #takeTime(
    out: SplitEvent,
    { program, starts, ends, values }: PatternMatcher,
    receivedMs: number,
  ) {
    const i = program.timeColumn
    const ms = values.numbers[i] ?? 0
    if (ms <= receivedMs + DAY_MS) {
      out.timestampMs = ms
      out.timestampNanos = values.nanos[i] ?? 0
      return
    }
    const start = starts[i] ?? 0
    const place = out.messageAt < 0 ? ~start : start
    addPlace(out, ORIGINAL_TIME_COLUMN, 'text', place, (ends[i] ?? 0) - start, true)
  }

  /** Of `{geoip}`: what is known of where the address is. */
  #addPlace(out: SplitEvent, matcher: PatternMatcher, i: number, locate: Locate): void {
    const column = matcher.program.columns[i]
    const start = matcher.starts[i] ?? -1
    if (column?.type !== 'geoip' || column.name === '' || start < 0) return
    const { bytes } = out.messageAt < 0 ? out.made : out.body
    const located = locate(bytes.toString('latin1', start, matcher.ends[i]))
    if (located === undefined) return
    const { country, city, latitude, longitude } = located
    addMade(out, `${column.name} country`, country)
    addMade(out, `${column.name} city`, city)
    addMade(out, `${column.name} latitude`, latitude)
    addMade(out, `${column.name} longitude`, longitude)
  }

  /** Of `{pairs}` and `{json}`: their names stand in the line. */
  #addInner(out: SplitEvent, { program, starts, ends, values }: PatternMatcher, i: number): void {
    const column = program.columns[i]
    if (column === undefined || (values.kinds[i] ?? NO_VALUE) === NO_VALUE) return
    if (column.type !== 'pairs' && column.type !== 'json') return
    const { bytes } = out.messageAt < 0 ? out.made : out.body
    const text = bytes.toString('utf8', starts[i], ends[i])
    for (const inner of innerColumns(column, text)) {
      if (program.columns.some(({ name }) => name === inner.name)) continue
      if (!isStorableName(inner.name)) continue
      const number = Number(inner.text)
      const isExact = inner.kind === 'number' && String(number) !== inner.text
      const kind = inner.kind === 'text' ? 'text' : isExact ? 'exactNumber' : 'number'
      const at = ~out.made.length
      out.columnNumbers[out.columnCount] = number
      addPlace(out, inner.name, kind, at, out.made.writeText(inner.text), true)
    }
  }
}

/** The template's columns win (decision 3.9): of the first `before` columns those go whose name has
 *  another one after them. Without all of its own values, and with a name that continues another's,
 *  the bytes of an object cannot be made again: they are stored. */
function removeReplaced(out: SplitEvent, before: number): void {
  const { columnCount } = out
  const own: Names = setOf(out, 0, before)
  const added: Names = setOf(out, before, columnCount)
  for (let i = before; i < columnCount && !out.isStoredRaw; i++)
    if (continuesOne(out, i, 0, before, own)) out.isStoredRaw = true
  let kept = 0
  // While i < before, kept is, too: the names that were added stand where they stood.
  for (let i = 0; i < columnCount; i++) {
    if (i < before) {
      const isReplaced = isAmong(out, i, before, columnCount, added)
      if (isReplaced || continuesOne(out, i, before, columnCount, added)) out.isStoredRaw = true
      if (isReplaced) continue
    }
    if (kept !== i) moveColumn(out, i, kept)
    kept++
  }
  out.columnCount = kept
}

/** Few names are compared one by one: a set of them would be garbage for each event. */
type Names = ReadonlySet<string> | undefined

function setOf(out: SplitEvent, from: number, to: number): Names {
  return to - from > FEW_NAMES ? new Set(out.columnNames.slice(from, to)) : undefined
}

/** Whether the name of column `i` is one of those from `from` to `to`. */
function isAmong(out: SplitEvent, i: number, from: number, to: number, names: Names): boolean {
  const { columnNames } = out
  const name = columnNames[i] ?? ''
  if (names !== undefined) return names.has(name)
  for (let at = from; at < to; at++) if (columnNames[at] === name) return true
  return false
}

/** `a.b` continues `a`. */
function continuesOne(out: SplitEvent, i: number, from: number, to: number, names: Names): boolean {
  const { columnNames } = out
  const name = columnNames[i] ?? ''
  for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
    if (names?.has(name.slice(0, dot)) === true) return true
    if (names !== undefined) continue
    for (let at = from; at < to; at++) {
      const other = columnNames[at] ?? ''
      if (other.length === dot && name.startsWith(other)) return true
    }
  }
  return false
}

function moveColumn(out: SplitEvent, from: number, to: number): void {
  out.columnNames[to] = out.columnNames[from] ?? ''
  out.columnKinds[to] = out.columnKinds[from] ?? 'text'
  out.areOthers[to] = out.areOthers[from] ?? false
  out.columns.ats[to] = out.columns.ats[from] ?? 0
  out.columns.lengths[to] = out.columns.lengths[from] ?? 0
  out.columnNumbers[to] = out.columnNumbers[from] ?? 0
}

/** The time of the event is no second column; columns without a name are none. */
function isShown({ program }: PatternMatcher, i: number): boolean {
  const column = program.columns[i]
  if (column === undefined || column.name === '' || i === program.timeColumn) return false
  return column.type !== 'pairs' && column.type !== 'json'
}

function kindOf(kind: number): ColumnKind {
  if (kind === NUMBER_VALUE) return 'number'
  return kind === EXACT_NUMBER_VALUE ? 'exactNumber' : 'text'
}

function hasSeparator(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === SEPARATOR) return true
  return false
}

/** A value that does not stand in the line. */
function addMade(out: SplitEvent, name: string, value: string | number | undefined): void {
  if (value === undefined || value === '') return
  const at = ~out.made.length
  const kind = typeof value === 'number' ? 'number' : 'text'
  out.columnNumbers[out.columnCount] = Number(value)
  addPlace(out, name, kind, at, out.made.writeText(String(value)), true)
}
