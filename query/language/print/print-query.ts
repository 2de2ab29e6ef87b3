// From the tree back to text. Reading the text again gives the same tree (but for positions).

import { stageSyntax } from '../stages/all-stages.ts'
import { formatNumber } from '../stages/functions.ts'
import type { Check, Filter, Query, Scope, ScopeItem, Transaction, Value } from '../tree.ts'
import { printColumn, printPattern, printQuoted } from './print-words.ts'

export function printQuery(query: Query): string {
  const { source } = query
  const text = source.kind === 'transaction' ? printTransaction(source) : printFilter(source.filter)
  const stages = query.stages.map((stage) =>
    stageSyntax(stage.kind).print(stage, { printFilter, printQuery }),
  )
  return [text, ...stages].join(' | ')
}

export function printFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'everything':
      return '*'
    case 'word':
      return printPattern(filter.pattern)
    case 'phrase':
      return printQuoted(filter.text)
    case 'not':
      return `not ${printOperand(filter.operand)}`
    case 'and':
      return filter.operands.map(printOperand).join(' and ')
    case 'or':
      return filter.operands.map(printOperand).join(' or ')
    case 'scoped':
      return `${printOperand(filter.operand)} ${printScope(filter.scope)}`
    case 'test':
      return `${printColumn(filter.column)} ${printCheck(filter.check)}`
  }
}

/** In parentheses where the neighbours could bind otherwise. */
function printOperand(filter: Filter): string {
  const isList = filter.kind === 'and' || filter.kind === 'or'
  return isList || filter.kind === 'scoped' ? `(${printFilter(filter)})` : printFilter(filter)
}

export function printScope({ include, exclude }: Scope): string {
  const included = include.length > 0 ? `in ${include.map(printScopeItem).join(', ')}` : ''
  const excluded = exclude.length > 0 ? `not in ${exclude.map(printScopeItem).join(', ')}` : ''
  return [included, excluded].filter((text) => text !== '').join(' ')
}

function printScopeItem(item: ScopeItem): string {
  return item.kind === 'scopeEverything' ? '*' : `${item.of}.${printPattern(item.name)}`
}

function printCheck(check: Check): string {
  const not = 'isNegated' in check && check.isNegated ? 'not ' : ''
  switch (check.kind) {
    case 'compare':
      return `${check.operator} ${printValue(check.value)}`
    case 'column':
      return `${check.operator} ${printColumn(check.column)}`
    case 'text':
      return `${not}${check.operator} ${printValue(check.value)}`
    case 'matches':
      return `${not}matches ${printValue(check.value)}`
    case 'list':
      return `${not}in (${check.values.map(printValue).join(', ')})`
    case 'between':
      return `between ${printValue(check.low)} and ${printValue(check.high)}`
    case 'within':
      return `${not}within ${printValue(check.value)}`
    case 'exists':
      return `${not}exists`
    case 'subQuery':
      return `${not}in [ ${printQuery(check.query)} ]`
  }
}

function printValue({ isQuoted, pattern }: Value): string {
  if (!isQuoted) return printPattern(pattern)
  const [part] = pattern
  return printQuoted(part?.kind === 'text' ? part.text : '')
}

function printTransaction({ steps, limitMinutes, isUniqueKey }: Transaction): string {
  const printed = steps.map(({ query, key, name }) =>
    [query, key, name].map(printQuoted).join(', '),
  )
  const limit = limitMinutes === null ? '' : ` limit time to ${formatNumber(limitMinutes)} minutes`
  return `transaction(${printed.join(' -> ')})${limit}${isUniqueKey ? ' use unique key' : ''}`
}
