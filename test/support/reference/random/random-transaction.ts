// Transactions as sources of queries (search-language#transaction).
import type { QueryColumn } from './query-columns.ts'
import type { Random } from './random.ts'
import { type FilterOptions, randomFilter, randomScope } from './random-filter.ts'

const NAMES = ['A', 'B', 'C', 'D']

export function transaction(
  random: Random,
  options: FilterOptions,
  keys: readonly string[],
): string {
  const count = 1 + random.below(NAMES.length)
  const key = random.pick(keys)
  const steps = NAMES.slice(0, count).map((name) => {
    const filter = random.chance(0.6) ? randomFilter(random, options, 2) : '*'
    const scope = random.chance(0.5) ? ` ${randomScope(random, options.scopes)}` : ''
    const own = random.chance(0.9) ? key : random.pick(keys)
    return `${quoted(`${filter}${scope}`)}, "${own}", "${name}"`
  })
  const limit = random.chance(0.5)
    ? ` limit time to ${random.pick(['1 minute', '10 minutes', '2.5 hours', '1 hour', '20 hours'])}`
    : ''
  const unique = random.chance(0.4) ? ' use unique key' : ''
  return `transaction(${steps.join(' -> ')})${limit}${unique}`
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

export const TRANSACTION_COLUMNS: readonly QueryColumn[] = [
  { name: 'key', kind: 'cased', values: ['alice', 'bob', 'root', '10.2.3.4', '200'] },
  { name: 'transaction time', kind: 'number', values: ['0', '1000', '60000', '3600000'] },
  { name: 'transaction eventscount', kind: 'number', values: ['1', '2', '3'] },
  { name: 'A eventscount', kind: 'number', values: ['1', '2', '3'] },
  { name: 'transaction fullstate', kind: 'text', values: ['OPEN', 'close', '"TIME CLOSE"'] },
  { name: 'start time', kind: 'date', values: [] },
  { name: 'end time', kind: 'date', values: [] },
]
