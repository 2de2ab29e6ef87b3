// Lines that say the same and follow one another are one line with their number. Pure.
import type { EventAnswer } from '../../../../schemas/search-json/answers.ts'
import { levelOfEvent } from './level.ts'
import { shownValue } from './shown-value.ts'

export type FoldedEvents = {
  /** The newest. */
  readonly event: EventAnswer
  readonly count: number
  readonly oldest: EventAnswer
}

/** `unfolded`: keys of lines that stay apart. */
export function foldEqual(
  events: readonly EventAnswer[],
  columns: readonly string[],
  unfolded: ReadonlySet<string>,
): readonly FoldedEvents[] {
  const folded: { event: EventAnswer; count: number; oldest: EventAnswer }[] = []
  const isApart = (event: EventAnswer) => unfolded.size > 0 && unfolded.has(keyOf(event, columns))
  for (const event of events) {
    const last = folded.at(-1)
    if (last !== undefined && isSaidAgain(last.oldest, event, columns) && !isApart(event)) {
      last.count += 1
      last.oldest = event
    } else folded.push({ event, count: 1, oldest: event })
  }
  return folded
}

/** What a line shows, but for its time. */
export function keyOf(event: EventAnswer, columns: readonly string[]): string {
  const { folder, log, host, message } = event
  const shown = columns.map((column) => shownValue(event, column))
  return JSON.stringify([folder, log, host, levelOfEvent(event) ?? '', message, ...shown])
}

/** As if their keys were compared. Of a hundred thousand events most differ in their message. */
function isSaidAgain(one: EventAnswer, next: EventAnswer, columns: readonly string[]): boolean {
  return (
    one.message === next.message &&
    one.log === next.log &&
    one.host === next.host &&
    one.folder === next.folder &&
    levelOfEvent(one) === levelOfEvent(next) &&
    columns.every((column) => shownValue(one, column) === shownValue(next, column))
  )
}
