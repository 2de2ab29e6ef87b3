// What detectors and patterns find, in expressions of RE2 for the store: rather too much than too
// little, since they hide from a reader and change nothing. So numbers are taken for cards and
// IBANs by their form alone, without the check digit.
import { parseMaskPattern, patternExpression } from './mask-pattern.ts'
import type { Detector, MaskTarget } from './mask-rule.ts'

const EXPRESSIONS: Readonly<Record<Detector, string>> = {
  email:
    "[\\w.%+'\\x{80}-\\x{10FFFF}-]+(?:@|%40)[\\w\\x{80}-\\x{10FFFF}-]+(?:\\.[\\w\\x{80}-\\x{10FFFF}-]+)+",
  card: '\\b[2-6](?:[ -]?[0-9]){11,18}\\b|\\b[0-9]\\.[0-9]{9,18}[eE]\\+?1[0-9]\\b',
  ipv4: '\\b(?:[0-9]{1,3}\\.){3}[0-9]{1,3}\\b',
  ipv6: '[0-9A-Fa-f:.]*(?:::|(?:[0-9A-Fa-f]{1,4}:){7})[0-9A-Fa-f:.]*|(?:[0-9A-Fa-f]{1,4}%3A|%3A){2,}[0-9A-Fa-f%]*',
  bearer: '(?i:\\bbearer)\\s+[\\w.~+/=-]+|\\beyJ[\\w-]{5,}\\.[\\w.=-]+',
  iban: '\\b[A-Za-z]{2}[0-9]{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,3})?\\b',
  phone:
    '(?:\\+|\\b00)[1-9](?:[ ().\\/-]{0,2}[0-9]){7,14}\\b|\\(?\\b[0-9]{3}\\)?[ .-][0-9]{3}[ .-][0-9]{4}\\b|\\([0-9]{3}\\) ?[0-9]{3}[ .-][0-9]{4}\\b',
}

/** Of a text in which nothing is hidden: undefined where only columns are. */
export function valueExpression(targets: readonly MaskTarget[]): string | undefined {
  const parts = targets.flatMap((target) => {
    if (target.kind === 'detector') return [EXPRESSIONS[target.detector]]
    if (target.kind === 'column') return []
    const pattern = parseMaskPattern(target.pattern)
    if (typeof pattern === 'string') throw new TypeError('a pattern that is none')
    return [patternExpression(pattern)]
  })
  return parts.length === 0 ? undefined : parts.map((part) => `(?:${part})`).join('|')
}

/** An ASCII character by its number, in JSON text: a text with one is hidden as a whole. */
export const ASCII_ESCAPE = String.raw`\\u00[0-7]`

/** Other escapes of JSON text, within texts of JSON text, too, and what a value has in their
 *  places. */
export const PLAIN_ESCAPES: readonly (readonly [expression: string, by: string])[] = [
  [String.raw`\\+/`, '/'],
  [String.raw`\\+[bfnrt]`, ' '],
  [String.raw`(?i)\\+u[0-9a-f]{4}`, '\u00e9'],
]

/** A value that an escape may continue, so that only a part of it matches. */
export function besideEscape(expression: string): string {
  return String.raw`\\(?:${expression})|(?:${expression})\\+[u/]`
}
