// Formats (search-language#formats): `in time format("ms", "sec")`.
import { checkRegExp } from '../regexp.ts'
import type { Format, FormatType } from '../tree.ts'
import { endsAtFormat } from './column.ts'
import type { Reader } from './reader.ts'

/** How many arguments each takes. */
const TYPES: Readonly<Record<FormatType, readonly [least: number, most: number]>> = {
  number: [0, 1],
  simple: [1, 1],
  time: [0, 2],
  date: [0, 2],
  volume: [0, 2],
  regexp: [1, 2],
  expression: [1, 1],
  query: [1, 1],
}
const UNITS: Readonly<Partial<Record<FormatType, RegExp>>> = {
  time: /^(?:microsec|ms|sec|min|hour|day)$/i,
  volume: /^[kmg]?b$/i,
}

export function takesFormat(reader: Reader): Format | null {
  if (!endsAtFormat(reader, reader.at)) return null
  reader.takesWords('in')
  const word = reader.next()
  const name = word.kind === 'word' ? word.keyword : ''
  const type = Object.keys(TYPES).find((known): known is FormatType => known === name)
  if (!type) return reader.refuse(`unknown format ${name}`)
  reader.takesWords('format')
  const given: string[] = []
  if (reader.takesSign('(') && !reader.takesSign(')')) {
    do given.push(reader.expectQuoted('an argument of the format'))
    while (reader.takesSign(','))
    reader.expectSign(')')
  }
  const [least, most] = TYPES[type]
  if (given.length < least || given.length > most) reader.refuse('too many arguments, or too few')
  const unit = UNITS[type]
  if (unit && !given.every((text) => unit.test(text))) reader.refuse('unknown unit')
  if (type === 'regexp') checkRegExp(given[0] ?? '')
  return { type, arguments: given }
}
