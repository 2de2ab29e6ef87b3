// Column tests on texts that are known: names, folders and tags of logs while compiling, values of
// an event before it is stored. The same rules as test-sql.ts.
import { compareDecimals } from '../../../../schemas/decimal.ts'
import { foldCase } from '../../../../schemas/store/text-index.ts'
import { parseAddress, parseBlock } from '../../ip-address.ts'
import { patternText } from '../../parse/input.ts'
import { raiseQuery } from '../../parse/raise-query.ts'
import { matchesWhole } from '../../resolve/glob.ts'
import type { Check, CompareOperator, Pattern, Value } from '../../tree.ts'
import { priorityRank } from './priority.ts'

/** The check without its negation, of a text that is not empty. Not for `matches`: the engine's
 *  expressions are others. `isNumber`: it came as a number, which is compared with numbers only. */
export function passesCheck(text: string, check: Check, isNumber = false): boolean {
  switch (check.kind) {
    case 'exists':
      return true
    case 'compare':
      return compare(text, check.operator === '!=' ? '=' : check.operator, check.value, isNumber)
    case 'list':
      return check.values.some((value) => compare(text, '=', value, isNumber))
    case 'between':
      return compare(text, '>=', check.low, isNumber) && compare(text, '<=', check.high, isNumber)
    case 'text': {
      const own = foldCase(text)
      const given = foldCase(patternText(check.value.pattern))
      if (check.operator === 'contains') return own.includes(given)
      return check.operator === 'starts with' ? own.startsWith(given) : own.endsWith(given)
    }
    case 'within':
      return isWithin(text, check.value)
    case 'matches':
    case 'column':
    case 'subQuery':
      return false
  }
}

function compare(
  text: string,
  operator: CompareOperator,
  value: Value,
  isNumber: boolean,
): boolean {
  if (operator === '=' && value.pattern.some((part) => part.kind !== 'text')) {
    return matchesWhole(foldPattern(value.pattern), foldCase(text))
  }
  const given = patternText(value.pattern)
  if (isNumber && compareDecimals(text, given) === null) return false
  return isOrdered(orderOf(text, given, operator), operator)
}

function orderOf(text: string, given: string, operator: CompareOperator): number {
  const byNumber = compareDecimals(text, given)
  if (byNumber !== null) return byNumber
  const [a, b] = [parseAddress(text), parseAddress(given)]
  if (a !== undefined && b !== undefined) return a < b ? -1 : a > b ? 1 : 0
  const [own, other] = [foldCase(text), foldCase(given)]
  const [ownRank, otherRank] = [priorityRank(own), priorityRank(other)]
  if (operator !== '=' && ownRank !== undefined && otherRank !== undefined) {
    return ownRank - otherRank
  }
  return Buffer.compare(Buffer.from(own), Buffer.from(other))
}

/** `order`: below, at or above 0. */
function isOrdered(order: number, operator: CompareOperator): boolean {
  switch (operator) {
    case '=':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
  }
}

function isWithin(text: string, value: Value): boolean {
  const block = parseBlock(patternText(value.pattern))
  if (!block) return raiseQuery('an address or a CIDR block is expected', value.start)
  const address = parseAddress(text)
  if (address === undefined || (!block.isV4 && !text.includes(':'))) return false
  return block.low <= address && address <= block.high
}

const foldedPatterns = new WeakMap<Pattern, Pattern>()

function foldPattern(pattern: Pattern): Pattern {
  const known = foldedPatterns.get(pattern)
  if (known) return known
  const folded = pattern.map((part) =>
    part.kind === 'text' ? ({ kind: 'text', text: foldCase(part.text) } as const) : part,
  )
  foldedPatterns.set(pattern, folded)
  return folded
}
