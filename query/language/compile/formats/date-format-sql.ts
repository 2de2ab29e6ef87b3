// The format date (search-language#formats): Java's date letters, and a time zone if it is not the
// system's.
import { readDatePattern } from '../../../../schemas/time/date-format.ts'
import { isTimeZone } from '../../../../schemas/time/time-zone.ts'
import { describeUnknown } from '../../nearest-word.ts'
import { raiseQuery } from '../../parse/raise-query.ts'
import type { Format } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'
import { type DateOperand, dateText } from './date-text.ts'

/** Each letter is worked out on its own. */
const MAX_PATTERN_CHARACTERS = 256

export function formatDate(operand: DateOperand, format: Format, context: CompileContext): string {
  const [pattern = context.dateFormat, zone] = format.arguments
  const [patternStart = format.start, zoneStart = format.start] = format.argumentStarts
  checkPattern(pattern, patternStart)
  const name = zone === undefined ? context.timeZone : zoneName(zone, zoneStart)
  return dateText(operand, { pattern, zone: name }, context)
}

function checkPattern(pattern: string, start: number): void {
  if (pattern.length > MAX_PATTERN_CHARACTERS)
    raiseQuery(`a date pattern has at most ${MAX_PATTERN_CHARACTERS} characters`, start)
  try {
    readDatePattern(pattern)
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : 'the date pattern cannot be read'
    raiseQuery(
      `${reason}; letters are y M d E a H h k K m s S X Z, other text stands in '...'`,
      start,
    )
  }
}

/** As the store knows it: spelled to the letter. */
function zoneName(zone: string, start: number): string {
  const isName = /^[A-Za-z]/.test(zone) && isTimeZone(zone)
  if (isName) return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone
  return raiseQuery(describeUnknown('time zone', zone, Intl.supportedValuesOf('timeZone')), start)
}
