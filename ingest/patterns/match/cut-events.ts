// Lines -> events. A line that a pattern of the template fits begins an event. Lines that fit none
// belong to the event before them, if its pattern ends in {string}; otherwise each is an event.
import type { PatternMatcher } from './pattern-matcher.ts'
import { lineEnd, newlineIn, type TemplateMatcher } from './template-matcher.ts'

/** Decision 0025. */
const MAX_EVENT_BYTES = 1024 * 1024

/** Gets each line while the matcher holds its result. False: no line more, nor this one. */
type SeeLine = (
  matcher: PatternMatcher | undefined,
  start: number,
  end: number,
  isBegin: boolean,
) => boolean

/** Start and end of each event, without its last line end; lines without a byte between events are
 *  none. */
export function cutEvents(
  bytes: Uint8Array,
  start: number,
  end: number,
  template: TemplateMatcher,
  see: SeeLine = () => true,
): number[] {
  const ranges: number[] = []
  let takesLines = false
  for (let at = start; at < end; ) {
    const newline = newlineIn(bytes, at, end)
    const next = newline < 0 ? end : newline + 1
    const last = newline < 0 ? end : lineEnd(bytes, at, newline)
    if (last > at) {
      const matcher = template.match(bytes, at, last)
      const begun = ranges[ranges.length - 2] ?? 0
      const isMore = matcher === undefined && takesLines && last - begun <= MAX_EVENT_BYTES
      if (!see(matcher, at, last, !isMore)) break
      if (isMore) {
        ranges[ranges.length - 1] = last
      } else {
        ranges.push(at, last)
        takesLines = matcher?.program.takesLines ?? false
      }
    }
    at = next
  }
  return ranges
}
