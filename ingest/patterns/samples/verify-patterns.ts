// Shows what patterns make of sample lines, for those that write patterns.
import { timeZone } from '../../../schemas/time/time-zone.ts'
import { describeElement } from '../language/describe-element.ts'
import { cutEvents } from '../match/cut-events.ts'
import type { PatternMatcher } from '../match/pattern-matcher.ts'
import { TemplateMatcher } from '../match/template-matcher.ts'
import { innerColumns } from '../values/inner-columns.ts'
import { EXACT_NUMBER_VALUE, NUMBER_VALUE, TIME_VALUE } from '../values/match-values.ts'

export type VerifiedColumn = {
  readonly name: string
  /** As it stands in the line. */
  readonly text: string
  readonly kind: 'text' | 'number' | 'time'
  /** Of a time: ISO 8601. */
  readonly time?: string
  /** Its role. */
  readonly ftype?: string
}

export type VerifiedEvent = {
  /** Of its first line, from 1. */
  readonly line: number
  /** Which pattern fits, from 1; 0: none. */
  readonly pattern: number
  readonly columns: readonly VerifiedColumn[]
  /** Where the pattern that came farthest stops, when none fits. */
  readonly stop?: {
    /** Character of the event, from 1. */
    readonly at: number
    readonly pattern: number
    readonly expected: string
    readonly found: string
  }
}

export type Verified = {
  readonly fitting: number
  /** Lines after these that were not looked at: there were too many, or they took too long. */
  readonly linesLeft: number
  readonly events: readonly VerifiedEvent[]
}

/** One call must not hold up the process that takes events, too. */
export const VERIFY_LIMITS = { lines: 1000, steps: 5_000_000 }
const FOUND_BYTES = 40
const NEWLINE = 10

/** An event whose first line was seen. */
type Begun = { readonly end: number; readonly event: VerifiedEvent }

/** Throws PatternFault. `receivedMs` stands for the time of receipt. */
export function verifyPatterns(
  patterns: readonly string[],
  sample: string,
  receivedMs: number,
  limits = VERIFY_LIMITS,
): Verified {
  const template = new TemplateMatcher(patterns)
  const bytes = Buffer.from(sample)
  let line = 0
  let counted = 0
  const lineAt = (at: number): number => {
    for (; counted < at; counted++) if (counted === 0 || bytes[counted - 1] === NEWLINE) line++
    return line + 1
  }
  const begun: Begun[] = []
  let seenTo = endOfLines(bytes, limits.lines)
  template.stepsLeft = limits.steps
  const ranges = cutEvents(bytes, 0, seenTo, template, (matcher, start, end, isBegin) => {
    if (template.stepsLeft === 0) {
      seenTo = start
      return false
    }
    if (isBegin) {
      const event = eventOf(template, matcher, bytes, start, end, receivedMs)
      begun.push({ end, event: { ...event, line: lineAt(start) } })
    }
    return true
  })
  const events: VerifiedEvent[] = []
  template.stepsLeft = limits.steps
  for (const [i, { end: headEnd, event }] of begun.entries()) {
    const start = ranges[2 * i] ?? 0
    const end = ranges[2 * i + 1] ?? 0
    // Of a single line all is known.
    if (end === headEnd) events.push(event)
    else {
      const matcher = template.match(bytes, start, end)
      if (template.stepsLeft === 0) {
        seenTo = start
        break
      }
      const { line } = event
      events.push({ ...eventOf(template, matcher, bytes, start, end, receivedMs), line })
    }
  }
  const fitting = events.filter(({ pattern }) => pattern > 0).length
  return { fitting, linesLeft: countLines(bytes, seenTo), events }
}

function eventOf(
  template: TemplateMatcher,
  matcher: PatternMatcher | undefined,
  bytes: Buffer,
  start: number,
  end: number,
  receivedMs: number,
): Omit<VerifiedEvent, 'line'> {
  if (matcher === undefined)
    return { pattern: 0, columns: [], stop: stopOf(template, bytes, start, end) }
  matcher.values.read(bytes, matcher.starts, matcher.ends, receivedMs, timeZone('UTC'))
  return { pattern: template.matchers.indexOf(matcher) + 1, columns: columnsOf(matcher, bytes) }
}

/** After so many lines. */
function endOfLines(bytes: Buffer, lines: number): number {
  let at = 0
  for (let i = 0; i < lines && at < bytes.length; i++) {
    const newline = bytes.indexOf(NEWLINE, at)
    at = newline < 0 ? bytes.length : newline + 1
  }
  return at
}

function countLines(bytes: Buffer, from: number): number {
  let lines = 0
  for (let at = from; at < bytes.length; lines++) {
    const newline = bytes.indexOf(NEWLINE, at)
    at = newline < 0 ? bytes.length : newline + 1
  }
  return lines
}

function columnsOf(matcher: PatternMatcher, bytes: Buffer): VerifiedColumn[] {
  const { program, starts, ends, values } = matcher
  return program.columns.flatMap((column, i): VerifiedColumn[] => {
    const { name, type, role } = column
    const start = starts[i] ?? -1
    if (start < 0) return []
    const text = bytes.toString('utf8', start, ends[i])
    if (type === 'pairs' || type === 'json') return [...innerColumns(column, text)]
    if (name === '') return []
    const ftype = role === '' ? {} : { ftype: role }
    switch (values.kinds[i]) {
      case NUMBER_VALUE:
      case EXACT_NUMBER_VALUE:
        return [{ name, text, kind: 'number', ...ftype }]
      case TIME_VALUE: {
        const time = new Date(values.numbers[i] ?? 0).toISOString()
        return [{ name, text, kind: 'time', time, ...ftype }]
      }
      default:
        return [{ name, text, kind: 'text', ...ftype }]
    }
  })
}

/** Of the patterns, the one that came farthest. */
function stopOf(
  { matchers }: TemplateMatcher,
  bytes: Buffer,
  start: number,
  end: number,
): VerifiedEvent['stop'] {
  let best = 0
  for (const [i, { farthestAt }] of matchers.entries())
    if (farthestAt > (matchers[best]?.farthestAt ?? 0)) best = i
  const matcher = matchers[best]
  if (matcher === undefined) return undefined
  const { farthest, farthestAt, program } = matcher
  const found = bytes.toString('utf8', farthestAt, Math.min(end, farthestAt + FOUND_BYTES))
  return {
    at: [...bytes.toString('utf8', start, farthestAt)].length + 1,
    pattern: best + 1,
    expected: describeElement(program, farthest),
    found: found === '' ? 'the end of the line' : (found.split('\n', 1)[0] ?? ''),
  }
}
