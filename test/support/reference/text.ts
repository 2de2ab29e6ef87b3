// Words in texts by the letter of search-language#words: every place is tried, character by
// character.
import type { Pattern } from './tree.ts'

const RUN = Symbol('*')
const ONE = Symbol('?')
type Element = string | typeof RUN | typeof ONE

/** Simple lower-casing by code point: İ and Σ have no special rules. */
export function fold(text: string): string {
  const known = folds.get(text)
  if (known !== undefined) return known
  const folded = foldAll(text)
  folds.set(text, folded)
  return folded
}

const folds = new Map<string, string>()

function foldAll(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase()
  let folded = ''
  for (const character of text) {
    if (character === 'İ') folded += 'i'
    else if (character === 'Σ') folded += 'σ'
    else folded += character.toLowerCase()
  }
  return folded
}

/** By code point, letter case ignored. */
export function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(fold(a)), Buffer.from(fold(b)))
}

export function patternText(pattern: Pattern): string {
  return pattern
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'run' ? '*' : '?'))
    .join('')
}

export function isWild(pattern: Pattern): boolean {
  return pattern.some((part) => part.kind !== 'text')
}

export function holdsWord(text: string, pattern: Pattern): boolean {
  return holdsTerm(
    text,
    pattern.flatMap((part): Element[] =>
      part.kind === 'text' ? [...part.text] : [part.kind === 'run' ? RUN : ONE],
    ),
  )
}

export function holdsPhrase(text: string, phrase: string): boolean {
  return holdsTerm(text, [...phrase])
}

/** The whole text; wildcards stand for any characters here. */
export function matchesWhole(pattern: Pattern, text: string, isFolded: boolean): boolean {
  const source = pattern.map((part) => {
    if (part.kind === 'run') return '.*'
    if (part.kind === 'one') return '.'
    return (isFolded ? fold(part.text) : part.text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  })
  return new RegExp(`^${source.join('')}$`, 'su').test(isFolded ? fold(text) : text)
}

function holdsTerm(text: string, term: readonly Element[]): boolean {
  if (!holdsRuns(text, term)) return false
  const characters = [...text]
  for (let start = 0; start <= characters.length; start += 1) {
    for (const end of endsOf(characters, start, term, 0)) {
      if (isInsideWord(characters[start - 1], characters[start], term[0])) continue
      if (isInsideWord(characters[end], characters[end - 1], term.at(-1))) continue
      return true
    }
  }
  return false
}

/** Quick refusal: each run of plain characters must stand somewhere. */
function holdsRuns(text: string, term: readonly Element[]): boolean {
  const folded = fold(text)
  const runs = term
    .map((element) => (typeof element === 'string' && !isWhite(element) ? element : '\n'))
    .join('')
  return runs.split('\n').every((run) => folded.includes(fold(run)))
}

/** A match may not begin or end inside a word; beside a star it can always be made longer. */
function isInsideWord(outside: string | undefined, inside: string | undefined, edge?: Element) {
  if (edge === RUN || outside === undefined || inside === undefined) return false
  return isWordCharacter(outside) && isWordCharacter(inside)
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
  if (element === RUN) {
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
    for (let stop = at + 1; stop <= end; stop += 1) yield* endsOf(text, stop, term, next)
    return
  }
  if (fold(element) === fold(character)) yield* endsOf(text, at + 1, term, index + 1)
}

function isWhite(character: string): boolean {
  return /^\s$/.test(character) || character === '\u0085'
}

function isWordCharacter(character: string): boolean {
  return /^(?:\p{L}|\p{Nd}|_)$/u.test(character)
}
