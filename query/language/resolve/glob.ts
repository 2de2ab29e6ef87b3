// Wildcard patterns against one text, in linear-ish time whatever the pattern.
import type { Pattern } from '../tree.ts'

type Symbol = string | typeof RUN | typeof ONE
const RUN = 0
const ONE = 1

type Compiled = {
  /** The text without wildcards; undefined when there are some. */
  readonly plain: string | undefined
  /** Texts before the first wildcard and after the last. */
  readonly first: string
  readonly last: string
  readonly symbols: readonly Symbol[]
  /** Characters that a text has at least. */
  readonly least: number
}
/** One pattern is compared with the names of thousands of logs. */
const compiled = new WeakMap<Pattern, Compiled>()

/** The whole text against the pattern; `*` any characters, `?` exactly one. */
export function matchesWhole(pattern: Pattern, text: string): boolean {
  const { plain, first, last, symbols, least } = compile(pattern)
  if (plain !== undefined) return text === plain
  if (text.length < least || !text.startsWith(first) || !text.endsWith(last)) return false
  const characters = [...text]
  let at = 0
  let symbolAt = 0
  let runAt = -1
  let retryAt = 0
  while (at < characters.length) {
    const symbol = symbols[symbolAt]
    if (symbol === ONE || (symbol !== undefined && symbol === characters[at])) {
      at += 1
      symbolAt += 1
    } else if (symbol === RUN) {
      runAt = symbolAt
      retryAt = at
      symbolAt += 1
    } else if (runAt >= 0) {
      retryAt += 1
      at = retryAt
      symbolAt = runAt + 1
    } else return false
  }
  while (symbols[symbolAt] === RUN) symbolAt += 1
  return symbolAt === symbols.length
}

function compile(pattern: Pattern): Compiled {
  const known = compiled.get(pattern)
  if (known) return known
  const symbols = toSymbols(pattern)
  const isPlain = pattern.every(({ kind }) => kind === 'text')
  const made = {
    plain: isPlain ? pattern.map(textOf).join('') : undefined,
    first: textOf(pattern[0]),
    last: textOf(pattern.at(-1)),
    symbols,
    least: symbols.filter((symbol) => symbol !== RUN).length,
  }
  compiled.set(pattern, made)
  return made
}

function textOf(part: Pattern[number] | undefined): string {
  return part?.kind === 'text' ? part.text : ''
}

function toSymbols(pattern: Pattern): Symbol[] {
  const symbols: Symbol[] = []
  for (const part of pattern) {
    if (part.kind === 'text') symbols.push(...part.text)
    else symbols.push(part.kind === 'run' ? RUN : ONE)
  }
  return symbols
}
