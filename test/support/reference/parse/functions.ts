// Functions (search-language#functions) with the group by and interval of their stage.
import type { FunctionCall, FunctionName, GroupBy, GroupKey, Interval, Stage } from '../tree.ts'
import {
  endsAt,
  endsAtFormat,
  endsAtGrouping,
  endsAtWords,
  type IsEnd,
  parseColumn,
  takesAlias,
} from './column.ts'
import { parseFilter } from './filter.ts'
import { takesFormat } from './format.ts'
import type { Names } from './names.ts'
import type { Reader } from './reader.ts'
import { unitOf } from './units.ts'

const WITHOUT_COLUMN: readonly FunctionName[] = ['start time', 'end time', 'time', 'percent']
const NAMES: readonly FunctionName[] = [
  ...WITHOUT_COLUMN,
  ...(['distinct count', 'count', 'sum', 'avg', 'min', 'max', 'stdev'] as const),
  ...(['median', 'percentile', 'first', 'last', 'values'] as const),
]

const endsAtIf: IsEnd = (reader, at) => {
  const after = reader.afterWords('if', at)
  return after !== null && reader.isSign('(', after)
}
const END_OF_ALIAS = endsAt(endsAtGrouping, endsAtFormat)
const END_OF_COLUMN = endsAt(END_OF_ALIAS, endsAtIf)

/** null: no function stands here. */
export function parseFunctions(reader: Reader, names: Names): Stage[] | null {
  const first = parseCall(reader, names)
  if (!first) return null
  const functions = [first]
  while (reader.takesSign(','))
    functions.push(parseCall(reader, names) ?? reader.refuse('a function is expected'))
  return [{ kind: 'functions', functions }, ...parseGrouping(reader, names)]
}

/** `group by` and `interval` in the stage of what they group. */
export function parseGrouping(reader: Reader, names: Names): Stage[] {
  const stages: Stage[] = []
  while (endsAtGrouping(reader, reader.at))
    stages.push(takesGroupBy(reader, names) ?? parseInterval(reader))
  return stages
}

function parseCall(reader: Reader, names: Names): FunctionCall | null {
  const name = takesName(reader)
  if (name === null) return null
  if (reader.isSign('(')) reader.refuse('a function has no parentheses')
  const percentile = name === 'percentile' ? parsePercentile(reader) : null
  const hasColumn = !WITHOUT_COLUMN.includes(name) && !(name === 'count' && isAtEnd(reader))
  const column = hasColumn ? parseColumn(reader, names, END_OF_COLUMN) : null
  return finishCall(reader, names, { name, percentile, column })
}

function takesName(reader: Reader): FunctionName | null {
  const start = reader.at
  if (reader.takesWords('count distinct') && !isAtEnd(reader)) return 'distinct count'
  reader.at = start
  return NAMES.find((words) => reader.takesWords(words)) ?? null
}

export function parsePercentile(reader: Reader): number {
  const number = reader.takesNumber()
  if (number === null || number > 100) return reader.refuse('a percentile is 0 to 100')
  return number
}

function isAtEnd(reader: Reader): boolean {
  const token = reader.peek()
  if (token.kind === 'sign') return [',', '|', ']'].includes(token.sign)
  return token.kind === 'end' || endsAt(END_OF_COLUMN, endsAtWords('as'))(reader, token.start)
}

function finishCall(
  reader: Reader,
  names: Names,
  call: Pick<FunctionCall, 'name' | 'percentile' | 'column'>,
): FunctionCall {
  let condition: FunctionCall['condition'] = null
  let conditionText = ''
  if (endsAtIf(reader, reader.at)) {
    reader.takesWords('if')
    reader.expectSign('(')
    const start = reader.at
    condition = parseFilter(reader, names)
    conditionText = reader.text.slice(start, reader.at).trim().replace(/\s+/g, ' ')
    reader.expectSign(')')
  }
  return { ...call, condition, conditionText, alias: takesAlias(reader, END_OF_ALIAS) }
}

// ---------- group by and interval ----------

const endsAtMissing: IsEnd = (reader, at) => {
  const after = reader.afterWords('or', at)
  return after !== null && reader.peek(after).kind === 'quoted'
}
const END_OF_KEY_NAME = endsAt(END_OF_ALIAS, endsAtMissing)

export function takesGroupBy(reader: Reader, names: Names): GroupBy | null {
  if (!reader.takesWords('group by')) return null
  const keys = [parseKey(reader, names)]
  while (reader.takesSign(',')) keys.push(parseKey(reader, names))
  return { kind: 'groupBy', keys }
}

function parseKey(reader: Reader, names: Names): GroupKey {
  const column = parseColumn(reader, names, END_OF_KEY_NAME)
  if (names.rows === 'events' && isRaw(column)) reader.refuse('raw may be shown, not grouped by')
  const alias = takesAlias(reader, END_OF_KEY_NAME)
  const format = takesFormat(reader)
  const missingText = reader.takesWords('or') ? reader.expectQuoted('a text') : null
  return { column, alias, format, missingText }
}

export function isRaw({ name, origin }: GroupKey['column']): boolean {
  return origin !== 'parsed' && name.toLowerCase() === 'raw'
}

export function parseInterval(reader: Reader): Interval {
  if (!reader.takesWords('interval')) reader.refuse('interval is expected')
  const found = reader.match(/\s*(\d+(?:\.\d+)?)?\s*([a-z]+)(?![^\s,|\]])/iy)
  const unit = unitOf(found?.[2] ?? '')
  const count = Number(found?.[1] ?? 1)
  if (unit === null || !Number.isInteger(count) || count < 1)
    return reader.refuse('a whole number and a unit of time are expected')
  return { kind: 'interval', count, unit }
}
