// The columns that a template gives an event whose message is a line of text (decisions 2.10, 3.7,
// 3.9). They lie in the message already: places are noted, no text is made. Not for events of JSON,
// whose own columns stand in their layout.

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
import { ORIGINAL_TIME_COLUMN } from '../shape.ts'
import type { ColumnKind, SplitEvent } from '../split-event.ts'

const DAY_MS = 86_400_000
const SEPARATOR = REST_SEPARATOR.charCodeAt(0)

export class TemplateColumns {
  readonly #template: TemplateMatcher
  readonly #zone: TimeZone
  /** By pattern: the names that stand in `rest`, in order. */
  readonly #names: ReadonlyMap<PatternMatcher, string>

  /** `zone`: of times that name none. */
  constructor(template: TemplateMatcher, zone: TimeZone) {
    this.#template = template
    this.#zone = zone
    this.#names = new Map(
      template.matchers.map((matcher) => {
        const { columns } = matcher.program
        const shown = columns.filter((_, i) => isShown(matcher, i)).map(({ name }) => name)
        return [matcher, printNames(shown)]
      }),
    )
  }

  /** Adds to an event without columns. False: no pattern fits, and nothing is changed. */
  add(out: SplitEvent, receivedMs: number): boolean {
    const { messageAt, messageLength } = out
    const bytes = messageAt < 0 ? out.made.bytes : out.body.bytes
    const start = messageAt < 0 ? ~messageAt : messageAt
    const matcher = this.#template.read(bytes, start, start + messageLength, receivedMs, this.#zone)
    if (matcher === undefined) return false
    const { program, values } = matcher
    out.names = this.#names.get(matcher) ?? ''
    for (let i = 0; i < program.columns.length; i++) {
      const kind = values.kinds[i] ?? NO_VALUE
      if (i === program.timeColumn && kind === TIME_VALUE) this.#takeTime(out, matcher, receivedMs)
      if (isShown(matcher, i)) this.#addColumn(out, matcher, i, kind)
    }
    for (let i = 0; i < program.columns.length; i++) this.#addInner(out, matcher, i)
    return true
  }

  #addColumn(out: SplitEvent, matcher: PatternMatcher, i: number, kind: number): void {
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

  /** Of `{pairs}` and `{json}`: their names stand in the line. */
  #addInner(out: SplitEvent, { program, starts, ends, values }: PatternMatcher, i: number): void {
    const column = program.columns[i]
    if (column === undefined || (values.kinds[i] ?? NO_VALUE) === NO_VALUE) return
    if (column.type !== 'pairs' && column.type !== 'json') return
    const { bytes } = out.messageAt < 0 ? out.made : out.body
    const text = bytes.toString('utf8', starts[i], ends[i])
    for (const inner of innerColumns(column, text)) {
      if (program.columns.some(({ name }) => name === inner.name)) continue
      const number = Number(inner.text)
      const isExact = inner.kind === 'number' && String(number) !== inner.text
      const kind = inner.kind === 'text' ? 'text' : isExact ? 'exactNumber' : 'number'
      const at = ~out.made.length
      out.columnNumbers[out.columnCount] = number
      addPlace(out, inner.name, kind, at, out.made.writeText(inner.text), true)
    }
  }
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

function addPlace(
  out: SplitEvent,
  name: string,
  kind: ColumnKind,
  at: number,
  length: number,
  isOther: boolean,
): void {
  const i = out.columnCount++
  out.areOthers[i] = isOther
  out.columnNames[i] = name
  out.columnKinds[i] = kind
  out.columns.ats[i] = at
  out.columns.lengths[i] = length
}
