// Lines -> events. A line that a pattern of the template fits begins an event. Lines that fit none
// belong to the event before them, if its pattern ends in {string}; otherwise each is an event.
import { lineEnd, type TemplateMatcher } from './template-matcher.ts'

const NEWLINE = 10
/** Decision 0025. */
const MAX_EVENT_BYTES = 1024 * 1024

/** Start and end of each event, without its last line end; lines without a byte between events are
 *  none. */
export function cutEvents(
  bytes: Uint8Array,
  start: number,
  end: number,
  template: TemplateMatcher,
): number[] {
  const ranges: number[] = []
  let takesLines = false
  for (let at = start; at < end; ) {
    const newline = bytes.indexOf(NEWLINE, at)
    const next = newline < 0 || newline >= end ? end : newline + 1
    const last = next === end && bytes[end - 1] !== NEWLINE ? end : lineEnd(bytes, at, next - 1)
    if (last > at) {
      const matcher = template.match(bytes, at, last)
      const begun = ranges[ranges.length - 2] ?? 0
      if (matcher === undefined && takesLines && last - begun <= MAX_EVENT_BYTES) {
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
