// A rule as the fields of a form have it, read from its text and printed to it: the text is all
// that is kept. What is typed by half is read, too, so that fields and text always agree. Pure.
import {
  OPERATORS,
  type Operator,
  parseRule,
  type Rule,
} from '../../../../schemas/monitors/rule.ts'

export type RuleKind = Rule['kind']

export type RuleDraft = {
  readonly kind: RuleKind
  readonly operator: Operator
  /** As it is typed, without `%`. */
  readonly value: string
  readonly column: string
  readonly isEvery: boolean
}

const NO_RULE = ''
/** What a kind begins with where nothing was typed for it. */
export const FIRST_RULES: Readonly<Record<RuleKind, RuleDraft>> = {
  exists: begin('exists', '>', ''),
  count: begin('count', '>', '10'),
  column: begin('column', '>=', '100'),
  change: begin('change', '<', '-50'),
  silence: begin('silence', '>', ''),
  unusual: begin('unusual', '>', ''),
  newShape: begin('newShape', '>', ''),
  newValue: begin('newValue', '>', ''),
}

function begin(kind: RuleKind, operator: Operator, value: string): RuleDraft {
  return { kind, operator, value, column: '', isEvery: false }
}

/** Undefined: no fields can show it. */
export function readDraft(text: string): RuleDraft | undefined {
  const whole = text.trimStart()
  if (whole === NO_RULE) return FIRST_RULES.exists
  const rule = parseRule(whole)
  return rule === undefined ? readHalf(whole) : draftOf(rule, whole)
}

/** A number keeps its own text: 1.50 is not made 1.5. */
function draftOf(rule: Rule, text: string): RuleDraft {
  const value = / (\S+?)%?$/.exec(text)?.[1] ?? ''
  switch (rule.kind) {
    case 'exists':
    case 'silence':
    case 'unusual':
      return FIRST_RULES[rule.kind]
    case 'count':
    case 'change':
      return { ...FIRST_RULES[rule.kind], operator: rule.operator, value }
    case 'column':
      return { ...FIRST_RULES.column, operator: rule.operator, value, column: rule.column }
    case 'newShape':
      return { ...FIRST_RULES.newShape, isEvery: rule.isEvery }
    case 'newValue':
      return { ...FIRST_RULES.newValue, isEvery: rule.isEvery, column: rule.column }
  }
}

const HALF_COMPARED = /^(count|change|column (.*)) (>=|<=|!=|>|<|=)(?: (.*?)(%?))?$/s
const HALF_NEW = /^(every )?new value(?: (.*))?$/

function readHalf(text: string): RuleDraft | undefined {
  const named = HALF_NEW.exec(text)
  if (named !== null)
    return { ...FIRST_RULES.newValue, isEvery: named[1] !== undefined, column: named[2] ?? '' }
  const [, words = '', column = '', sign, value = '', percent] = HALF_COMPARED.exec(text) ?? []
  const operator = OPERATORS.find((one) => one === sign)
  if (operator === undefined) return undefined
  const kind = words === 'count' || words === 'change' ? words : 'column'
  // A count in percent is no count.
  if (kind !== 'change' && percent === '%') return undefined
  if (kind === 'change' && percent !== '%' && value !== '') return undefined
  return { kind, operator, value, column, isEvery: false }
}

export function printDraft({ kind, operator, value, column, isEvery }: RuleDraft): string {
  const every = isEvery ? 'every ' : ''
  switch (kind) {
    case 'exists':
    case 'silence':
    case 'unusual':
      return kind
    case 'count':
      return `count ${operator} ${value}`
    case 'column':
      return `column ${column} ${operator} ${value}`
    case 'change':
      return `change ${operator} ${value}%`
    case 'newShape':
      return `${every}new shape`
    case 'newValue':
      return `${every}new value ${column}`
  }
}

export type DraftFault = { readonly part: 'value' | 'column'; readonly isMissing: boolean }

/** What is wrong with a part of it; undefined: nothing that a part says. */
export function findDraftFault(draft: RuleDraft): DraftFault | undefined {
  const { kind, value, column } = draft
  if ((kind === 'column' || kind === 'newValue') && column.trim() === '')
    return { part: 'column', isMissing: true }
  const isCompared = kind === 'count' || kind === 'column' || kind === 'change'
  if (!isCompared || parseRule(printDraft(draft)) !== undefined) return undefined
  return { part: 'value', isMissing: value === '' }
}
