// Functions with their grouping, and datastream, as text.
import {
  type ColumnKind,
  EXTREME_KINDS,
  KEY_KINDS,
  NUMBER_KINDS,
  ORDER_KINDS,
  type QueryColumn,
} from './query-columns.ts'
import { aliasFor, ofKinds, type State } from './query-state.ts'
import type { Random } from './random.ts'
import { randomFormat } from './random-format.ts'

export function aggregation(random: Random, state: State): string | null {
  const made: QueryColumn[] = []
  const isEvents = state.rows === 'events'
  const hasGroup = random.chance(0.65)
  const hasInterval = isEvents && random.chance(0.25)
  const calls = Array.from({ length: 1 + random.below(3) }, (_, index) =>
    functionCall(random, state, { index, made, hasInterval }),
  ).filter((call) => call !== null)
  if (calls.length === 0) return null
  const parts = [calls.join(', ')]
  const keys: QueryColumn[] = []
  if (hasGroup) parts.push(groupBy(random, state, keys))
  if (hasInterval) parts.push(`interval ${random.pick(state.intervals)}`)
  state.rows = 'table'
  state.hasChanged = false
  state.columns = [
    ...(hasInterval ? [{ name: 'time', kind: 'date', values: [] } as const] : []),
    ...keys,
    ...made,
  ]
  return parts.filter((part) => part !== '').join(random.chance(0.3) ? ' ' : ' | ')
}

type CallPlace = {
  readonly index: number
  readonly made: QueryColumn[]
  readonly hasInterval: boolean
}

function functionCall(
  random: Random,
  state: State,
  { index, made, hasInterval }: CallPlace,
): string | null {
  const isEvents = state.rows === 'events'
  const column = (kinds: readonly ColumnKind[]) => {
    const columns = ofKinds(state, kinds)
    return columns.length === 0 ? null : random.pick(columns)
  }
  const counts = ['1', '2', '5', '10', '20']
  const choose = (): { text: string; kind: ColumnKind; values: readonly string[] } | null => {
    const on = (name: string, kinds: readonly ColumnKind[], kind?: ColumnKind) => {
      const own = column(kinds)
      if (own === null) return null
      return {
        text: `${name} ${own.name}`,
        kind: kind ?? own.kind,
        values: kind === 'number' ? counts : own.values,
      }
    }
    switch (random.below(isEvents ? 18 : 14)) {
      case 0:
      case 1:
      case 2:
        return { text: 'count', kind: 'number', values: counts }
      case 3:
        return on('count', KEY_KINDS, 'number')
      case 4:
        return on(random.pick(['distinct count', 'count distinct']), ORDER_KINDS, 'number')
      case 5:
        return on('sum', NUMBER_KINDS, 'number')
      case 6:
        return on('avg', NUMBER_KINDS, 'number')
      case 7:
        return on('min', EXTREME_KINDS)
      case 8:
        return on('max', EXTREME_KINDS)
      case 9:
        return on('median', NUMBER_KINDS, 'number')
      case 10:
        return on(
          `percentile ${random.pick(['0', '25', '50', '95', '99.9', '100'])}`,
          NUMBER_KINDS,
          'number',
        )
      case 11:
        return on('first', ORDER_KINDS)
      case 12:
        return on('last', ORDER_KINDS)
      case 13:
        return on('values', ['text', 'cased', 'mixed', 'number'], 'text')
      case 14:
        return index === 0 ? null : on('stdev', NUMBER_KINDS, 'odd')
      case 15:
        return { text: random.pick(['start time', 'end time']), kind: 'date', values: [] }
      case 16:
        return hasInterval ? null : { text: 'time', kind: 'number', values: ['0', '1000'] }
      default:
        return hasInterval ? null : { text: 'percent', kind: 'number', values: ['10', '50'] }
    }
  }
  const chosen = choose()
  if (chosen === null) return null
  const condition =
    chosen.text !== 'percent' && random.chance(0.2) ? ` if (${state.condition()})` : ''
  const isTaken = made.some(({ name }) => name === chosen.text)
  const alias = isTaken || random.chance(0.5) ? aliasFor(state, 'F') : null
  made.push({ name: alias ?? chosen.text, kind: chosen.kind, values: chosen.values })
  return `${chosen.text}${condition}${alias === null ? '' : ` as ${alias}`}`
}

/** Puts its columns into `keys`. */
function groupBy(random: Random, state: State, keys: QueryColumn[]): string {
  const columns = ofKinds(state, KEY_KINDS)
  if (columns.length === 0) return ''
  const items = random.some(columns, 2).map((column) => {
    const isFormatted = column.kind === 'date' ? random.chance(0.8) : random.chance(0.15)
    const isNamed = isFormatted || column.name.startsWith('column.') || random.chance(0.2)
    const alias = isNamed ? aliasFor(state, 'K') : null
    const missing = random.chance(0.15) ? ' or "none"' : ''
    const kind = isFormatted ? 'cased' : column.kind === 'tags' ? 'cased' : column.kind
    keys.push({
      name: alias ?? column.name,
      kind: missing === '' || kind !== 'number' ? kind : 'mixed',
      values: column.values,
    })
    const format = isFormatted && column.kind !== 'tags' ? ` ${randomFormat(random, column)}` : ''
    return `${column.name}${alias === null ? '' : ` as ${alias}`}${format}${missing}`
  })
  return `group by ${items.join(', ')}`
}

export function datastream(random: Random, state: State): string {
  const parts = ['datastream']
  const keys = random.chance(0.5) ? random.some(['log', 'folder', 'host', 'app', 'source'], 2) : []
  if (keys.length > 0) parts.push(`group by ${keys.join(', ')}`)
  if (random.chance(0.5)) parts.splice(1, 0, `interval ${random.pick(state.intervals)}`)
  state.rows = 'table'
  state.hasChanged = false
  const texts = keys.map(
    (name): QueryColumn => ({ name, kind: 'cased', values: ['access', 'Web'] }),
  )
  state.columns = [
    { name: 'time', kind: 'date', values: [] },
    ...texts,
    { name: 'events', kind: 'number', values: ['0', '1', '5'] },
    { name: 'volume', kind: 'number', values: ['0', '500', '2000'] },
  ]
  return parts.join(' | ')
}
