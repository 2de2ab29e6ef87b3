// `transaction("query","key","step" -> ...) limit time to 30 minutes use unique key` (search-language 5.1).
import type { Input } from './input.ts'
import { readNumber } from './stages/read-name.ts'
import type { Transaction, TransactionStep } from './tree.ts'

/** `transaction (a OR b)` is a word before a group; only a quoted text and a comma make it the source. */
export function isTransactionAhead(input: Input): boolean {
  const word = input.keywordsEnd(input.position, ['transaction'])
  if (word === undefined || !input.isSymbol('(', word)) return false
  const query = input.token(input.token(word).end)
  return query.kind === 'quoted' && input.isSymbol(',', query.end)
}

export function parseTransaction(input: Input): Transaction {
  const { start } = input.token()
  input.takeKeyword('transaction')
  input.expectSymbol('(')
  const steps = [parseStep(input)]
  while (input.takeKeyword('->')) steps.push(parseStep(input))
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

function parseStep(input: Input): TransactionStep {
  const { start } = input.token()
  const query = input.expectQuoted('the query of the step').text
  input.expectSymbol(',')
  const key = input.expectQuoted('the key column of the step').text
  input.expectSymbol(',')
  const name = input.expectQuoted('the name of the step').text
  return { kind: 'step', start, end: input.position, query, key, name }
}

function parseMinutes(input: Input): number {
  const count = readNumber(input, 'a number of minutes or hours')
  const isHours = input.takeKeyword('hours') || input.takeKeyword('hour')
  if (!isHours && !input.takeKeyword('minutes') && !input.takeKeyword('minute')) {
    input.raise('minutes or hours is expected')
  }
  return isHours ? count * 60 : count
}
