// The formats time and volume (search-language#formats): a number in a unit.
import { describeUnknown } from '../../nearest-word.ts'
import { raiseQuery } from '../../parse/raise-query.ts'
import type { CompileContext } from '../compile-context.ts'
import { letSql } from '../let-sql.ts'
import { shortNumber } from './short-number.ts'

/** An argument of the format. */
type Given = { readonly text: string; readonly start: number } | undefined
export type Units = { readonly input: Given; readonly output: Given }

/** `factor`: in thousandths of a millisecond, or in bytes. */
type Unit = { readonly factor: number; readonly name: string }

const DURATIONS: ReadonlyMap<string, Unit> = new Map([
  ['microsec', { factor: 1, name: 'microseconds' }],
  ['ms', { factor: 1000, name: 'milliseconds' }],
  ['sec', { factor: 1_000_000, name: 'seconds' }],
  ['min', { factor: 60_000_000, name: 'minutes' }],
  ['hour', { factor: 3_600_000_000, name: 'hours' }],
  ['day', { factor: 86_400_000_000, name: 'days' }],
])
const MILLISECONDS: Unit = { factor: 1000, name: 'milliseconds' }

const VOLUMES: ReadonlyMap<string, Unit> = new Map(
  ['B', 'KB', 'MB', 'GB'].map((name, power) => [
    name.toLowerCase(),
    { factor: 1024 ** power, name },
  ]),
)
const BYTES: Unit = { factor: 1, name: 'B' }

/** Nullable(String), NULL where the number is. Without an output unit: the largest that is at least
 *  1. */
export function formatDuration(
  number: string,
  { input, output }: Units,
  context: CompileContext,
): string {
  const from = input ? unitOf(input, DURATIONS) : MILLISECONDS
  if (output) return inUnit(number, from, unitOf(output, DURATIONS), context)
  const units = [...DURATIONS.values()].reverse()
  // Nothing at all is so many milliseconds.
  const factors = `[${[...units, MILLISECONDS].map(({ factor }) => factor).join(', ')}]`
  const names = `[${[...units, MILLISECONDS].map(({ name }) => `' ${name}'`).join(', ')}]`
  const print = (value: string) => {
    const isEnough = `factor -> ifNull(abs(${value}) * ${from.factor} >= factor, 0)`
    const first = `arrayFirstIndex(${isEnough}, ${factors})`
    const inPlace = (place: string) =>
      `concat(${shortNumber(`${value} * ${from.factor} / ${factors}[${place}]`, context)}, ${names}[${place}])`
    const place = `if(${first} = 0, ${units.length + 1}, ${first})`
    return `if(isNull(${value}), NULL, ${letSql(place, inPlace, context)})`
  }
  return letSql(number, print, context)
}

/** Nullable(String), NULL where the number is. Without an output unit: bytes as they are. */
export function formatVolume(
  number: string,
  { input, output }: Units,
  context: CompileContext,
): string {
  const from = input ? unitOf(input, VOLUMES) : BYTES
  if (output) return inUnit(number, from, unitOf(output, VOLUMES), context)
  return letSql(number, (value) => nullable(value, shortNumber(value, context)), context)
}

function inUnit(number: string, from: Unit, to: Unit, context: CompileContext): string {
  const print = (value: string) => {
    const text = shortNumber(`${value} * ${from.factor} / ${to.factor}`, context)
    return nullable(value, `concat(${text}, ' ${to.name}')`)
  }
  return letSql(number, print, context)
}

function nullable(number: string, text: string): string {
  return `if(isNull(${number}), NULL, ${text})`
}

function unitOf({ text, start }: NonNullable<Given>, units: ReadonlyMap<string, Unit>): Unit {
  const unit = units.get(text.trim().toLowerCase())
  if (unit) return unit
  const known = [...units.keys()].join(', ')
  return raiseQuery(
    `${describeUnknown('unit', text, [...units.keys()])}; units are ${known}`,
    start,
  )
}
