// A stage (search-language#where to #transpose): what stands between two `|`.
import { checkRegExp } from '../regexp.ts'
import type { DisplayItem, OrderBy, PlainItem, Stage } from '../tree.ts'
import { endsAtFormat, type IsEnd, parseColumn, takesAlias } from './column.ts'
import { parseFilter } from './filter.ts'
import { takesFormat } from './format.ts'
import {
  isRaw,
  parseFunctions,
  parseGrouping,
  parseInterval,
  parsePercentile,
  takesGroupBy,
} from './functions.ts'
import type { Names } from './names.ts'
import type { Reader } from './reader.ts'

/** Several where functions, `group by` and `interval` stand in one. */
export function parseStage(reader: Reader, names: Names): Stage[] {
  const start = reader.at
  const groupBy = takesGroupBy(reader, names)
  if (groupBy) return [groupBy, ...parseGrouping(reader, names)]
  if (reader.afterWords('interval') !== null)
    return [parseInterval(reader), ...parseGrouping(reader, names)]
  if (reader.takesWords('datastream')) {
    needsEvents(reader, names)
    const isReceived = reader.takesWords('received')
    return [{ kind: 'datastream', isReceived }, ...parseGrouping(reader, names)]
  }
  if (reader.takesWords('percentile')) {
    const percentile = parsePercentile(reader)
    if (isOver(reader)) return [{ kind: 'percentileCut', percentile }]
    reader.at = start
  }
  const plain = parsePlain(reader, names)
  return plain ? [plain] : (parseFunctions(reader, names) ?? reader.refuse('unknown stage'))
}

function isOver(reader: Reader): boolean {
  return reader.peek().kind === 'end' || reader.isSign('|') || reader.isSign(']')
}

function needsEvents(reader: Reader, { rows }: Names): void {
  if (rows === 'table') reader.refuse('events are needed, not a table')
}

function needsTable(reader: Reader, { rows }: Names): void {
  if (rows === 'events') reader.refuse('a table is needed, not events')
}

const NOWHERE: IsEnd = () => false

function parsePlain(reader: Reader, names: Names): Stage | null {
  if (reader.takesWords('where')) return { kind: 'where', filter: parseFilter(reader, names) }
  if (reader.takesWords('order by')) return parseOrder(reader, names)
  if (reader.takesWords('limit')) return parseLimit(reader)
  if (reader.takesWords('list')) return parseList(reader, names)
  if (reader.takesWords('display')) return parseDisplay(reader, names)
  if (reader.takesWords('dedup')) {
    const columns = [parseColumn(reader, names, NOWHERE)]
    while (reader.takesSign(',')) columns.push(parseColumn(reader, names, NOWHERE))
    return { kind: 'dedup', columns }
  }
  if (reader.takesWords('extract')) return parseExtract(reader, names)
  if (reader.takesWords('replace')) return parseReplace(reader, names)
  if (reader.takesWords('round')) return parseRound(reader, names)
  if (reader.takesWords('transpose')) {
    needsTable(reader, names)
    const column = isOver(reader) ? null : parseColumn(reader, names, NOWHERE)
    return { kind: 'transpose', column }
  }
  if (reader.takesWords('join')) return parseJoin(reader, names)
  return null
}

function parseOrder(reader: Reader, names: Names): OrderBy {
  const keys: OrderBy['keys'][number][] = []
  do {
    const column = parseColumn(reader, names, NOWHERE)
    if (names.rows === 'events' && isRaw(column)) reader.refuse('raw may be shown, not sorted')
    const isDown = reader.takesWords('desc')
    if (!isDown) reader.takesWords('asc')
    keys.push({ column, direction: isDown ? 'desc' : 'asc' })
  } while (reader.takesSign(','))
  return { kind: 'orderBy', keys }
}

function parseLimit(reader: Reader): Stage {
  const count = parseWhole(reader)
  return { kind: 'limit', count, offset: reader.takesWords('offset') ? parseWhole(reader) : 0 }
}

function parseWhole(reader: Reader): number {
  const number = reader.takesNumber()
  if (number === null || !Number.isSafeInteger(number)) reader.refuse('a whole number is expected')
  return number ?? 0
}

function parseList(reader: Reader, names: Names): Stage {
  needsEvents(reader, names)
  const items: PlainItem[] = []
  do {
    const column = parseColumn(reader, names, endsAtFormat)
    items.push({ column, alias: takesAlias(reader, endsAtFormat) })
  } while (reader.takesSign(','))
  return { kind: 'list', items }
}

function parseDisplay(reader: Reader, names: Names): Stage {
  const start = reader.at
  // `display only` alone shows a column of that name.
  const isOnly = reader.takesWords('only') && !isOver(reader) && !reader.isSign(',')
  const isName = !isOnly || reader.afterWords('as') !== null
  if (isName) reader.at = start
  const items = [parseItem(reader, names)]
  while (reader.takesSign(',')) items.push(parseItem(reader, names))
  return { kind: 'display', isOnly: !isName, items }
}

function parseItem(reader: Reader, names: Names): DisplayItem {
  const column = parseColumn(reader, names, endsAtFormat)
  return { column, alias: takesAlias(reader, endsAtFormat), format: takesFormat(reader) }
}

function parseExtract(reader: Reader, names: Names): Stage {
  const regexp = reader.expectQuoted('a regular expression')
  checkRegExp(regexp)
  if (!/\(\?P?<[A-Za-z_]/.test(regexp)) reader.refuse('a named group is expected')
  if (!reader.takesWords('from')) reader.refuse('from and a column are expected')
  return { kind: 'extract', regexp, column: parseColumn(reader, names, NOWHERE) }
}

function parseReplace(reader: Reader, names: Names): Stage {
  const regexp = reader.expectQuoted('a regular expression')
  checkRegExp(regexp)
  if (!reader.takesWords('with')) reader.refuse('with and a text are expected')
  const replacement = reader.expectQuoted('a text')
  if (!reader.takesWords('in')) reader.refuse('in and a column are expected')
  const column = parseColumn(reader, names, NOWHERE)
  return { kind: 'replace', regexp, replacement, column, alias: takesAlias(reader, NOWHERE) }
}

function parseRound(reader: Reader, names: Names): Stage {
  const endsAtDigits: IsEnd = (own, at) => {
    const after = own.afterWords('to', at)
    return after !== null && /^\s*\d/.test(own.text.slice(after))
  }
  const column = parseColumn(reader, names, endsAtDigits)
  const digits = reader.takesWords('to') ? parseWhole(reader) : 0
  if (digits > 15) reader.refuse('a whole number from 0 to 15 is expected')
  return { kind: 'round', column, digits, alias: takesAlias(reader, NOWHERE) }
}

function parseJoin(reader: Reader, names: Names): Stage {
  needsTable(reader, names)
  if (!reader.isBracket()) reader.refuse('[ and a query are expected')
  const { query, names: joined } = names.parseInner(reader.takesBrackets())
  if (!reader.takesWords('on')) reader.refuse('on and a column are expected')
  const left = parseColumn(reader, names, NOWHERE)
  const right = reader.takesSign('=') ? parseColumn(reader, joined, NOWHERE) : null
  return { kind: 'join', query, left, right }
}
