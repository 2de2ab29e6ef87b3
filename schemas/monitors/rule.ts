// What makes a monitor fail, as an operator writes it: `exists`, `count > 5`,
// `column Time Taken >= 100`, `change < -50%`, `silence`, `unusual`, `new shape`, `every new value
// user`. Pure.
export const OPERATORS = ['>', '>=', '<', '<=', '=', '!='] as const
export type Operator = (typeof OPERATORS)[number]

export type Rule =
  /** A row is there. */
  | { readonly kind: 'exists' }
  /** The number of rows. */
  | { readonly kind: 'count'; readonly operator: Operator; readonly value: number }
  /** A number in this column of a row. */
  | {
      readonly kind: 'column'
      readonly column: string
      readonly operator: Operator
      readonly value: number
    }
  /** The number of rows against that of the same window a week before, in %. */
  | { readonly kind: 'change'; readonly operator: Operator; readonly value: number }
  /** A log of the query's scope has no event in the window. */
  | { readonly kind: 'silence' }
  /** A log of the query's scope received an unusual number of events in the last full hour. */
  | { readonly kind: 'unusual' }
  | NewKindRule

/** `isEvery`: however often new ones come in these logs. */
export type NewKindRule =
  /** A message of a shape that was not seen before. */
  | { readonly kind: 'newShape'; readonly isEvery: boolean }
  /** A value that this column did not have before. */
  | { readonly kind: 'newValue'; readonly column: string; readonly isEvery: boolean }

const NUMBER = String.raw`(-?\d{1,15}(?:\.\d{1,6})?)`
const OPERATOR = '(>=|<=|!=|>|<|=)'
const COUNT = new RegExp(`^count ${OPERATOR} ${NUMBER}$`)
const COLUMN = new RegExp(`^column (.{1,255}?) ${OPERATOR} ${NUMBER}$`)
const CHANGE = new RegExp(`^change ${OPERATOR} ${NUMBER}%$`)

const NEW_KIND = /^(every )?new (?:shape|value (.{1,255}))$/

export function isNewKind(rule: Rule): rule is NewKindRule {
  return rule.kind === 'newShape' || rule.kind === 'newValue'
}

/** Undefined: not a rule. */
export function parseRule(text: string): Rule | undefined {
  if (text === 'exists' || text === 'silence' || text === 'unusual') return { kind: text }
  const newKind = NEW_KIND.exec(text)
  if (newKind !== null) {
    const [, every, column] = newKind
    const isEvery = every !== undefined
    return column === undefined
      ? { kind: 'newShape', isEvery }
      : { kind: 'newValue', column, isEvery }
  }
  const count = COUNT.exec(text)
  if (count !== null) return { kind: 'count', ...comparison(count[1], count[2]) }
  const column = COLUMN.exec(text)
  if (column !== null)
    return { kind: 'column', column: column[1] ?? '', ...comparison(column[2], column[3]) }
  const change = CHANGE.exec(text)
  return change === null ? undefined : { kind: 'change', ...comparison(change[1], change[2]) }
}

function comparison(operator: string | undefined, value: string | undefined) {
  const known = OPERATORS.find((one) => one === operator) ?? '='
  return { operator: known, value: Number(value) }
}

export function compare(left: number, { operator, value }: { operator: Operator; value: number }) {
  switch (operator) {
    case '>':
      return left > value
    case '>=':
      return left >= value
    case '<':
      return left < value
    case '<=':
      return left <= value
    case '=':
      return left === value
    case '!=':
      return left !== value
  }
}
