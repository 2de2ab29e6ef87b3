// Paths of the files of a log: `*` and `?` in a name, `**` for any directories, `[a-z]` for one
// character, and the braces of file name patterns (product facts 3): `{string}`,
// `{date,dd-MM-yyyy}`, and `{rotation}`. A directory stands for the files in it.
import { trimEnd } from '../../schemas/names/trim-end.ts'

/** A state takes a character and goes to the next one, or goes on to others without one. `next`:
 *  relative, so that parts can be put together in any order. */
type State = { readonly takes?: (character: string) => boolean; readonly next: readonly number[] }

type NamePart = readonly State[]

const one = (takes: (character: string) => boolean): NamePart => [{ takes, next: [1] }]

const text = (characters: string): NamePart =>
  [...characters].flatMap((wanted) => one((character) => character === wanted))

const optional = (part: NamePart): NamePart => [{ next: [1, part.length + 1] }, ...part]

/** Once or more. */
const repeated = (part: NamePart): NamePart => [...part, { next: [-part.length, 1] }]

const either = (first: NamePart, ...others: readonly NamePart[]): NamePart => {
  if (others.length === 0) return first
  const [second = [], ...more] = others
  const rest = either(second, ...more)
  return [{ next: [1, first.length + 2] }, ...first, { next: [rest.length + 1] }, ...rest]
}

const WILD = /[*?[{]/
/** What a rotation adds to a name: a number or date, and how it is packed. */
const ROTATED = /(?:[.-]\d[\d-]*)?(?:\.(?:gz|zst|bz2|xz))?$/u
/** Of a name, for what a rotation adds to it. */
const MAX_ROTATION_CHARACTERS = 64

const DIGIT = one((character) => /\d/.test(character))
const NO_SLASH = one((character) => character !== '/')
const ANY = optional(repeated(NO_SLASH))
/** As ROTATED. */
const ROTATION: NamePart = [
  ...optional([
    ...one((character) => /[.-]/.test(character)),
    ...DIGIT,
    ...optional(repeated(one((character) => /[\d-]/.test(character)))),
  ]),
  ...optional([...text('.'), ...either(text('gz'), text('zst'), text('bz2'), text('xz'))]),
]
/** `Z`, `+0100`, `-01:00` */
const ZONE = either(text('Z'), [
  ...one((character) => /[+-]/.test(character)),
  ...DIGIT,
  ...DIGIT,
  ...optional(text(':')),
  ...DIGIT,
  ...DIGIT,
])

/** `app.log` of `app.log.1`, `app.log-20260101.gz`. */
export function seriesOf(name: string): string {
  const end = name.slice(-MAX_ROTATION_CHARACTERS)
  const series = name.slice(0, name.length - end.length) + end.replace(ROTATED, '')
  return series === '' ? name : series
}

/** A path as a pattern that takes it alone. */
export function escapePath(path: string): string {
  return path.replace(/[*?[{]/g, '[$&]')
}

export type PathPattern = {
  /** What lies before the first level with a wildcard. */
  readonly root: string
  /** Levels below the root; '**' is any number of them. [] is the root itself. */
  readonly levels: readonly (NamePattern | '**')[]
}

/** `path`: from the root of this machine. Throws RangeError with a text for operators. */
export function parsePathPattern(path: string): PathPattern {
  const levels = splitLevels(path.endsWith('/') ? `${trimEnd(path, '/')}/` : path)
  const firstWild = levels.findIndex((level) => WILD.test(level))
  const rootLevels = firstWild < 0 ? levels : levels.slice(0, firstWild)
  const root = rootLevels.join('/') || '/'
  if (firstWild < 0) return { root, levels: [] }
  const rest = levels.slice(firstWild).filter((level) => level !== '')
  return { root, levels: rest.map((level) => (level === '**' ? '**' : levelPattern(level))) }
}

/** A `/` in braces is part of a date. */
function splitLevels(path: string): string[] {
  const levels = ['']
  let depth = 0
  for (const character of path) {
    if (character === '{' && !levels.at(-1)?.endsWith('[')) depth += 1
    if (character === '}') depth = Math.max(0, depth - 1)
    if (character === '/' && depth === 0) levels.push('')
    else levels[levels.length - 1] += character
  }
  if (levels.length > 1 && levels.at(-1) === '') levels.pop()
  return levels
}

/** Of one name; `*` is what a name may hold. */
export function levelPattern(level: string): NamePattern {
  const parts: NamePart[] = []
  for (let at = 0; at < level.length; ) {
    const character = String.fromCodePoint(level.codePointAt(at) ?? 0)
    if (character === '[' || character === '{') {
      const end = level.indexOf(character === '[' ? ']' : '}', at + 1)
      if (end < 0) throw new RangeError(`${character} is not closed in ${level}`)
      const inner = level.slice(at + 1, end)
      parts.push(character === '[' ? setPart(inner) : bracePart(inner))
      at = end + 1
      continue
    }
    parts.push(character === '*' ? ANY : character === '?' ? NO_SLASH : text(character))
    at += character.length
  }
  return new NamePattern(parts)
}

function setPart(inner: string): NamePart {
  const isNot = inner.startsWith('!')
  const set = (isNot ? inner.slice(1) : inner).replace(/[\\\]^]/g, '\\$&')
  if (set === '') throw new RangeError('[] is empty')
  const expression = new RegExp(`^[${isNot ? '^/' : ''}${set}]$`, 'u')
  return one((character) => expression.test(character))
}

/** `string`, `text`, `number`, or `date` with its format after a comma. */
function bracePart(inner: string): NamePart {
  const [type = '', ...rest] = inner.split(',')
  const kind = type.split(':', 1)[0]?.trim()
  if (kind === 'string' || kind === 'text') return ANY
  if (kind === 'number') return repeated(DIGIT)
  if (kind === 'rotation' && rest.length === 0) return ROTATION
  const format = rest.join(',').trim()
  if (kind !== 'date' || format === '')
    throw new RangeError(`{${inner}} is not {string}, {number} or {date,<format>}`)
  return datePart(format)
}

/** A run of letters is what its length says; three letters of a month are its name. */
function datePart(format: string): NamePart {
  const parts = format.match(/([A-Za-z])\1*|'[^']*'|[^A-Za-z']+|'/g) ?? []
  return parts.flatMap((part): NamePart => {
    if (part.startsWith("'") && part.length > 1) return text(part.slice(1, -1))
    if (!/^[A-Za-z]/.test(part)) return text(part)
    if (/^(?:MMM+|E+|a+|z+)$/.test(part))
      return repeated(one((character) => /\p{L}/u.test(character)))
    if (/^[ZX]/.test(part)) return ZONE
    if (part.length === 1) return [...DIGIT, ...optional(DIGIT)]
    return Array.from(part, () => DIGIT).flat()
  })
}

/** What one name may be, as a set of states: the work is at most the characters of the name by the
 *  states of the pattern. As a regular expression five `*` take a minute for one name
 *  (docs/decisions/0037). */
export class NamePattern {
  readonly #states: NamePart
  /** The round in which a state was entered last. */
  readonly #entered: Uint32Array
  #round = 0
  /** States that were entered, since the pattern was made. */
  steps = 0

  constructor(parts: readonly NamePart[]) {
    this.#states = parts.flat()
    this.#entered = new Uint32Array(this.#states.length + 1)
  }

  test(name: string): boolean {
    let states = this.#closure([0])
    for (const character of name) {
      const next: number[] = []
      for (const state of states)
        if (this.#states[state]?.takes?.(character) === true) next.push(state + 1)
      states = this.#closure(next)
      if (states.length === 0) return false
    }
    return states.includes(this.#states.length)
  }

  /** With those that are reached without a character; each once. */
  #closure(states: number[]): readonly number[] {
    this.#round = this.#round === 2 ** 32 - 1 ? this.#restart() : this.#round + 1
    const reached: number[] = []
    for (let state = states.pop(); state !== undefined; state = states.pop()) {
      if (this.#entered[state] === this.#round) continue
      this.#entered[state] = this.#round
      this.steps += 1
      const { takes, next = [] } = this.#states[state] ?? {}
      if (takes !== undefined || state === this.#states.length) reached.push(state)
      else for (const offset of next) states.push(state + offset)
    }
    return reached
  }

  #restart(): number {
    this.#entered.fill(0)
    return 1
  }
}
