// Times of a query that lie before the window of its call: a query narrows the window, never widens
// it, and its author may think otherwise (search-language#relative-times).
import { readCallTime } from '../../../schemas/time/call-time.ts'
import { compileDateFormat } from '../../../schemas/time/date-format.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'
import type { Warning } from '../../../schemas/warning.ts'
import { builtInColumn } from '../built-in-columns.ts'
import { patternText } from '../parse/input.ts'
import type { SearchInput } from '../search-input.ts'
import type { Check, Filter, Query, Value } from '../tree.ts'
import { Findings } from './findings.ts'

export function checkTimes(
  { source }: Query,
  input: Pick<SearchInput, 'window' | 'nowMs' | 'dateFormat' | 'timeZone'>,
): readonly Warning[] {
  const { startMs } = input.window
  const findings = new Findings()
  if (startMs === null || source.kind === 'transaction') return []
  const { nowMs } = input
  const zone = timeZone(input.timeZone)
  const dateFormat = compileDateFormat(input.dateFormat)
  for (const value of beginnings(source.filter)) {
    const text = patternText(value.pattern)
    const time = readCallTime(text, { nowMs, zone, dateFormat })
    if (time.kind !== 'time' || time.ms >= startMs) continue
    const began = new Date(startMs).toISOString()
    const message = `the window of the call begins later, at ${began}: what is older is not searched; give the call startTime=${text} or a longer interval`
    findings.warn('query.outside_window', message, value.start)
  }
  return findings.list().map(({ warning }) => warning)
}

/** Values that the time of an event must not lie before. */
function beginnings(filter: Filter): readonly Value[] {
  switch (filter.kind) {
    case 'scoped':
      return beginnings(filter.operand)
    case 'and':
    case 'or':
      return filter.operands.flatMap(beginnings)
    case 'test': {
      const { name, origin } = filter.column
      const isTime = origin !== 'parsed' && builtInColumn(name) === 'timestamp'
      return isTime ? lowOf(filter.check) : []
    }
    case 'everything':
    case 'word':
    case 'phrase':
    case 'not':
      return []
  }
}

function lowOf(check: Check): readonly Value[] {
  if (check.kind === 'between') return [check.low]
  const isLow = check.kind === 'compare' && (check.operator === '>' || check.operator === '>=')
  return isLow ? [check.value] : []
}
