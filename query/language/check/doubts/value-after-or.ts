// A value alone after OR: `level = error or warn`, which searches the word warn in the whole text.
import { parseDecimal } from '../../../../schemas/decimal.ts'
import { patternText } from '../../parse/input.ts'
import type { KindsOf } from '../../resolve/query-catalog.ts'
import type { Check, Filter, Phrase, Test, Word } from '../../tree.ts'
import type { Doubt } from '../neighbours.ts'

/** `level = error or warn`: of the word or phrase at `at`, the first after its test. Not of one
 *  that the column is unlikely to hold: `status = 200 or refused`, `path = /cart or timeout`. */
export function valueAfterOr(
  operands: readonly Filter[],
  at: number,
  kindsOf: KindsOf,
  text: string,
): Doubt | undefined {
  const test = testAt(operands[at - 1])
  const how = test && howToWrite(test, text)
  const operand = operands[at]
  if (test === undefined || how === undefined || !isValue(operand)) return undefined
  if (!isLikeValue(operand, test, kindsOf)) return undefined
  const values: string[] = []
  let end = test.end
  for (const operand of operands.slice(at)) {
    if (!isValue(operand) || !/^\s*or\s*$/i.test(text.slice(end, operand.start))) break
    values.push(text.slice(operand.start, operand.end))
    end = operand.end
  }
  const [first] = values
  if (first === undefined) return undefined
  const write = how(values)
  const doubt: Doubt = {
    code: 'query.searched_word',
    message: `'${bare(first)}' is searched in the whole text: what stands on each side of or is a condition of its own, several values are written ${write}`,
    edit: { start: test.start, end, text: write },
  }
  return doubt
}

function testAt(operand: Filter | undefined): Test | undefined {
  const last = operand?.kind === 'and' ? operand.operands.at(-1) : operand
  return last?.kind === 'test' ? last : undefined
}

function isValue(operand: Filter | undefined): operand is Word | Phrase {
  return operand?.kind === 'word' || operand?.kind === 'phrase'
}

/** Undefined for tests after which no other value can be meant. */
function howToWrite(
  { start, column, check }: Test,
  text: string,
): ((more: readonly string[]) => string) | undefined {
  const value = comparedValue(check)
  if (value === undefined) return undefined
  const name = text.slice(start, column.end)
  const first = text.slice(value.start, value.end)
  if (check.kind === 'compare') {
    const operator = check.operator === '=' ? 'in' : 'not in'
    return (more) => `${name} ${operator} (${[first, ...more].join(', ')})`
  }
  const before = text.slice(start, value.start)
  return (more) => [first, ...more].map((one) => `${before}${one}`).join(' or ')
}

function comparedValue(check: Check) {
  const isEqual = check.kind === 'compare' && /^!?=$/.test(check.operator)
  return isEqual || check.kind === 'text' || check.kind === 'matches' ? check.value : undefined
}

function bare(written: string): string {
  return written.replace(/^"|"$/g, '')
}

/** Whether the word or phrase may be one more value of the test. */
function isLikeValue(more: Word | Phrase, { column, check }: Test, kindsOf: KindsOf): boolean {
  const value = comparedValue(check)
  if (value === undefined) return false
  const [first, second] = [patternText(value.pattern), textOf(more)]
  if (check.kind === 'matches') return isRegexp(second) || !isRegexp(first)
  if (/\s/.test(second) && !/\s/.test(first) && !value.isQuoted) return false
  if (second.includes(':') && !first.includes(':')) return false
  const kinds = kindsOf(column.name)
  const isFitting = (text: string) =>
    kinds.size === 0 || (isNumeric(text) ? kinds.has('number') : hasTexts(kinds))
  return (
    mark(first) === mark(second) && (isNumeric(first) === isNumeric(second) || isFitting(second))
  )
}

function textOf(operand: Word | Phrase): string {
  return operand.kind === 'word' ? patternText(operand.pattern) : operand.text
}

/** `500`, `5xx`, `5*`, `10.2.3.4`, `1kb` */
function isNumeric(text: string): boolean {
  return /^\d/.test(text) || parseDecimal(text) !== null
}

function hasTexts(kinds: ReturnType<KindsOf>): boolean {
  return [...kinds].some((kind) => kind !== 'number')
}

/** What the text begins with, where it is neither a letter, a digit nor a wildcard: `/`, `[`. */
function mark(text: string): string {
  return /^[^\p{L}\p{N}_*?"-]/u.exec(text)?.[0] ?? ''
}

function isRegexp(text: string): boolean {
  return /[\\^$.|?*+()[\]{}]/.test(text)
}
