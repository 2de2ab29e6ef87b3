// A span of time, as people read it. Pure.
import { FIXED_INTERVALS } from '../../../schemas/time/time-window.ts'
import { timePrinter } from '../../shared/format.ts'
import { TIME_TEXTS as T } from './texts.ts'

/** As an address has it: an interval, or times; what does not go together is given, too. */
export type TimesGiven = {
  readonly interval?: string | undefined
  readonly start?: string | undefined
  readonly end?: string | undefined
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const UNTIL_SECONDS = 19

/** Last 24 hours; -2h – now. `zone`: of moments; undefined: the browser's. */
export function sayTimes({ interval, start, end }: TimesGiven, zone?: string): string {
  if (interval !== undefined && start === undefined && end === undefined)
    return sayInterval(interval)
  if (interval !== undefined || start === undefined) return T.unclear
  const print = (text: string) =>
    INSTANT.test(text) ? timePrinter(zone).full(text).slice(0, UNTIL_SECONDS) : text
  return `${print(start)} – ${end === undefined ? T.now : print(end)}`
}

/** One that we do not have is shown as it is. */
export function sayInterval(interval: string): string {
  const known = FIXED_INTERVALS.find((name) => name === interval)
  return known === undefined ? interval : T.intervals[known]
}
