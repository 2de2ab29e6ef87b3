// Transactions (search-language#transaction): steps in quotation marks, and options.
import type { Filter, Transaction, TransactionStep } from '../tree.ts'
import { Reader } from './reader.ts'

const MOST_STEPS = 40
const MINUTES: Readonly<Record<string, number>> = { minute: 1, minutes: 1, hour: 60, hours: 60 }

/** null: the word is searched for. */
export function takesTransaction(
  reader: Reader,
  parseSimple: (inner: Reader) => Filter,
): Transaction | null {
  const after = reader.afterWords('transaction')
  if (after === null || !reader.isSign('(', after)) return null
  const first = reader.peek(reader.peek(after).end)
  if (first.kind !== 'quoted') return null
  reader.at = after
  reader.expectSign('(')
  const steps: TransactionStep[] = []
  do steps.push(parseStep(reader, parseSimple))
  while (reader.match(/\s*->/y))
  if (steps.length > MOST_STEPS) reader.refuse('too many steps')
  const names = new Set(steps.map(({ name }) => name.toLowerCase()))
  if (names.size < steps.length) reader.refuse('two steps have one name')
  reader.expectSign(')')
  let limitMinutes: number | null = null
  let isUniqueKey = false
  for (;;) {
    if (reader.takesWords('limit time to')) {
      const count = reader.takesNumber() ?? reader.refuse('a number is expected')
      const unit = reader.next()
      const minutes = unit.kind === 'word' ? MINUTES[unit.keyword] : undefined
      limitMinutes = count * (minutes ?? reader.refuse('minutes or hours is expected'))
    } else if (reader.takesWords('use unique key')) isUniqueKey = true
    else return { kind: 'transaction', steps, limitMinutes, isUniqueKey }
  }
}

function parseStep(reader: Reader, parseSimple: (inner: Reader) => Filter): TransactionStep {
  const query = reader.expectQuoted('a query')
  reader.expectSign(',')
  const key = reader.expectQuoted('a column')
  reader.expectSign(',')
  const name = reader.expectQuoted('a name')
  const filter = parseSimple(new Reader(query))
  return { query, filter, key, name }
}
