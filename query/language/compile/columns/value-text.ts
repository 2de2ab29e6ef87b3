// Values as texts and as numbers in SQL, whatever kind of column they are in.

import type { CompileContext } from '../compile-context.ts'
import { systemDateText } from '../formats/date-text.ts'
import { keySql } from '../groups/key-sql.ts'
import { isNumberSql } from '../tests/number-bound.ts'
import { type Operand, sourceExists } from '../tests/operand.ts'
import { doubleText, type ValueSource } from './column-sql.ts'

const THOUSANDS = '^[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:[.][0-9]*)?$'

/** What a cell of the column shows (search-language#formats): String, '' when missing. */
export function shownText(operand: Operand, context: CompileContext): string {
  switch (operand.kind) {
    case 'date':
      return systemDateText(operand, context)
    case 'size':
      return `toString(${operand.sql})`
    case 'perLog':
      return keySql(operand, context.params, 'one').sql
    case 'values': {
      const print = operand.isComputed ? computedText : doubleText
      const texts = operand.spellings
        .flat()
        .map(({ kind, sql }) => (kind === 'text' ? sql : print(sql)))
      return firstText(texts)
    }
  }
}

/** The value as functions count it, Nullable(Float64): spaces around and thousands commas do not
 *  count, `12ms` is not a number (search-language#functions). */
export function numericValue(operand: Operand): string {
  return numberOf(operand, {
    nothing: "CAST(NULL, 'Nullable(Float64)')",
    ofDouble: (sql) => `toNullable(toFloat64(${sql}))`,
    ofText: (text) => `toFloat64OrNull(${text})`,
  })
}

/** As numericValue, with all its digits: Nullable(Decimal(76, 38)). NULL also for a number that
 *  this does not hold. */
export function decimalValue(operand: Operand): string {
  const ofText = (text: string) => `toDecimal256OrNull(${text}, 38)`
  const isComputed = operand.kind === 'values' && operand.isComputed === true
  return numberOf(operand, {
    nothing: ofText('NULL'),
    ofDouble: (sql) => ofText(isComputed ? computedText(sql) : doubleText(sql)),
    ofText,
  })
}

type Reading = {
  readonly nothing: string
  readonly ofDouble: (sql: string) => string
  readonly ofText: (text: string) => string
}

function numberOf(operand: Operand, reading: Reading): string {
  switch (operand.kind) {
    case 'size':
      return reading.ofDouble(operand.sql)
    case 'date':
    case 'perLog':
      return reading.nothing
    case 'values': {
      const read = (source: ValueSource) => {
        if (source.kind === 'double') return reading.ofDouble(source.sql)
        return source.isNumber ? reading.ofText(source.sql) : numberText(source.sql, reading)
      }
      const sources = operand.spellings.flat()
      const [only] = sources
      if (!only) return reading.nothing
      if (sources.length === 1) return read(only)
      const cases = sources.flatMap((source) => [sourceExists(source), read(source)])
      return `multiIf(${cases.join(', ')}, ${reading.nothing})`
    }
  }
}

function numberText(sql: string, { ofText, nothing }: Reading): string {
  const trimmed = `trimBoth(${sql})`
  const plain = `if(match(${trimmed}, '${THOUSANDS}'), replaceAll(${trimmed}, ',', ''), ${trimmed})`
  return `if(${isNumberSql(plain)}, ${ofText(plain)}, ${nothing})`
}

/** A number that was worked out: shortest form with at most 15 digits, whole numbers whole. '' for
 *  NULL, NaN and infinity. */
export function computedText(number: string): string {
  const short = doubleText(`toFloat64(printf('%.15g', toFloat64(${number})))`)
  // The name of the type is known before the query runs: one side is left.
  const text = `if(match(toTypeName(${number}), 'Int'), toString(${number}), ${short})`
  return `if(isFinite(ifNull(toFloat64(${number}), nan)), ifNull(${text}, ''), '')`
}

function firstText(texts: readonly string[]): string {
  const [first, ...more] = texts
  if (first === undefined) return "''"
  if (more.length === 0) return `toString(${first})`
  const present = texts.slice(0, -1).flatMap((text) => [`${text} != ''`, text])
  return `multiIf(${[...present, texts.at(-1)].join(', ')})`
}
