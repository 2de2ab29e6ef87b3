// AND and OR beside each other without parentheses: `a b or c` is (a b) or c here, and a (b or c)
// in the search of SPL. It is told where somebody may have meant the other reading.
import type { Filter, Or, Span, Test } from '../../tree.ts'
import { type Doubt, insideNot } from '../neighbours.ts'

/** `isStage`: of `where` and `if`, in which AND binds tighter in SPL, too. */
export function mixedOperators(
  { operands, start, end }: Or,
  text: string,
  isStage: boolean,
): Doubt | undefined {
  const whole = withParentheses({ start, end }, text)
  const open: Span[] = []
  let isDoubtful = false
  for (const [at, operand] of operands.entries()) {
    if (operand.kind !== 'and') continue
    const span = withParentheses(operand, text)
    if (isEnclosed(span, text)) continue
    open.push(span)
    const isOther = (side: -1 | 1) => isDoubtfulBeside(operands, at, side, text, isStage)
    isDoubtful ||= isOther(-1) || isOther(1)
  }
  if (!isDoubtful) return undefined
  let write = ''
  let from = whole.start
  for (const span of open) {
    write += `${text.slice(from, span.start)}(${text.slice(span.start, span.end)})`
    from = span.end
  }
  write += text.slice(from, whole.end)
  return {
    code: 'query.precedence',
    message: `and, written or not, binds tighter than or: this is read as ${shortened(write)}; parentheses say it, or say otherwise`,
    edit: { ...whole, text: write },
  }
}

/** Whether the condition of the AND at `at` that stands beside OR may have been meant as an
 *  alternative of the one on the other side of it. */
function isDoubtfulBeside(
  operands: readonly Filter[],
  at: number,
  side: -1 | 1,
  text: string,
  isStage: boolean,
): boolean {
  const [own, other] = [conditionsOf(operands[at]), conditionsOf(operands[at + side])]
  const [near, rest] = side < 0 ? [own[0], own.slice(1)] : [own.at(-1), own.slice(0, -1)]
  const [far, farRest] = side < 0 ? [other.at(-1), other.slice(0, -1)] : [other[0], other.slice(1)]
  if (near === undefined || far === undefined) return false
  // Each side says what the column has: level = error a or level = warn b.
  if (shareColumn([near, ...rest], farRest) || shareColumn(rest, [far])) return false
  const next = side < 0 ? rest[0] : rest.at(-1)
  const isWritten = next !== undefined && /(?<![\w.])and(?![\w.])/i.test(between(near, next, text))
  return isStage || isWritten ? areAlike(near, far) : true
}

function conditionsOf(filter: Filter | undefined): readonly Filter[] {
  if (filter === undefined) return []
  return filter.kind === 'and' ? filter.operands : [filter]
}

/** Two words, or two tests of one column. */
function areAlike(one: Filter, other: Filter): boolean {
  const [first, second] = [insideNot(one), insideNot(other)]
  if (first?.kind === 'test' && second?.kind === 'test') return nameOf(first) === nameOf(second)
  return isText(first) && isText(second)
}

function isText(filter: Filter | undefined): boolean {
  return filter?.kind === 'word' || filter?.kind === 'phrase'
}

function nameOf({ column }: Test): string {
  return column.name.toLowerCase()
}

function shareColumn(some: readonly Filter[], others: readonly Filter[]): boolean {
  const names = new Set(some.flatMap(equalColumn))
  return others.flatMap(equalColumn).some((name) => names.has(name))
}

function equalColumn(filter: Filter): string[] {
  const isEqual =
    filter.kind === 'test' && filter.check.kind === 'compare' && filter.check.operator === '='
  return isEqual ? [nameOf(filter)] : []
}

function between(one: Span, other: Span, text: string): string {
  const [first, second] = one.start < other.start ? [one, other] : [other, one]
  return text.slice(first.end, second.start)
}

/** With the parentheses of its own first and last condition, which no node holds. */
function withParentheses({ start, end }: Span, text: string): Span {
  const { opened, closed } = unbalanced(text.slice(start, end))
  let [from, to] = [start, end]
  for (let left = closed; left > 0; left -= 1) from = Math.max(text.lastIndexOf('(', from - 1), 0)
  for (let left = opened; left > 0; left -= 1) {
    const at = text.indexOf(')', to)
    to = at < 0 ? text.length : at + 1
  }
  return { start: from, end: to }
}

/** Parentheses outside of quotation marks that have no partner. */
function unbalanced(part: string): { readonly opened: number; readonly closed: number } {
  let [opened, closed] = [0, 0]
  for (const [sign] of part.matchAll(/\\.|"(?:[^"\\]|\\.)*"|[()]/gs)) {
    if (sign === '(') opened += 1
    if (sign !== ')') continue
    if (opened > 0) opened -= 1
    else closed += 1
  }
  return { opened, closed }
}

function isEnclosed({ start, end }: Span, text: string): boolean {
  return /\(\s*$/.test(text.slice(0, start)) && /^\s*\)/.test(text.slice(end))
}

function shortened(write: string): string {
  return write.length > 80 ? `${write.slice(0, 80)}…` : write
}
