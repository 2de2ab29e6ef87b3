// Values that no column can be tested with, whatever it holds (search-language#numbers).
import { parseRelativeTime } from '../../../../schemas/time/relative-time.ts'
import { parseBlock } from '../../ip-address.ts'
import { patternText } from '../../parse/input.ts'
import { raiseQuery } from '../../parse/raise-query.ts'
import type { Check, CompareOperator, Value } from '../../tree.ts'

/** Of a test that is asked without the store. Throws Failure `search.query`. */
export function refuseValues(check: Check): void {
  refuseTimes(check)
  if (check.kind === 'compare')
    refuseUnit(check.operator, check.value, patternText(check.value.pattern))
  if (check.kind === 'between')
    for (const value of [check.low, check.high]) refuseUnit('>=', value, patternText(value.pattern))
  if (check.kind === 'within' && parseBlock(patternText(check.value.pattern)) === undefined)
    raiseQuery('an address or a CIDR block is expected', check.value.start)
}

/** `bytes > now - 2h`: never compared as text. */
export function refuseTimes(check: Check): void {
  for (const value of valuesOf(check)) {
    const text = patternText(value.pattern)
    if (value.isQuoted || !/^now[-+@]/i.test(text)) continue
    if (parseRelativeTime(text).kind === 'relative')
      raiseQuery(
        `${text} is a time, and this column holds none; quote it to compare text`,
        value.start,
      )
  }
}

function valuesOf(check: Check): readonly Value[] {
  switch (check.kind) {
    case 'compare':
      return [check.value]
    case 'list':
      return check.values
    case 'between':
      return [check.low, check.high]
    case 'text':
    case 'matches':
    case 'within':
    case 'exists':
    case 'column':
    case 'subQuery':
      return []
  }
}

/** Units of the formats, and as `interval` writes them. */
const UNIT =
  /^-?\d+(?:\.\d+)?(?:microsec|ms|sec|min|hour|day|second|minute|week|s|m|h|d|w|b|kb|mb|gb)s?$/i

/** Units belong to columns that have one, which is not known yet: refused, so that `> 2sec` is
 *  never compared as text. */
export function refuseUnit(operator: CompareOperator, value: Value, text: string): void {
  if (operator === '=' || value.isQuoted || !UNIT.test(text)) return
  raiseQuery(
    'numbers have no units here: write the number alone, in the unit that the column counts in',
    value.start,
  )
}
