// Shows what patterns make of sample lines, for those that write patterns.

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

export type Verified = { readonly fitting: number; readonly events: readonly VerifiedEvent[] }

const FOUND_BYTES = 40

/** Throws PatternFault. `receivedMs` stands for the time of receipt. */
export function verifyPatterns(
  patterns: readonly string[],
  sample: string,
  receivedMs: number,
): Verified {
  const template = new TemplateMatcher(patterns)
  const bytes = Buffer.from(sample)
  const ranges = cutEvents(bytes, 0, bytes.length, template)
  const events: VerifiedEvent[] = []
  let line = 1
  let counted = 0
  for (let i = 0; i < ranges.length; i += 2) {
    const start = ranges[i] ?? 0
    const end = ranges[i + 1] ?? 0
    for (; counted < start; counted++) if (bytes[counted] === 10) line++
    const matcher = template.read(bytes, start, end, receivedMs)
    const pattern = matcher === undefined ? 0 : template.matchers.indexOf(matcher) + 1
    events.push(
      matcher === undefined
        ? { line, pattern, columns: [], stop: stopOf(template, bytes, start, end) }
        : { line, pattern, columns: columnsOf(matcher, bytes) },
    )
  }
  return { fitting: events.filter(({ pattern }) => pattern > 0).length, events }
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
