// What a pattern is once it is read (docs/reference/patterns.md).

export type ColumnType =
  | 'string'
  | 'text'
  | 'word'
  | 'date'
  | 'timestamp'
  | 'number'
  | 'ip'
  | 'geoip'
  | 'choice'
  | 'priority'
  | 'url'
  | 'pairs'
  | 'json'

export type Attributes = Readonly<Record<string, string>>

export type ColumnElement = {
  readonly kind: 'column'
  /** Where it begins in the pattern's text, from 0, and as it is written there. */
  readonly at: number
  readonly text: string
  readonly type: ColumnType
  /** '': read, but no column. */
  readonly name: string
  readonly attributes: Attributes
  /** What stands after the attributes. */
  readonly format: string
}

export type LiteralElement = {
  readonly kind: 'literal'
  readonly at: number
  readonly text: string
}

export type BlockElement = {
  readonly kind: 'block'
  readonly at: number
  readonly mayBeMissing: boolean
  readonly elements: readonly PatternElement[]
}

export type PatternElement = ColumnElement | LiteralElement | BlockElement

export type Pattern = {
  readonly text: string
  readonly elements: readonly PatternElement[]
  /** `{eoe}` stands at its end. */
  readonly endsEvent: boolean
}

/** What is wrong with a pattern; the message says the way out. */
export class PatternFault extends Error {
  /** From 0. */
  readonly at: number
  readonly reason: string

  constructor(at: number, reason: string) {
    super(`at ${at + 1}: ${reason}`)
    this.name = 'PatternFault'
    this.at = at
    this.reason = reason
  }
}
