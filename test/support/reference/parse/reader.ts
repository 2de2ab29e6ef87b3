// The text of a query and the place that is read: words, texts in quotation marks and signs
// (search-language#grammar). Nothing is cut in advance: what ends a word depends on the place.
import { Refused } from '../refusals.ts'
import type { Pattern, PatternPart } from '../tree.ts'

export type Token =
  /** `keyword`: in lower case; empty where a backslash made it a plain word. */
  | { readonly kind: 'word'; readonly pattern: Pattern; readonly keyword: string }
  | { readonly kind: 'quoted'; readonly text: string }
  | { readonly kind: 'sign'; readonly sign: string }
  | { readonly kind: 'end' }
export type Placed = Token & { readonly start: number; readonly end: number }

const SIGN = /!=|<=|>=|[(),|=<>]/y

export class Reader {
  readonly text: string
  /** Brackets end words in a query in brackets only. */
  readonly isInBrackets: boolean
  at = 0

  constructor(text: string, isInBrackets = false) {
    this.text = text
    this.isInBrackets = isInBrackets
  }

  refuse(reason: string): never {
    throw new Refused(`at ${this.at + 1}: ${reason}`)
  }

  peek(from = this.at): Placed {
    let start = from
    while (isSpace(this.text[start])) start += 1
    const first = this.text[start]
    if (first === undefined) return { kind: 'end', start, end: start }
    if (first === '"') {
      const { text, end } = this.#readQuoted(start)
      return { kind: 'quoted', text, start, end }
    }
    const sign = this.#signAt(start)
    if (sign !== '') return { kind: 'sign', sign, start, end: start + sign.length }
    return this.#readWord(start)
  }

  next(): Placed {
    const token = this.peek()
    this.at = token.end
    return token
  }

  /** Of the words from a place on: do they stand there, as they are? The place after them. */
  afterWords(words: string, from = this.at): number | null {
    let at = from
    for (const word of words.split(' ')) {
      const token = this.peek(at)
      if (token.kind !== 'word' || token.keyword !== word) return null
      at = token.end
    }
    return at
  }

  takesWords(words: string): boolean {
    const after = this.afterWords(words)
    if (after !== null) this.at = after
    return after !== null
  }

  isSign(sign: string, from = this.at): boolean {
    const token = this.peek(from)
    return token.kind === 'sign' && token.sign === sign
  }

  takesSign(sign: string): boolean {
    if (!this.isSign(sign)) return false
    this.at = this.peek().end
    return true
  }

  expectSign(sign: string): void {
    if (!this.takesSign(sign)) this.refuse(`${sign} is expected`)
  }

  expectQuoted(what: string): string {
    const token = this.peek()
    if (token.kind !== 'quoted') return this.refuse(`${what} is expected in quotation marks`)
    this.at = token.end
    return token.text
  }

  /** A number of digits, with a point or without. */
  takesNumber(): number | null {
    const match = this.match(/\s*(\d+(?:\.\d+)?)(?![\w.])/y)
    return match && Number(match[1])
  }

  /** Takes what the sticky expression finds at the place. */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at
    const found = expression.exec(this.text)
    if (found) this.at = expression.lastIndex
    return found
  }

  /** Up to a sign of `stops`, or a word at which `isEnd` says so; runs of white space are one. */
  takesRaw(stops: string, isEnd: (at: number) => boolean): Pattern {
    const parts: PatternPart[] = []
    for (let isFirst = true; ; isFirst = false) {
      const { start } = this.peek()
      const letter = this.text[start]
      if (letter === undefined || this.#isStop(stops, start) || isEnd(start)) return parts
      if (!isFirst) addPart(parts, ' ')
      this.at = start
      while (this.at < this.text.length && !isSpace(this.text[this.at])) {
        if (this.#isStop(stops, this.at)) return parts
        if (this.text[this.at] === '"') this.refuse('a name with " must be quoted')
        this.at = this.addLetter(parts, this.at)
      }
    }
  }

  #isStop(stops: string, at: number): boolean {
    const letter = this.text[at] ?? ''
    if (letter === '=' && /[!<>]/.test(this.text[at - 1] ?? '')) return false
    return stops.includes(letter) || (this.isInBrackets && letter === ']')
  }

  /** `[ … ]`: the query inside, and the place after it. */
  takesBrackets(): Reader {
    const start = this.text.indexOf('[', this.at) + 1
    let depth = 1
    let at = start
    while (depth > 0) {
      const letter = this.text[at]
      if (letter === undefined) this.refuse('the bracket is not closed')
      if (letter === '"') at = this.#readQuoted(at).end
      else at += letter === '\\' ? 2 : 1
      if (letter === '[') depth += 1
      if (letter === ']') depth -= 1
    }
    this.at = at
    return new Reader(this.text.slice(start, at - 1), true)
  }

  isBracket(from = this.at): boolean {
    return this.text.slice(from).trimStart().startsWith('[')
  }

  /** Only `\"` and `\\` are escapes. */
  #readQuoted(start: number): { text: string; end: number } {
    let text = ''
    for (let at = start + 1; at < this.text.length; at += 1) {
      const letter = this.text[at]
      if (letter === '"') return { text, end: at + 1 }
      const isEscape = letter === '\\' && /["\\]/.test(this.text[at + 1] ?? '')
      if (isEscape) at += 1
      text += this.text[at]
    }
    return this.refuse('the quotation mark is not closed')
  }

  #readWord(start: number): Placed {
    const parts: PatternPart[] = []
    let at = start
    let isEscaped = false
    while (at < this.text.length) {
      const letter = this.text[at] ?? ''
      if (letter === '\\') isEscaped = true
      else if (this.text.startsWith('->', at)) {
        addPart(parts, '->')
        at += 2
        continue
      } else if (isSpace(letter) || letter === '"' || this.#signAt(at) !== '') break
      at = this.addLetter(parts, at)
    }
    const isPlain = !isEscaped && parts.every(({ kind }) => kind === 'text')
    const keyword = isPlain ? this.text.slice(start, at).toLowerCase() : ''
    return { kind: 'word', pattern: parts, keyword, start, end: at }
  }

  /** Adds the letter at the place, `\` and `*` being special; the place after it. */
  addLetter(parts: PatternPart[], at: number): number {
    const letter = this.text[at] ?? ''
    if (letter === '\\') {
      const plain = this.text[at + 1]
      if (plain === undefined) this.refuse('nothing follows the backslash')
      addPart(parts, plain)
      return at + 2
    }
    if (letter === '*') {
      if (parts.at(-1)?.kind !== 'run') parts.push({ kind: 'run' })
    } else if (letter === '?') parts.push({ kind: 'one' })
    else addPart(parts, letter)
    return at + 1
  }

  #signAt(at: number): string {
    if (this.isInBrackets && /[[\]]/.test(this.text[at] ?? '')) return this.text[at] ?? ''
    SIGN.lastIndex = at
    return SIGN.exec(this.text)?.[0] ?? ''
  }
}

export function addPart(parts: PatternPart[], text: string): void {
  const last = parts.at(-1)
  if (last?.kind === 'text') parts[parts.length - 1] = { kind: 'text', text: last.text + text }
  else parts.push({ kind: 'text', text })
}

export function isSpace(letter: string | undefined): boolean {
  return letter !== undefined && /\s/.test(letter)
}
