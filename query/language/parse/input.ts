// The text of a query while it is read: tokens on demand, limits, and the one place where a query
// error is made. Positions are UTF-16 code units from 0; failures show them from 1 (a person's
// first character is 1).
import { Failure } from '../../../schemas/failures.ts'
import type { Pattern, PatternPart } from '../tree.ts'

export const MAX_QUERY_CHARACTERS = 32_768
export const MAX_NESTING = 50
export const MAX_STAGES = 40

export type Token = WordToken | QuotedToken | SymbolToken | EndToken
export type WordToken = {
  readonly kind: 'word'
  readonly start: number
  readonly end: number
  /** As written, in lower case: what keywords are compared with. An escaped keyword is not a
   *  keyword. */
  readonly keyword: string
  readonly pattern: Pattern
}
export type QuotedToken = {
  readonly kind: 'quoted'
  readonly start: number
  readonly end: number
  readonly text: string
}
export type SymbolToken = {
  readonly kind: 'symbol'
  readonly start: number
  readonly end: number
  readonly symbol: '(' | ')' | ',' | '|' | '=' | '!=' | '<' | '<=' | '>' | '>=' | '[' | ']'
}
export type EndToken = { readonly kind: 'end'; readonly start: number; readonly end: number }

/** White space of queries and of phrases. The unit separator counts too: no term may reach over
 *  values. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+001F separates the values of an event
const SPACE = /[\s\u001f\u0085]/
const SYMBOLS = new Set(['(', ')', ',', '|', '=', '!=', '<', '<=', '>', '>='] as const)
const BRACKETS = new Set(['[', ']'] as const)

export function isSpace(character: string): boolean {
  return SPACE.test(character)
}

/** What is around a text in quotation marks that is read as a query of its own: nesting and stages
 *  are counted through, errors point into the whole text. */
export type Surrounding = {
  readonly input: Input
  /** Where a position of the inner text stands in the text around it. */
  readonly placeOf: (position: number) => number
}

export class Input {
  readonly text: string
  readonly #around: Surrounding | undefined
  position = 0
  #nesting = 0
  #stages = 0
  /** Depth of sub-queries, in which brackets are symbols. */
  #brackets = 0
  readonly #tokens = new Map<number, Token>()

  constructor(text: string, around?: Surrounding) {
    this.text = text
    this.#around = around
    this.#nesting = around ? around.input.#nesting : 0
    this.#stages = around ? around.input.#stages : 0
    if (text.length > MAX_QUERY_CHARACTERS) {
      this.raise(
        `the query is longer than ${MAX_QUERY_CHARACTERS} characters`,
        MAX_QUERY_CHARACTERS,
      )
    }
  }

  raise(reason: string, position = this.token().start): never {
    throw new Failure('search.query', { position: this.#wholePlace(position) + 1, reason })
  }

  #wholePlace(position: number): number {
    return this.#around ? this.#around.input.#wholePlace(this.#around.placeOf(position)) : position
  }

  /** The token at or after `from`; does not move. */
  token(from = this.position): Token {
    const key = from * 2 + (this.#brackets > 0 ? 1 : 0)
    const known = this.#tokens.get(key)
    if (known) return known
    const token = this.#read(this.skipSpace(from))
    this.#tokens.set(key, token)
    return token
  }

  /** Moves to the end of the token. */
  take(token: { readonly end: number }): void {
    this.position = token.end
  }

  skipSpace(from = this.position): number {
    let at = from
    while (at < this.text.length && isSpace(this.text.charAt(at))) at += 1
    return at
  }

  isSymbol(symbol: SymbolToken['symbol'], from = this.position): boolean {
    const token = this.token(from)
    return token.kind === 'symbol' && token.symbol === symbol
  }

  /** True when the words stand here, in any letter case. */
  isKeyword(...words: readonly string[]): boolean {
    return this.keywordsEnd(this.position, words) !== undefined
  }

  /** Where the words that stand at `from` end. */
  keywordsEnd(from: number, words: readonly string[]): number | undefined {
    let at = from
    for (const word of words) {
      const token = this.token(at)
      if (token.kind !== 'word' || token.keyword !== word) return undefined
      at = token.end
    }
    return at
  }

  takeKeyword(...words: readonly string[]): boolean {
    const end = this.keywordsEnd(this.position, words)
    if (end === undefined) return false
    this.position = end
    return true
  }

  takeSymbol(symbol: SymbolToken['symbol']): boolean {
    const token = this.token()
    if (token.kind !== 'symbol' || token.symbol !== symbol) return false
    this.take(token)
    return true
  }

  expectSymbol(symbol: SymbolToken['symbol'], reason = `${symbol} is expected`): void {
    if (!this.takeSymbol(symbol)) this.raise(reason)
  }

  expectQuoted(what: string): QuotedToken {
    const token = this.token()
    if (token.kind !== 'quoted') this.raise(`${what} is expected in quotation marks`)
    this.take(token)
    return token
  }

  /** Runs a part one level deeper. */
  nested<Node>(parse: () => Node): Node {
    this.#nesting += 1
    if (this.#nesting > MAX_NESTING) this.raise(`the query is nested deeper than ${MAX_NESTING}`)
    const node = parse()
    this.#nesting -= 1
    return node
  }

  /** Runs the inside of `[ query ]`. */
  bracketed<Node>(parse: () => Node): Node {
    this.#brackets += 1
    const node = this.nested(parse)
    this.#brackets -= 1
    return node
  }

  get isInBrackets(): boolean {
    return this.#brackets > 0
  }

  /** Takes over the count of a text that this one surrounds. */
  countStagesOf(inner: Input): void {
    this.#stages = inner.#stages
  }

  countStage(position: number): void {
    this.#stages += 1
    if (this.#stages > MAX_STAGES) {
      this.raise(`the query has more than ${MAX_STAGES} stages`, position)
    }
  }

  #read(start: number): Token {
    const first = this.text.charAt(start)
    if (first === '') return { kind: 'end', start, end: start }
    if (first === '"') return this.#readQuoted(start)
    const symbol = this.#symbolAt(start)
    if (symbol) return { kind: 'symbol', start, end: start + symbol.length, symbol }
    return this.#readWord(start)
  }

  #symbolAt(at: number): SymbolToken['symbol'] | undefined {
    const two = this.text.slice(at, at + 2)
    const one = two.charAt(0)
    for (const symbol of SYMBOLS) if (symbol === two) return symbol
    for (const symbol of SYMBOLS) if (symbol === one) return symbol
    if (this.#brackets > 0) for (const symbol of BRACKETS) if (symbol === one) return symbol
    return undefined
  }

  #readQuoted(start: number): QuotedToken {
    let text = ''
    let from = start + 1
    for (let at = from; at < this.text.length; at += 1) {
      const character = this.text.charAt(at)
      if (character === '"') {
        return { kind: 'quoted', start, end: at + 1, text: text + this.text.slice(from, at) }
      }
      const next = this.text.charAt(at + 1)
      if (character === '\\' && (next === '"' || next === '\\')) {
        text += this.text.slice(from, at) + next
        at += 1
        from = at + 1
      }
    }
    return this.raise('the quotation mark is not closed', start)
  }

  #readWord(start: number): WordToken {
    const pattern = new PatternBuilder()
    let at = start
    while (at < this.text.length) {
      const character = this.text.charAt(at)
      if (character === '\\') {
        pattern.addText(this.escaped(at))
        at += 2
      } else if (character === '-' && this.text.charAt(at + 1) === '>') {
        pattern.addText('->')
        at += 2
      } else if (character === '"' || isSpace(character) || this.#symbolAt(at)) {
        break
      } else {
        pattern.addCharacter(character)
        at += 1
      }
    }
    const keyword = this.text.slice(start, at).toLowerCase()
    return { kind: 'word', start, end: at, keyword, pattern: pattern.parts() }
  }

  /** The character that the backslash at `at` makes plain. */
  escaped(at: number): string {
    const next = this.text.charAt(at + 1)
    if (next === '') this.raise('nothing follows the backslash', at)
    return next
  }
}

/** Builds a Pattern from characters, `*` and `?` being wildcards; neighbouring texts and runs
 *  become one. */
export class PatternBuilder {
  readonly #parts: PatternPart[] = []
  #text = ''

  addText(text: string): void {
    this.#text += text
  }

  addCharacter(character: string): void {
    if (character === '*') this.#addWild('run')
    else if (character === '?') this.#addWild('one')
    else this.#text += character
  }

  parts(): Pattern {
    this.#flush()
    return this.#parts
  }

  #addWild(kind: 'run' | 'one'): void {
    this.#flush()
    if (kind === 'run' && this.#parts.at(-1)?.kind === 'run') return
    this.#parts.push({ kind })
  }

  #flush(): void {
    if (this.#text !== '') this.#parts.push({ kind: 'text', text: this.#text })
    this.#text = ''
  }
}

/** The text of a pattern read without wildcards: `*` and `?` are plain. */
export function patternText(pattern: Pattern): string {
  let text = ''
  for (const part of pattern) {
    if (part.kind === 'text') text += part.text
    else text += part.kind === 'run' ? '*' : '?'
  }
  return text
}
