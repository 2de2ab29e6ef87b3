// The patterns of a template: the first that fits an event is taken.
import { type TimeZone, timeZone } from '../../../schemas/time/time-zone.ts'
import { compilePattern } from './compile-pattern.ts'
import { PatternMatcher } from './pattern-matcher.ts'

const NEWLINE = 10
const CARRIAGE_RETURN = 13

export class TemplateMatcher {
  readonly matchers: readonly PatternMatcher[]
  /** For events to come; at 0 none fits any more. Ingest needs no bound, a caller that gives the
   *  patterns and the lines does. */
  stepsLeft = Number.POSITIVE_INFINITY
  readonly #takesLines: boolean

  /** Throws PatternFault. */
  constructor(patterns: readonly string[]) {
    this.matchers = patterns.map((pattern) => new PatternMatcher(compilePattern(pattern)))
    this.#takesLines = this.matchers.some(({ program }) => program.takesLines)
  }

  /** The matcher that holds the result, until the next call; undefined: no pattern fits. `end` is
   *  before the last line end. Of an event of several lines the first one decides where a pattern
   *  ends in {string}: that column takes the others. */
  match(bytes: Uint8Array, start: number, end: number): PatternMatcher | undefined {
    const { matchers } = this
    const newline = this.#takesLines ? newlineIn(bytes, start, end) : -1
    const headEnd = newline < 0 ? end : lineEnd(bytes, start, newline)
    for (let i = 0; i < matchers.length; i++) {
      const matcher = matchers[i]
      if (matcher === undefined) continue
      if (headEnd < end && matcher.program.takesLines) {
        if (!this.#fits(matcher, bytes, start, headEnd)) continue
        matcher.ends[matcher.ends.length - 1] = end
        return matcher
      }
      if (this.#fits(matcher, bytes, start, end)) return matcher
    }
    return undefined
  }

  #fits(matcher: PatternMatcher, bytes: Uint8Array, start: number, end: number): boolean {
    matcher.mostSteps = this.stepsLeft
    const fits = matcher.match(bytes, start, end)
    this.stepsLeft = Math.max(0, this.stepsLeft - matcher.steps)
    return fits
  }

  /** As `match`, with the values of numbers and times. `zone`: of times that name none. */
  read(
    bytes: Uint8Array,
    start: number,
    end: number,
    receivedMs: number,
    zone: TimeZone = timeZone('UTC'),
  ): PatternMatcher | undefined {
    const matcher = this.match(bytes, start, end)
    matcher?.values.read(bytes, matcher.starts, matcher.ends, receivedMs, zone)
    return matcher
  }
}

/** -1: there is none. Not `indexOf`, which would look through the whole rest of the body. */
export function newlineIn(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) if (bytes[at] === NEWLINE) return at
  return -1
}

/** Before the line end that stands at `newline`: LF or CR LF. */
export function lineEnd(bytes: Uint8Array, start: number, newline: number): number {
  return newline > start && bytes[newline - 1] === CARRIAGE_RETURN ? newline - 1 : newline
}
