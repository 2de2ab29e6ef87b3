// `transaction("query","key","step" -> ...) limit time to 30 minutes use unique key`
// (search-language#transaction).

import type { Transaction, TransactionStep } from '../tree.ts'
import type { Input } from './input.ts'
import type { ParseContext } from './parse-context.ts'
import { parseStepQuery } from './parse-step-query.ts'
import { readNumber } from './read-name.ts'

/** `transaction (a OR b)` is a word before a group; only a quoted text and a comma make it the
 *  source. */
export function isTransactionAhead(input: Input): boolean {
  const word = input.keywordsEnd(input.position, ['transaction'])
  if (word === undefined || !input.isSymbol('(', word)) return false
  const query = input.token(input.token(word).end)
  return query.kind === 'quoted' && input.isSymbol(',', query.end)
}

export function parseTransaction(context: ParseContext): Transaction {
  const { input } = context
  const { start } = input.token()
  input.takeKeyword('transaction')
  input.expectSymbol('(')
  const steps = [parseStep(context, [])]
  while (input.takeKeyword('->')) steps.push(parseStep(context, steps))
  input.expectSymbol(')', '-> or ) is expected')
  let limitMinutes: number | null = null
  let isUniqueKey = false
  for (;;) {
    if (input.takeKeyword('limit', 'time', 'to')) limitMinutes = parseMinutes(input)
    else if (input.takeKeyword('use', 'unique', 'key')) isUniqueKey = true
    else break
  }
  return { kind: 'transaction', start, end: input.position, steps, limitMinutes, isUniqueKey }
}

/** Columns that later stages know. */
export function transactionColumns(source: Transaction): string[] {
  const names = ['transaction time', 'transaction eventscount', 'transaction fullstate']
  names.push('key', 'start time', 'end time')
  for (const [index, { name }] of source.steps.entries()) {
    names.push(`${name} eventscount`)
    const next = source.steps[index + 1]
    if (next) names.push(`${name}->${next.name} time`)
  }
  return names
}

function parseStep(context: ParseContext, before: readonly TransactionStep[]): TransactionStep {
  const { input } = context
  const query = input.expectQuoted('the query of the step')
  const filter = parseStepQuery(context, query)
  input.expectSymbol(',')
  const key = input.expectQuoted('the key column of the step')
  if (key.text === '') input.raise('the key column of the step is empty', key.start)
  input.expectSymbol(',')
  const name = input.expectQuoted('the name of the step')
  if (name.text === '') input.raise('the name of the step is empty', name.start)
  const folded = name.text.toLowerCase()
  if (before.some((step) => step.name.toLowerCase() === folded)) {
    input.raise('two steps have this name', name.start)
  }
  const { start } = query
  const texts = { query: query.text, key: key.text, name: name.text }
  return { kind: 'step', start, end: input.position, filter, ...texts }
}

function parseMinutes(input: Input): number {
  const count = readNumber(input, 'a number of minutes or hours')
  const isHours = input.takeKeyword('hours') || input.takeKeyword('hour')
  if (!isHours && !input.takeKeyword('minutes') && !input.takeKeyword('minute')) {
    input.raise('minutes or hours is expected')
  }
  return isHours ? count * 60 : count
}
