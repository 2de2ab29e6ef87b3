// The eight formats (search-language#formats): what is printed instead of a value.

import { readerOf } from './columns.ts'
import { replaceAll, toRegExp } from './regexp.ts'
import {
  type Cell,
  numberCell,
  type Relation,
  type Row,
  textCell,
  type World,
} from './run/model.ts'
import type { Format } from './tree.ts'
import { cellText, numericValue } from './values.ts'
import { formatWall } from './zone.ts'

/** For an item or key; '' where nothing is printed. */
export function formatCell(
  format: Format,
  cell: Cell,
  row: Row,
  relation: Relation,
  world: World,
): string {
  const [first, second] = format.arguments
  const text = cellText(cell, world.zone)
  const number = numericValue(cell)
  switch (format.type) {
    case 'simple':
      return fillTemplate(first ?? '', row, relation, world)
    case 'expression':
      return printNumber(expressionValue(first ?? '', row, relation, world))
    case 'query':
      return consoleLink(first ?? '', row, relation, world)
    case 'number':
      return number === null ? text : printPattern(number, first ?? '#.##')
    case 'time':
      return number === null ? text : printDuration(number, first, second)
    case 'volume':
      return number === null ? text : printVolume(number, first, second)
    case 'date':
      return cell?.kind === 'date'
        ? formatWall(first ?? 'MM/dd/yyyy HH:mm:ss', cell.ms, second ?? world.zone)
        : text
    case 'regexp': {
      if (cell === null) return ''
      if (second !== undefined) return replaceAll(text, first ?? '', second)
      const found = toRegExp(first ?? '').exec(text)
      return found === null ? '' : (found[1] ?? (found.length > 1 ? '' : found[0]))
    }
  }
}

/** What a column added by a format holds for later stages. */
export function addedCell(format: Format, row: Row, relation: Relation, world: World): Cell {
  if (format.type === 'expression') {
    return expressionValue(format.arguments[0] ?? '', row, relation, world)
  }
  return textCell(formatCell(format, null, row, relation, world))
}

/** Of an expression. */
export function printNumber(cell: Cell): string {
  return cell?.kind === 'number' ? printShort(cell.value) : ''
}

// ---------- numbers ----------

/** At most two digits behind the point, half away from zero, zeros cut; of its 15 digits: those
 *  behind them are the double's own. */
export function printShort(value: number): string {
  const rounded = roundHalfAway(value, 2)
  const before = Math.trunc(Math.abs(rounded)).toString().length
  const text = rounded.toFixed(Math.min(2, Math.max(0, 15 - before)))
  const cut = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  return cut === '-0' ? '0' : cut
}

export function roundHalfAway(value: number, digits: number): number {
  const power = 10 ** digits
  const scaled = Number((Math.abs(value) * power).toPrecision(15))
  return (Math.sign(value) * Math.floor(scaled + 0.5)) / power
}

/** `0` a digit always, `#` if needed, `,` grouping, `%` times 100. */
function printPattern(value: number, pattern: string): string {
  const match = /^([^#0,.]*)([#0,]*)(?:\.([#0]*))?(.*)$/s.exec(pattern)
  if (!match) throw new Error(`the reference reads no pattern ${pattern}`)
  const [, head = '', whole = '', fraction = '', tail = ''] = match
  const scaled = `${head}${tail}`.includes('%') ? value * 100 : value
  const rounded = roundHalfAway(scaled, fraction.length)
  const [integer = '0', decimals = ''] = Math.abs(rounded).toFixed(fraction.length).split('.')
  let digits = integer.padStart(whole.replace(/[^0]/g, '').length, '0')
  if (!whole.includes('0') && digits === '0' && fraction !== '') digits = '0'
  const comma = whole.lastIndexOf(',')
  if (comma >= 0) {
    const size = whole.length - comma - 1
    digits = digits.replace(new RegExp(`\\B(?=(?:\\d{${size}})+$)`, 'g'), ',')
  }
  const least = fraction.lastIndexOf('0') + 1
  let shown = decimals
  while (shown.length > least && shown.endsWith('0')) shown = shown.slice(0, -1)
  const sign = rounded < 0 ? '-' : ''
  return `${head}${sign}${digits}${shown === '' ? '' : `.${shown}`}${tail}`
}

// ---------- durations and volumes ----------

const DURATIONS = [
  { unit: 'microsec', ms: 0.001, name: 'microseconds' },
  { unit: 'ms', ms: 1, name: 'milliseconds' },
  { unit: 'sec', ms: 1000, name: 'seconds' },
  { unit: 'min', ms: 60_000, name: 'minutes' },
  { unit: 'hour', ms: 3_600_000, name: 'hours' },
  { unit: 'day', ms: 86_400_000, name: 'days' },
]

function printDuration(value: number, first?: string, second?: string): string {
  const [input, output] = second === undefined ? ['ms', first] : [first, second]
  const inMs = value * unitOf(input ?? 'ms').ms
  const largest = DURATIONS.filter(({ ms }) => Math.abs(inMs) >= ms).at(-1) ?? DURATIONS[1]
  const unit = output === undefined ? largest : unitOf(output)
  if (!unit) throw new Error('no unit')
  return `${printShort(inMs / unit.ms)} ${unit.name}`
}

function unitOf(text: string) {
  const found = DURATIONS.find(({ unit }) => unit === text.toLowerCase())
  if (!found) throw new Error(`no duration ${text}`)
  return found
}

const VOLUMES = ['B', 'KB', 'MB', 'GB']

function printVolume(value: number, first?: string, second?: string): string {
  const [input, output] = second === undefined ? ['B', first] : [first, second]
  const power = (unit: string) => VOLUMES.indexOf(unit.toUpperCase())
  if (output === undefined) return printShort(value)
  return `${printShort((value * 1024 ** power(input ?? 'B')) / 1024 ** power(output))} ${output.toUpperCase()}`
}

// ---------- templates ----------

/** `column.{A B}`, or the longest name that follows `column.`. */
function findName(
  template: string,
  at: number,
  relation: Relation,
  world: World,
): { name: string; end: number } | null {
  if (!/^column\./i.test(template.slice(at))) return null
  const start = at + 'column.'.length
  if (template[start] === '{') {
    const close = template.indexOf('}', start)
    return close < 0 ? null : { name: template.slice(start + 1, close), end: close + 1 }
  }
  const rest = template.slice(start).toLowerCase()
  // `column.pid` is no column `p`: a word is not cut.
  const isWord = (at: number) => /[\p{L}\p{Nd}_]/u.test(rest.charAt(at))
  const known = knownNames(relation, world).filter(
    (name) =>
      rest.startsWith(name.toLowerCase()) && !(isWord(name.length - 1) && isWord(name.length)),
  )
  const longest = known.sort((a, b) => b.length - a.length)[0]
  if (longest !== undefined) return { name: longest, end: start + longest.length }
  const word = /^[\p{L}\p{Nd}_]+/u.exec(template.slice(start))?.[0]
  return word === undefined ? null : { name: word, end: start + word.length }
}

function knownNames(relation: Relation, world: World): string[] {
  const { kind, shown, hidden } = relation
  const titles = [...shown, ...hidden].flatMap(({ title, synonyms }) => [title, ...synonyms])
  const extra =
    kind === 'events'
      ? ['apptags', 'size', 'raw', ...relation.logs.flatMap(({ id }) => world.names.get(id) ?? [])]
      : []
  return [...titles, ...extra]
}

function columnValue(name: string, row: Row, relation: Relation, world: World): Cell {
  const ref = { kind: 'column', name, origin: 'any' } as const
  return readerOf(relation, ref, world)(row)
}

/** The console's address; a value that is no plain word stands quoted in the query. */
function consoleLink(template: string, row: Row, relation: Relation, world: World): string {
  const quote = (value: string, before: string) => {
    const escaped = value.replace(/["\\]/g, '\\$&')
    if (before.replace(/\\./gs, '').split('"').length % 2 === 0) return escaped
    const isWord = /^[\p{L}\p{Nd}_][\p{L}\p{Nd}_.:/@-]*$/u.test(value)
    return isWord && !/^(and|or|not|in|null|as|by|if)$/i.test(value) ? value : `"${escaped}"`
  }
  const query = encodeURIComponent(fillTemplate(template, row, relation, world, quote))
  const page = `/logeye/search/view/loadSearchModel.jsp?searchQuery=${query.replace(/[!'()*]/g, percent)}`
  const { startMs, endMs } = world.window
  if (startMs === null || endMs === null) return `${page}&fixedInterval=allData`
  const print = (ms: number) =>
    encodeURIComponent(formatWall('MM/dd/yyyy HH:mm:ss', ms, world.zone))
  return `${page}&startTimeFullStr=${print(startMs)}&endTimeFullStr=${print(endMs - 1)}`
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

function fillTemplate(
  template: string,
  row: Row,
  relation: Relation,
  world: World,
  show: (value: string, before: string) => string = (value) => value,
): string {
  let text = ''
  for (let at = 0; at < template.length; ) {
    const found = findName(template, at, relation, world)
    if (found) {
      const value = cellText(columnValue(found.name, row, relation, world), world.zone)
      text += show(value, template.slice(0, at))
      at = found.end
    } else {
      text += template[at]
      at += 1
    }
  }
  return text
}

/** `+ - * / %`, parentheses, numbers, columns; a part without a number and a division by zero give
 *  nothing. */
function expressionValue(source: string, row: Row, relation: Relation, world: World): Cell {
  let at = 0
  const skip = () => {
    while (/\s/.test(source[at] ?? '')) at += 1
  }
  const take = (symbols: string) => {
    skip()
    const symbol = source[at] ?? ''
    if (symbol === '' || !symbols.includes(symbol)) return ''
    at += 1
    return symbol
  }
  const primary = (): number => {
    if (take('(') !== '') {
      const value = sum()
      take(')')
      return value
    }
    if (take('-') !== '') return -primary()
    skip()
    const number = /^\d+(?:\.\d+)?/.exec(source.slice(at))?.[0]
    if (number !== undefined) {
      at += number.length
      return Number(number)
    }
    const found = findName(source, at, relation, world)
    if (!found) throw new Error(`the reference reads no expression ${source}`)
    at = found.end
    return numericValue(columnValue(found.name, row, relation, world)) ?? Number.NaN
  }
  const product = (): number => {
    let value = primary()
    for (let symbol = take('*/%'); symbol !== ''; symbol = take('*/%')) {
      const other = primary()
      if (symbol === '*') value *= other
      else if (other === 0) value = Number.NaN
      else value = symbol === '/' ? value / other : value % other
    }
    return value
  }
  const sum = (): number => {
    let value = product()
    for (let symbol = take('+-'); symbol !== ''; symbol = take('+-')) {
      const other = product()
      value = symbol === '+' ? value + other : value - other
    }
    return value
  }
  const value = sum()
  if (Number.isNaN(value) || !Number.isFinite(value)) return null
  return numberCell(value)
}
