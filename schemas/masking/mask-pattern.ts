// The patterns of masking: plain text, and in braces how many characters of which kind:
// `KD-{digit:6}`, `{letter:2-3}{digit:4}`. A match is at most 128 bytes and stands alone: no letter
// or digit directly before or after it, where it begins or ends with one. No expression that can be
// made to hang (docs/decisions/0037): the work for a place is at most 128 steps.

/** Bytes that it takes, from `min` to `max` of them in a row. */
export type PatternPart = {
  readonly bytes: ReadonlySet<number>
  readonly min: number
  readonly max: number
  /** The same as an RE2 expression of one byte. */
  readonly expression: string
}

export const MAX_PATTERN_BYTES = 128
const MAX_PATTERN_CHARACTERS = 255

const KINDS: Readonly<Record<string, string>> = {
  digit: '0-9',
  letter: 'A-Za-z',
  hex: '0-9A-Fa-f',
  alnum: '0-9A-Za-z',
  word: '0-9A-Za-z_.-',
}
const ELEMENT = /^\{(\w+)(?::(\d{1,3})(?:-(\d{1,3}))?)?\}/

/** A text: what is wrong with it. */
export function parseMaskPattern(pattern: string): readonly PatternPart[] | string {
  if (pattern === '') return 'must not be empty'
  if (pattern.length > MAX_PATTERN_CHARACTERS)
    return `must have at most ${MAX_PATTERN_CHARACTERS} characters`
  const parts: PatternPart[] = []
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at)
    if (rest.startsWith('{{')) {
      parts.push(literal('{'.charCodeAt(0)))
      at += 2
    } else if (rest.startsWith('{')) {
      const element = ELEMENT.exec(rest)
      const set = element === null ? undefined : KINDS[element[1] ?? '']
      if (element === null || set === undefined)
        return `has at ${at + 1} no {kind} or {kind:count} with a kind of ${Object.keys(KINDS).join(', ')}; a brace itself is {{`
      const min = Number(element[2] ?? 1)
      const max = Number(element[3] ?? min)
      if (min < 1 || max < min) return `has at ${at + 1} a count that cannot be`
      parts.push({ bytes: bytesOf(set), min, max, expression: `[${set}]` })
      at += element[0].length
    } else {
      const character = String.fromCodePoint(rest.codePointAt(0) ?? 0)
      for (const byte of new TextEncoder().encode(character)) parts.push(literal(byte))
      at += character.length
    }
  }
  const longest = parts.reduce((sum, { max }) => sum + max, 0)
  const shortest = parts.reduce((sum, { min }) => sum + min, 0)
  if (longest > MAX_PATTERN_BYTES) return `takes more than ${MAX_PATTERN_BYTES} bytes`
  return shortest < 3 ? 'takes less than 3 bytes: it would hide too much' : parts
}

/** Of a part's or a whole pattern's bytes: the same without a look at what is around it. */
export function patternExpression(parts: readonly PatternPart[]): string {
  return parts
    .map(({ expression, min, max }) =>
      min === 1 && max === 1 ? expression : `${expression}{${min},${max}}`,
    )
    .join('')
}

function literal(byte: number): PatternPart {
  const expression = `\\x${byte.toString(16).padStart(2, '0')}`
  return { bytes: new Set([byte]), min: 1, max: 1, expression }
}

function bytesOf(set: string): Set<number> {
  const bytes = new Set<number>()
  const pattern = new RegExp(`[${set}]`)
  for (let byte = 0; byte < 128; byte += 1)
    if (pattern.test(String.fromCharCode(byte))) bytes.add(byte)
  return bytes
}
