// Whole queries over the columns of random-world.ts, as parts that the shrinker can leave out. Each
// stage knows what rows are there.
import { ORDER_KINDS, type QueryColumn, TEXT_KINDS } from './query-columns.ts'
import { aliasFor, ofKinds, type State, wordFor } from './query-state.ts'
import type { Random } from './random.ts'
import { aggregation, datastream } from './random-aggregation.ts'
import { randomFilter, randomLast, randomScope } from './random-filter.ts'
import { randomFormat, randomTemplate } from './random-format.ts'
import { TRANSACTION_COLUMNS, transaction } from './random-transaction.ts'

export type RandomQuery = { readonly source: string; readonly stages: readonly string[] }

export type QueryWorld = {
  readonly columns: readonly QueryColumn[]
  /** Moments of the events, as written in tests. */
  readonly times: readonly string[]
  readonly words: readonly string[]
  readonly scopes: readonly string[]
  /** As written after `interval`. */
  readonly intervals: readonly string[]
  /** Columns that transactions go by; none: no transactions. */
  readonly transactionKeys: readonly string[]
}

export function queryText({ source, stages }: RandomQuery): string {
  return [source, ...stages].join(' | ')
}

export function randomQuery(random: Random, world: QueryWorld, depth = 0): RandomQuery {
  const state: State = {
    rows: 'events',
    columns: [...world.columns],
    hasChanged: false,
    aliases: depth * 100,
    intervals: world.intervals,
    condition: () => plainFilter(random, state, world, depth),
  }
  let source = '*'
  if (depth === 0 && world.transactionKeys.length > 0 && random.chance(0.08)) {
    source = transaction(random, filterOptions(random, state, world, 1), world.transactionKeys)
    state.rows = 'table'
    state.columns = [...TRANSACTION_COLUMNS]
  } else {
    if (random.chance(0.7))
      source = randomFilter(random, filterOptions(random, state, world, depth))
    if (random.chance(0.3)) source = `${source} ${randomScope(random, world.scopes)}`
    if (random.chance(0.08)) source = `${source} ${randomLast(random)}`
  }
  const stages: string[] = []
  const count = random.below(depth === 0 ? 6 : 2)
  for (let index = 0; index < count; index += 1) {
    const stage = randomStage(random, state, world)
    if (stage !== null) stages.push(stage)
  }
  return { source, stages }
}

function filterOptions(random: Random, state: State, world: QueryWorld, depth: number) {
  return {
    columns: state.columns,
    hasScopes: state.rows === 'events',
    times: world.times,
    words: world.words,
    scopes: world.scopes,
    isTable: state.rows === 'table',
    hasWords: !state.hasChanged,
    isSubQuery: depth > 0,
    subQuery: (column: QueryColumn) =>
      depth === 0 && state.rows === 'events' && !['tags', 'date'].includes(column.kind)
        ? subQuery(random, column, world)
        : null,
  }
}

function subQuery(random: Random, { name }: QueryColumn, world: QueryWorld): string {
  const { source } = randomQuery(random, { ...world, transactionKeys: [] }, 1)
  const filter = source === '*' ? '*' : `(${source})`
  return random.chance(0.5)
    ? `${filter} | count | group by ${name} | where count > ${random.below(20)} | display only ${name}`
    : `${filter} | list ${name} | limit ${1 + random.below(10)}`
}

function randomStage(random: Random, state: State, world: QueryWorld): string | null {
  const isTable = state.rows === 'table'
  switch (random.below(isTable ? 13 : 16)) {
    case 0:
    case 1:
      return `where ${state.condition()}`
    case 2:
      return `limit ${random.below(60)}${random.chance(0.3) ? ` offset ${random.below(20)}` : ''}`
    case 3:
    case 4:
      return orderBy(random, state)
    case 5:
      return `percentile ${random.pick(['0', '10', '33.3', '50', '95', '99.5', '100'])}`
    case 6:
      return dedup(random, state)
    case 7:
      return display(random, state)
    case 8:
      return change(random, state)
    case 9:
      if (isTable) return random.chance(0.3) ? join(random, state, world) : display(random, state)
      return list(random, state)
    case 10:
      if (isTable && random.chance(0.5)) return transpose(random, state)
      return aggregation(random, state)
    case 11:
      if (!isTable && random.chance(0.4)) return datastream(random, state)
      return aggregation(random, state)
    default:
      return aggregation(random, state)
  }
}

/** `where` and `if` take no scope. */
function plainFilter(random: Random, state: State, world: QueryWorld, depth: number): string {
  return randomFilter(
    random,
    { ...filterOptions(random, state, world, depth), hasScopes: false },
    1,
  )
}

function orderBy(random: Random, state: State): string | null {
  const columns = ofKinds(state, ORDER_KINDS)
  if (columns.length === 0) return null
  const keys = random
    .some(columns, 2)
    .map(({ name }) => `${name}${random.pick(['', ' asc', ' desc', ' desc'])}`)
  return `order by ${keys.join(', ')}`
}

/** Mostly by columns in which values come again. */
function dedup(random: Random, state: State): string | null {
  const [columns, repeated] = [ofKinds(state, ORDER_KINDS), ofKinds(state, ['cased', 'mixed'])]
  if (columns.length === 0) return null
  const chosen =
    repeated.length > 0 && random.chance(0.6) ? [random.pick(repeated)] : random.some(columns, 2)
  return `dedup ${chosen.map(({ name }) => name).join(', ')}`
}

function list(random: Random, state: State): string {
  const items = random.some(state.columns, 4).map((column) => {
    if (!random.chance(0.25)) return column.name
    const alias = aliasFor(state, 'L')
    state.columns = [...state.columns, { ...column, name: alias }]
    return `${column.name} as ${alias}`
  })
  return `list ${items.join(', ')}`
}

function display(random: Random, state: State): string | null {
  if (state.columns.length === 0) return null
  const isOnly = random.chance(0.5)
  const chosen = random.some(
    state.columns.filter(({ kind }) => kind !== 'tags'),
    3,
  )
  const shown: QueryColumn[] = []
  const items = chosen.map((column) => {
    const format =
      random.chance(0.5) && column.kind !== 'odd' ? ` ${randomFormat(random, column)}` : ''
    if (!random.chance(0.3)) {
      shown.push(column)
      return `${column.name}${format}`
    }
    const alias = aliasFor(state, 'D')
    shown.push({ ...column, name: alias })
    if (state.rows === 'table') state.columns = state.columns.filter((own) => own !== column)
    state.columns = [...state.columns, { ...column, name: alias }]
    return `${column.name} as ${alias}${format}`
  })
  if (random.chance(0.3)) {
    const { format, kind } = randomTemplate(random, state.columns)
    const name = aliasFor(state, 'T')
    state.columns = [...state.columns, { name, kind, values: ['1', '2'] }]
    shown.push({ name, kind, values: ['1', '2'] })
    items.push(`${/\W/.test(name) ? `"${name}"` : name} ${format}`)
  }
  if (isOnly && state.rows === 'table') state.columns = shown
  return `display ${isOnly ? 'only ' : ''}${items.join(', ')}`
}

function change(random: Random, state: State): string | null {
  const texts = ofKinds(state, TEXT_KINDS)
  const numbers = ofKinds(state, ['number', 'numeric'])
  state.hasChanged = true
  const add = (column: QueryColumn) => {
    state.columns = [...state.columns.filter(({ name }) => name !== column.name), column]
  }
  if (numbers.length > 0 && random.chance(0.3)) {
    const column = random.pick(numbers)
    const name = random.chance(0.7) ? aliasFor(state, 'R') : column.name
    add({ name, kind: 'number', values: column.values })
    const digits = random.pick(['', ' to 0', ' to 1', ' to 2'])
    return `round ${column.name}${digits}${name === column.name ? '' : ` as ${name}`}`
  }
  if (texts.length === 0) return null
  const column = random.pick(texts)
  if (random.chance(0.5)) {
    const name = wordFor(state, 'E')
    add({ name, kind: 'mixed', values: ['12', '7', 'a'] })
    const regexp = random.pick([
      `rule=(?<${name}>[0-9]+)`,
      `(?<${name}>[a-z]+)`,
      `^(?<${name}>.)`,
      `(?<${name}>[0-9]+)[^0-9]*$`,
    ])
    return `extract "${regexp}" from ${column.name}`
  }
  const name = aliasFor(state, 'P')
  add({ name, kind: 'cased', values: column.values })
  const pair = random.pick([
    '"[0-9]+" with "N"',
    '"([a-z])([a-z])" with "$2$1"',
    '"\\?.*$" with ""',
    '"e" with "[$0]"',
  ])
  return `replace ${pair} in ${column.name} as ${name}`
}

// ---------- tables of tables ----------

function transpose(random: Random, state: State): string {
  const key = state.columns.find(({ kind }) => TEXT_KINDS.includes(kind))
  const others = state.columns.filter((column) => column !== key)
  if (key && others.some(({ kind }) => kind === 'number') && random.chance(0.7)) {
    state.columns = others.slice(0, -1)
    return `transpose ${key.name}`
  }
  state.columns = []
  return 'transpose'
}

function join(random: Random, state: State, world: QueryWorld): string | null {
  const names = world.columns.filter(({ kind }) => ['cased', 'mixed', 'text'].includes(kind))
  const both = names.filter(({ name }) => state.columns.some((own) => own.name === name))
  if (both.length === 0) return null
  const { name } = random.pick(both)
  const { source } = randomQuery(random, { ...world, transactionKeys: [] }, 1)
  const filter = source === '*' ? '*' : `(${source})`
  const count = aliasFor(state, 'J')
  const hasAlias = random.chance(0.4)
  const key = hasAlias ? aliasFor(state, 'Q') : name
  state.columns = [...state.columns, { name: count, kind: 'number', values: ['1', '5'] }]
  const on = hasAlias ? `${name} = ${key}` : name
  return `join [ ${filter} | count as ${count} | group by ${name}${hasAlias ? ` as ${key}` : ''} ] on ${on}`
}
