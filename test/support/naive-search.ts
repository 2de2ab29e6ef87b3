// The search language's filters once more, over plain objects: slow, by the letter of the reference (2.1-2.5), and sharing
// nothing with the compiler but the parsed tree. The contract test compares the store's rows with it.
import type { Check, Filter, Pattern, Scope, ScopeItem, Value } from '../../query/language/tree.ts'

export type NaiveEvent = {
  readonly number: number
  readonly log: {
    readonly id: number
    readonly folder: readonly string[]
    readonly name: string
    readonly appTags: readonly string[]
    readonly typeWords: readonly string[]
  }
  readonly timestampMs: number
  readonly host: string
  readonly source: string
  /** '' for an event taken whole, which has `raw`. */
  readonly message: string
  readonly raw: string
  readonly isWhole: boolean
  /** Texts of all other values but identifiers. */
  readonly values: readonly string[]
  readonly ids: Readonly<Record<string, string>>
  /** Numbers are those that fit a double as written; others are texts. */
  readonly columns: Readonly<Record<string, string | number | boolean>>
}

/** Names in order of first sight decide between spellings. */
export function passes(filter: Filter, event: NaiveEvent, seenNames: readonly string[]): boolean {
  const go = (inner: Filter) => passes(inner, event, seenNames)
  switch (filter.kind) {
    case 'everything':
      return true
    case 'word':
      return textsOf(event).some((text) => holdsTerm(text, symbolsOf(filter.pattern)))
    case 'phrase':
      return textsOf(event).some((text) => holdsTerm(text, [...filter.text]))
    case 'not':
      return !go(filter.operand)
    case 'and':
      return filter.operands.every(go)
    case 'or':
      return filter.operands.some(go)
    case 'scoped':
      return isInScope(filter.scope, event) && go(filter.operand)
    case 'test':
      return passesTest(filter.column.name, filter.column.origin, filter.check, event, seenNames)
  }
}

// ---------- words ----------

const ANY = Symbol('*')
const ONE = Symbol('?')
type Element = string | typeof ANY | typeof ONE

function textsOf(event: NaiveEvent): string[] {
  return [event.message, ...event.values, ...Object.values(event.ids)]
}

function symbolsOf(pattern: Pattern): Element[] {
  return pattern.flatMap((part): Element[] =>
    part.kind === 'text' ? [...part.text] : [part.kind === 'run' ? ANY : ONE],
  )
}

/** Tries every place of the text. */
function holdsTerm(text: string, term: readonly Element[]): boolean {
  const characters = [...text]
  for (let start = 0; start <= characters.length; start += 1) {
    for (const end of endsOf(characters, start, term, 0)) {
      const isCutBefore = isEdgeFree(characters[start - 1], characters[start], term[0])
      const isCutAfter = isEdgeFree(characters[end], characters[end - 1], term.at(-1))
      if (isCutBefore && isCutAfter) return true
    }
  }
  return false
}

/** A match may not begin or end inside a word; behind a star it can always be made longer. */
function isEdgeFree(
  outside: string | undefined,
  inside: string | undefined,
  edge?: Element,
): boolean {
  if (edge === ANY) return true
  return !(outside !== undefined && isLetter(outside) && inside !== undefined && isLetter(inside))
}

function* endsOf(
  text: readonly string[],
  at: number,
  term: readonly Element[],
  index: number,
): Generator<number> {
  const element = term[index]
  if (element === undefined) {
    yield at
    return
  }
  const character = text[at]
  if (element === ANY) {
    yield* endsOf(text, at, term, index + 1)
    if (character !== undefined && !isWhite(character)) yield* endsOf(text, at + 1, term, index)
    return
  }
  if (character === undefined) return
  if (element === ONE) {
    if (!isWhite(character)) yield* endsOf(text, at + 1, term, index + 1)
    return
  }
  if (isWhite(element)) {
    if (!isWhite(character)) return
    let end = at
    while (end < text.length && isWhite(text[end] ?? '')) end += 1
    let next = index
    while (typeof term[next] === 'string' && isWhite(String(term[next]))) next += 1
    // A run of white space equals a run of any length; at the edge of the term a part of it is enough.
    for (let stop = at + 1; stop <= end; stop += 1) yield* endsOf(text, stop, term, next)
    return
  }
  if (fold(element) === fold(character)) yield* endsOf(text, at + 1, term, index + 1)
}

function isWhite(character: string): boolean {
  return /^\s$/.test(character) || character === '\u0085'
}

function isLetter(character: string): boolean {
  return /^(?:\p{L}|\p{Nd}|_)$/u.test(character)
}

function fold(text: string): string {
  let folded = ''
  for (const character of text) {
    if (character === 'İ') folded += 'i'
    else if (character === 'Σ') folded += 'σ'
    else folded += character.toLowerCase()
  }
  return folded
}

// ---------- scopes ----------

function isInScope({ include, exclude }: Scope, event: NaiveEvent): boolean {
  const isIncluded = include.length === 0 || include.some((item) => isInItem(item, event))
  return isIncluded && !exclude.some((item) => isInItem(item, event))
}

function isInItem(item: ScopeItem, { log, host, source }: NaiveEvent): boolean {
  if (item.kind === 'scopeEverything') return true
  const isPath = item.name.some((part) => part.kind === 'text' && part.text.includes('->'))
  const matches = (name: string) => wholeExpression(item.name, '').test(name)
  switch (item.of) {
    case 'log':
      return matches(isPath ? [...log.folder, log.name].join('->') : log.name)
    case 'folder':
      return log.folder.some((level, depth) =>
        matches(isPath ? log.folder.slice(0, depth + 1).join('->') : level),
      )
    case 'apptag':
      return log.appTags.some(matches)
    case 'type':
      return log.typeWords.some(matches)
    case 'server':
      return matches(host)
    case 'file':
      return matches(source)
  }
}

function wholeExpression(pattern: Pattern, flags: string): RegExp {
  const source = pattern.map((part) => {
    if (part.kind === 'run') return '.*'
    return part.kind === 'one' ? '.' : part.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  })
  return new RegExp(`^${source.join('')}$`, `su${flags}`)
}

// ---------- tests ----------

type Cell = string | number | boolean

function passesTest(
  name: string,
  origin: 'any' | 'parsed' | 'builtIn',
  check: Check,
  event: NaiveEvent,
  seenNames: readonly string[],
): boolean {
  const cells = cellsOf(name, origin, event, seenNames).filter((cell) => cell !== '')
  const isNegative =
    check.kind === 'compare' ? check.operator === '!=' : 'isNegated' in check && check.isNegated
  if (check.kind === 'exists') return isNegative ? cells.length === 0 : cells.length > 0
  if (cells.length === 0) return false
  return cells.some((cell) => passesPlain(name.toLowerCase(), cell, check)) !== isNegative
}

function cellsOf(
  name: string,
  origin: 'any' | 'parsed' | 'builtIn',
  event: NaiveEvent,
  seenNames: readonly string[],
): readonly Cell[] {
  const builtIns: Readonly<Record<string, readonly Cell[]>> = {
    log: [event.log.name],
    folder: [event.log.folder.join('->')],
    host: [event.host],
    server: [event.host],
    source: [event.source],
    file: [event.source],
    message: [event.isWhole ? event.raw : event.message],
    size: [event.number],
    apptags: event.log.appTags,
    app: event.log.appTags,
    timestamp: [event.timestampMs],
    date: [event.timestampMs],
  }
  const builtIn = origin === 'parsed' ? undefined : builtIns[name.toLowerCase()]
  if (builtIn) return builtIn
  for (const seen of seenNames) {
    if (seen.toLowerCase() !== name.toLowerCase()) continue
    const cell = event.columns[seen] ?? event.ids[seen]
    if (cell !== undefined && cell !== '') return [cell]
  }
  return []
}

function passesPlain(column: string, cell: Cell, check: Check): boolean {
  switch (check.kind) {
    case 'compare':
      return isOrder(column, cell, check.operator === '!=' ? '=' : check.operator, check.value)
    case 'list':
      return check.values.some((value) => isOrder(column, cell, '=', value))
    case 'between':
      return isOrder(column, cell, '>=', check.low) && isOrder(column, cell, '<=', check.high)
    case 'text': {
      const [own, given] = [fold(String(cell)), fold(valueText(check.value))]
      if (check.operator === 'contains') return own.includes(given)
      return check.operator === 'starts with' ? own.startsWith(given) : own.endsWith(given)
    }
    case 'matches':
      return new RegExp(valueText(check.value), 'su').test(String(cell))
    case 'within':
      return typeof cell === 'string' && isWithin(cell, valueText(check.value))
    case 'exists':
    case 'subQuery':
      throw new Error('not a plain check')
  }
}

function valueText({ pattern }: Value): string {
  return pattern
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'run' ? '*' : '?'))
    .join('')
}

function isOrder(column: string, cell: Cell, operator: string, value: Value): boolean {
  const given = valueText(value)
  if (operator === '=' && value.pattern.some((part) => part.kind !== 'text')) {
    const folded = value.pattern.map((part) =>
      part.kind === 'text' ? { kind: part.kind, text: fold(part.text) } : part,
    )
    return wholeExpression(folded, '').test(fold(String(cell)))
  }
  const order = orderOf(column, cell, given, operator)
  if (order === undefined) return false
  if (operator === '=') return order === 0
  if (operator.startsWith('<')) return order < 0 || (order === 0 && operator === '<=')
  return order > 0 || (order === 0 && operator === '>=')
}

const RANKS = 'trace debug info notice warn|warning error severe|critical alert fatal|emergency'
  .split(' ')
  .map((names) => names.split('|'))

function orderOf(column: string, cell: Cell, given: string, operator: string): number | undefined {
  const text = String(cell)
  if (column === 'timestamp' || column === 'date') return Number(cell) - timeOf(given)
  const [number, other] = [exactNumber(text), exactNumber(bytesOf(column, given))]
  if (number !== undefined && other !== undefined) return compareExact(number, other)
  // A column that is a number is compared with nothing else.
  if (typeof cell === 'number') return undefined
  const [address, block] = [addressOf(text), addressOf(given)]
  if (address !== undefined && block !== undefined) return Number(address - block) || 0
  const [own, wanted] = [fold(text), fold(given)]
  const [rank, wantedRank] = [own, wanted].map((word) =>
    RANKS.findIndex((names) => names.includes(word)),
  )
  if (operator !== '=' && rank !== undefined && wantedRank !== undefined) {
    if (rank >= 0 && wantedRank >= 0) return rank - wantedRank
  }
  return Buffer.compare(Buffer.from(own), Buffer.from(wanted))
}

/** In UTC, as the test's setting says. */
function timeOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  return Date.parse(text.endsWith('Z') ? text : `${text} UTC`)
}

function bytesOf(column: string, text: string): string {
  const match = column === 'size' ? /^([\d.]+)(k?)b$/i.exec(text) : null
  return match === null ? text : String(Number(match[1]) * (match[2] === '' ? 1 : 1024))
}

/** As a fraction of whole numbers. */
type Exact = { readonly up: bigint; readonly down: bigint }

function exactNumber(text: string): Exact | undefined {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,4}))?$/i.exec(text)
  if (match === null || `${match[2]}${match[3]}` === '') return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  const power = Number(exponent) - fraction.length
  return power >= 0
    ? { up: digits * 10n ** BigInt(power), down: 1n }
    : { up: digits, down: 10n ** BigInt(-power) }
}

function compareExact(a: Exact, b: Exact): number {
  const difference = a.up * b.down - b.up * a.down
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function addressOf(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && +part < 256)) {
    return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0xffffn)
  }
  if (!/^[0-9a-f:]+$/i.test(text) || !text.includes(':')) return undefined
  const [head = '', tail, ...more] = text.split('::')
  if (more.length > 0) return undefined
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = 8 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return groups.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n)
}

function isWithin(text: string, given: string): boolean {
  const [base = '', bits] = given.split('/')
  const [address, start] = [addressOf(text), addressOf(base)]
  if (address === undefined || start === undefined) return false
  if (text.includes(':') !== base.includes(':')) return false
  const most = base.includes(':') ? 128 : 32
  const shift = BigInt(most - Number(bits ?? most))
  return address >> shift === start >> shift
}
