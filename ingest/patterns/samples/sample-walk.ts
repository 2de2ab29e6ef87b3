// The walk of a suggestion: one place in each sample line, moved on together.
import { DEFAULT_LEVELS } from '../language/check-column.ts'
import { addressEnd, digitsEnd, fractionEnd } from '../values/read-values.ts'
import { SAMPLE_DATES } from './sample-dates.ts'

/** This share of the lines must go on alike; the others are left out. */
const SHARE = 0.9
const MAX_COLUMNS = 40
const MAX_CHOICES = 6
/** A longer word before a `=` names no column. */
const MAX_KEY = 100
/** Below what a pattern may have; one turn of the walk adds less than what is between them. */
const MAX_CHARACTERS = 12_000
const OPEN_TYPES = new Set(['string', 'text', 'word', 'url'])
const LEVELS = new Set(DEFAULT_LEVELS.split(';'))
const CLOSING: Readonly<Record<string, string>> = { '"': '"', '[': ']', '(': ')', '<': '>' }
/** What often stands after words that are columns. */
const ANCHORS = ['"', ' [', '=', ']: ', '] ', ': ', ' - ', ' | ', '\t', '|', ';', ',']
const WORD_BYTE = /[^\s"[\]()<>,;|=]/

type Place = { readonly text: string; readonly bytes: Buffer; at: number }

export class SampleWalk {
  #places: Place[]
  readonly #least: number
  #pattern = ''
  #columns = 0
  readonly #names = new Map<string, number>()
  #lastLiteral = ''
  /** The pattern before its last column, where only a literal would tell that column's end. */
  #beforeOpen: string | undefined

  constructor(lines: readonly string[]) {
    // Latin-1 of the UTF-8 bytes: places of the text are places of the bytes.
    this.#places = lines.map((line) => {
      const bytes = Buffer.from(line)
      return { text: bytes.toString('latin1'), bytes, at: 0 }
    })
    this.#least = Math.max(1, Math.ceil(lines.length * SHARE))
  }

  pattern(): string {
    while (this.#columns < MAX_COLUMNS && this.#pattern.length < MAX_CHARACTERS) {
      const kind = this.#keepMost((place) => kindAt(place))
      if (kind === 'end') return this.#closed()
      if (kind === undefined) break
      if (kind === 'value') {
        if (!this.#readValue()) break
      } else this.#addLiteral(kind)
    }
    return this.#withRest()
  }

  #withRest(): string {
    if (this.#beforeOpen !== undefined) {
      const kind = this.#keepMost((place) => kindAt(place))
      if (kind === 'end') return this.#closed()
      if (kind !== undefined && kind !== 'value') this.#addLiteral(kind)
    }
    return `${this.#beforeOpen ?? this.#pattern}{string:${this.#name('Message')}}`
  }

  /** A pattern needs a column. */
  #closed(): string {
    return this.#columns === 0 ? '{text:Message}' : this.#pattern
  }

  #readValue(): boolean {
    return (
      this.#readDate() ||
      this.#readLike('ip', 'IP', ({ bytes, at }) => addressEnd(bytes, at, bytes.length)) ||
      this.#readLevel() ||
      this.#readKey() ||
      this.#readNumber('Number') ||
      this.#readInside() ||
      this.#readWord()
    )
  }

  #readDate(): boolean {
    return SAMPLE_DATES.some(({ format, reader }) =>
      this.#readLike(
        'date',
        'Date',
        ({ bytes, at }) => reader.read(bytes, at, bytes.length),
        `,${format}`,
      ),
    )
  }

  /** A column of a type that says itself where it ends. */
  #readLike(type: string, name: string, endOf: (place: Place) => number, format = ''): boolean {
    const ends = this.#places.map((place) => {
      const end = endOf(place)
      return end >= 0 && !isAmidWord(place, end) ? end : -1
    })
    if (ends.filter((end) => end >= 0).length < this.#least) return false
    this.#moveTo(ends)
    this.#addColumn(type, name, format)
    return true
  }

  #readNumber(name: string): boolean {
    const hasDigit = this.#places.some(({ text, at }) => /\d/.test(text.charAt(at)))
    return hasDigit && this.#readLike('number', name, numberEnd)
  }

  #readLevel(): boolean {
    const words = this.#places.map(wordAt)
    const isLevel = (word: string) => LEVELS.has(word.toUpperCase())
    if (words.filter(isLevel).length < this.#least) return false
    this.#moveTo(words.map((word, i) => (isLevel(word) ? this.#endOf(i, word) : -1)))
    this.#addColumn('priority', 'Level')
    return true
  }

  /** `key=`: the key stands in the pattern and names the column. */
  #readKey(): boolean {
    const [first] = this.#places
    const key = first === undefined ? '' : wordAt(first)
    if (key === '' || key.length > MAX_KEY || !/^[\w.@-]+$/.test(key) || !/[A-Za-z]/.test(key))
      return false
    const ends = this.#places.map((place, i) =>
      wordAt(place) === key && place.text.charAt(place.at + key.length) === '='
        ? this.#endOf(i, key) + 1
        : -1,
    )
    if (ends.filter((end) => end >= 0).length < this.#least) return false
    this.#moveTo(ends)
    this.#pattern += `${key}=`
    this.#lastLiteral = '='
    this.#beforeOpen = undefined
    const kind = this.#keepMost((place) => kindAt(place))
    if (kind === undefined || kind === 'end') return false
    if (kind !== 'value') {
      this.#addLiteral(kind)
      if (kind !== '"') return true
    }
    return this.#readNamed(key)
  }

  #readNamed(name: string): boolean {
    if (this.#readLike('ip', name, ({ bytes, at }) => addressEnd(bytes, at, bytes.length)))
      return true
    if (this.#readNumber(name)) return true
    return this.#readInside(name) || this.#readWord(name)
  }

  /** Up to the quote or bracket that closes. */
  #readInside(name = 'Text'): boolean {
    const close = CLOSING[this.#lastLiteral.slice(-1)]
    if (close === undefined) return false
    const ends = this.#places.map(({ text, at }) => text.indexOf(close, at))
    if (ends.filter((end) => end >= 0).length < this.#least) return false
    const values = this.#moveTo(ends)
    const isWord = values.every((value) => !/\s/.test(value))
    this.#addColumn(isWord ? 'word' : 'text', name)
    return true
  }

  #readWord(name?: string): boolean {
    if (name === undefined && !this.#isOrdered()) return this.#readToAnchor()
    const words = this.#places.map(wordAt)
    const ends = words.map((word, i) => (word === '' ? -1 : this.#endOf(i, word)))
    const followers = new Set(this.#places.map(({ text }, i) => text.charAt(ends[i] ?? 0)))
    if (followers.size > 1 || words.some((word) => word === '')) return this.#readToAnchor()
    const values = this.#moveTo(ends)
    this.#addWord(values, name)
    return true
  }

  #addWord(values: readonly string[], name: string | undefined): void {
    const distinct = [...new Set(values)]
    const isChoice =
      distinct.length > 1 &&
      distinct.length <= MAX_CHOICES &&
      values.length >= 5 * distinct.length &&
      distinct.every((value) => /^[A-Z]{2,16}$/.test(value))
    const isPath = values.every((value) => /^(?:\/|https?:)/.test(value))
    if (isChoice) this.#addColumn('choice', name ?? 'Choice', `,${distinct.join(';')}`)
    else if (isPath) this.#addColumn('url', name ?? 'URL', `,paramsName=${this.#name('Query')}`)
    else this.#addColumn('word', name ?? 'Text')
  }

  /** Whether the words from here on stand in columns: as many in each line, up to the end or to the
   *  same sign. */
  #isOrdered(): boolean {
    const rests = this.#places.map(({ text, at }) => text.slice(at))
    if (areAlike(rests.map(countWords))) return true
    return ANCHORS.some((anchor) => {
      if (!rests.every((rest) => rest.includes(anchor))) return false
      return areAlike(rests.map((rest) => countWords(rest.slice(0, rest.indexOf(anchor)))))
    })
  }

  /** One text up to a sign that all lines have. */
  #readToAnchor(): boolean {
    const anchor = ANCHORS.find((one) =>
      this.#places.every(({ text, at }) => text.indexOf(one, at) > at),
    )
    // Behind white space alone, any text has such a sign somewhere.
    if (anchor === undefined || anchor === ',' || !/[A-Za-z]/.test(this.#pattern)) return false
    this.#moveTo(this.#places.map(({ text, at }) => text.indexOf(anchor, at)))
    this.#addColumn('text', 'Text')
    return true
  }

  #endOf(i: number, word: string): number {
    return (this.#places[i]?.at ?? 0) + word.length
  }

  /** Gives the values passed over. Lines without an end are left out. */
  #moveTo(ends: readonly number[]): string[] {
    const values: string[] = []
    this.#places = this.#places.filter((place, i) => {
      const end = ends[i] ?? -1
      if (end < 0) return false
      values.push(place.text.slice(place.at, end))
      place.at = end
      return true
    })
    return values
  }

  /** What most lines have; undefined: no such. */
  #keepMost(kindOf: (place: Place) => string): string | undefined {
    const kinds = this.#places.map(kindOf)
    const counts = new Map<string, number>()
    for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const best = [...counts].find(([, count]) => count >= this.#least)?.[0]
    if (best !== undefined) this.#places = this.#places.filter((_, i) => kinds[i] === best)
    return best
  }

  #addLiteral(sign: string): void {
    for (const place of this.#places) {
      place.at++
      if (sign === ' ') while (place.text.charAt(place.at) === ' ') place.at++
    }
    const written: Readonly<Record<string, string>> = { '{': '{{', '}': '}}', '\t': '{tab}' }
    this.#pattern += written[sign] ?? sign
    this.#lastLiteral = sign
    this.#beforeOpen = undefined
  }

  #addColumn(type: string, name: string, rest = ''): void {
    this.#columns++
    this.#beforeOpen = OPEN_TYPES.has(type) ? this.#pattern : undefined
    this.#pattern += `{${type}:${this.#name(name)}${rest}}`
    this.#lastLiteral = ''
  }

  #name(name: string): string {
    const count = (this.#names.get(name.toLowerCase()) ?? 0) + 1
    this.#names.set(name.toLowerCase(), count)
    return count === 1 ? name : `${name} ${count}`
  }
}

/** `end`, `value`, or the sign that stands there. */
function kindAt({ text, at }: Place): string {
  if (at >= text.length) return 'end'
  const character = text.charAt(at)
  return /[\w/\-+*.~@:%$#&\u0080-\u00ff]/.test(character) && !/^[:#&*]$/.test(character)
    ? 'value'
    : character
}

function wordAt({ text, at }: Place): string {
  let end = at
  while (end < text.length && WORD_BYTE.test(text.charAt(end))) end++
  // A colon at the end of a word is a sign.
  while (end > at + 1 && text.charAt(end - 1) === ':') end--
  return text.slice(at, end)
}

/** A `-` stands for a missing number. */
function numberEnd({ bytes, at }: Place): number {
  const from = bytes[at] === 0x2d ? at + 1 : at
  const digits = digitsEnd(bytes, from, bytes.length)
  if (digits === from) return from > at ? from : -1
  return fractionEnd(bytes, digits, bytes.length)
}

function isAmidWord({ text }: Place, end: number): boolean {
  return /[\w.\-/]/.test(text.charAt(end)) && !/^\.(?:\s|$)/.test(text.slice(end, end + 2))
}

function countWords(text: string): number {
  return text.trim().split(/\s+/).length
}

function areAlike(counts: readonly number[]): boolean {
  return new Set(counts).size === 1
}
