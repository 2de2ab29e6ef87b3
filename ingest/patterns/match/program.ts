// What a pattern is compiled to: one instruction an element, in order.

import type { ColumnType, PatternElement } from '../language/pattern.ts'
import type { DateReader } from '../values/date-reader.ts'

// Kinds of instructions.
export const LITERAL = 0
/** Takes as few bytes as the rest of the pattern allows. */
export const OPEN = 1
export const NUMBER = 2
export const TIMESTAMP = 3
export const ADDRESS = 4
export const DATE = 5
export const CHOICE = 6
/** The start of a part that may be missing. */
export const SPLIT = 7
/** The rest of the line. */
export const PAIRS = 8
export const JSON_TEXT = 9
export const END = 10

// What an open column does at a byte: bit 0, what follows the column may begin here; bit 1, the
// column cannot take this byte.
export const MAY_END = 1
export const MUST_END = 2

export type Instruction = {
  readonly kind: number
  /** -1: none. */
  readonly column: number
  /** LITERAL: the bytes; a space takes one or more. */
  readonly bytes: Uint8Array
  /** OPEN: MAY_END and MUST_END by byte. */
  readonly table: Uint8Array
  /** OPEN: what follows may be nothing. */
  readonly mayEndLast: boolean
  /** OPEN: nothing follows. */
  readonly isLast: boolean
  /** What stands before it is open: it must not begin amid the digits of a number. */
  readonly isAfterOpen: boolean
  readonly date: DateReader | null
  /** CHOICE. */
  readonly choices: readonly Uint8Array[]
  readonly ignoresCase: boolean
  /** SPLIT: the instruction after the part, and the columns in it. */
  readonly skipTo: number
  readonly firstColumn: number
  readonly lastColumn: number
  /** What it stands for in the pattern; null at its end. */
  readonly element: PatternElement | null
}

export type PatternColumn = {
  readonly name: string
  readonly type: ColumnType
  /** Its role (ftype), '' for none. */
  readonly role: string
  /** How its dates are shown, '' for as they are. */
  readonly displayFormat: string
  readonly displayLocale: string
  /** timestamp: milliseconds of one unit. */
  readonly product: number
  readonly timeDiffMs: number
  readonly date: DateReader | null
  /** pairs. */
  readonly separator: number
  readonly equals: number
}

export type Program = {
  readonly instructions: readonly Instruction[]
  readonly columns: readonly PatternColumn[]
  /** The first date or timestamp: the time of the event. -1: none. */
  readonly timeColumn: number
  readonly endsEvent: boolean
  /** The last column is {string}: it takes further lines. */
  readonly takesLines: boolean
}
