// Filters as text: words, phrases, tests of columns that exist, scopes, sub-queries.
import type { QueryColumn } from './query-columns.ts'
import type { Random } from './random.ts'

const REGEXPS = ['^a', '[0-9]+$', 'o+', '(?i)^GET$', '^.{4}$', '\\d{3}', 'rule=(12|7) ', '[^a-z]']
const BLOCKS = ['10.0.0.0/8', '10.2.3.4', '192.168.0.0/16', '::/64', 'fe80::/10', '0.0.0.0/0']

export type FilterOptions = {
  readonly columns: readonly QueryColumn[]
  readonly hasScopes: boolean
  readonly times: readonly string[]
  /** Terms and scopes as written. */
  readonly words: readonly string[]
  readonly scopes: readonly string[]
  /** A sub-query that gives values of the column, or none. */
  readonly subQuery: (column: QueryColumn) => string | null
  /** Of tables: a text is compared with numbers by = alone, columns having one type. */
  readonly isTable: boolean
  readonly hasWords: boolean
  /** Brackets end a word there. */
  readonly isSubQuery: boolean
}

export function randomFilter(random: Random, options: FilterOptions, depth = 0): string {
  const inner = () => randomFilter(random, options, depth + 1)
  const kind = depth >= 3 ? 0 : random.below(10)
  if (kind < 5) return leaf(random, options)
  if (kind === 5) return `NOT ${random.chance(0.5) ? leaf(random, options) : `(${inner()})`}`
  if (kind === 6) return `(${inner()} OR ${inner()})`
  if (kind === 7) return `${leaf(random, options)} ${leaf(random, options)}`
  if (kind === 8) return `(${inner()}) AND (${inner()})`
  return options.hasScopes ? `((${inner()}) ${randomScope(random, options.scopes)})` : inner()
}

/** `in log.access not in folder.Web` */
export function randomScope(random: Random, scopes: readonly string[]): string {
  const list = () => random.some(scopes, 2).join(', ')
  if (random.chance(0.2)) return `not in ${list()}`
  return `in ${list()}${random.chance(0.2) ? ` not in ${list()}` : ''}`
}

/** `in last 3 hours` */
export function randomLast(random: Random): string {
  const length = random.pick([
    'hour',
    '2 hours',
    '30 h',
    '90m',
    '2 days',
    '36 hours',
    'week',
    '1 M',
  ])
  return `in last ${length}`
}

function leaf(random: Random, options: FilterOptions): string {
  if (options.hasWords && random.chance(options.isTable ? 0.1 : 0.35))
    return random.pick(
      options.isSubQuery ? options.words.filter((word) => !/[[\]]/.test(word)) : options.words,
    )
  return randomTest(random, options)
}

function randomTest(random: Random, options: FilterOptions): string {
  const testable = options.columns.filter(({ kind }) => kind !== 'odd')
  if (testable.length === 0) return '*'
  const column = random.pick(testable)
  const name = options.isTable || /^[\w. ]+$/.test(column.name) ? column.name : `"${column.name}"`
  if (random.chance(0.12))
    return `${name} ${random.pick(['exists', 'not exists', '!= null', '= null'])}`
  if (column.kind === 'date') return timeTest(random, name, options.times)
  // Units belong to one column of events.
  const known =
    options.isTable || column.name !== 'size'
      ? column.values.filter((text) => !/^\d+kb$/.test(text))
      : column.values
  const values = known.length > 0 ? known : ['1', '2']
  const isNumber = column.kind === 'number' || column.kind === 'numeric'
  const value = () => random.pick(values)
  const plain = () => random.pick(values.filter((text) => !/[*?]/.test(text))) ?? '1'
  const ordered = () => (options.isTable && !isNumber ? random.pick(['=', '!=']) : operator(random))
  switch (random.below(9)) {
    case 0:
      return `${name} ${random.pick(['in', 'not in'])} (${random.some(values, 3).join(', ')})`
    case 1:
      if (options.isTable && !isNumber) return `${name} = ${value()}`
      return `${name} between ${plain()} and ${plain()}`
    case 2:
      if (isNumber) return `${name} ${operator(random)} ${plain()}`
      return `${name} ${random.pick(['contains', 'not contains', 'starts with', 'ends with'])} ${random.pick(['a', '"1"', 'e', '/', 'rule', '0', 'GR'])}`
    case 3:
      if (isNumber) return `${name} ${operator(random)} ${plain()}`
      return `${name} ${random.pick(['matches', 'not matches'])} "${random.pick(REGEXPS)}"`
    case 4: {
      if (!/IP/.test(name)) return `${name} = ${value()}`
      return `${name} ${random.pick(['within', 'not within'])} ${random.pick(BLOCKS)}`
    }
    case 5: {
      const query = random.chance(0.4) ? options.subQuery(column) : null
      return query === null
        ? `${name} = ${value()}`
        : `${name} ${random.pick(['in', 'in', 'not in'])} [ ${query} ]`
    }
    default: {
      const sign = ordered()
      return `${name} ${sign} ${sign === '=' || sign === '!=' ? value() : plain()}`
    }
  }
}

function operator(random: Random): string {
  return random.pick(['=', '!=', '<', '<=', '>', '>='])
}

function timeTest(random: Random, name: string, times: readonly string[]): string {
  if (times.length === 0) return `${name} exists`
  const time = () => random.pick(times)
  if (random.chance(0.2)) return `${name} between ${time()} and ${time()}`
  return `${name} ${operator(random)} ${time()}`
}
