// Whether a name of a column holds what detectors and patterns hide: rather too much than too
// little, as value-expressions.ts, whose expressions are for the store: here they would take a time
// that grows with the square of the name.
import { parseMaskPattern } from './mask-pattern.ts'
import type { Detector, MaskTarget } from './mask-rule.ts'
import { PatternStates } from './pattern-states.ts'

/** Of those of the store what says yes or no: without repetitions at the start and the end. */
const NAMES = {
  email: /[\w.%+'\u{80}-\u{10FFFF}-](?:@|%40)[\w\u{80}-\u{10FFFF}-]+\.[\w\u{80}-\u{10FFFF}-]/u,
  card: /\b[2-6](?:[ -]?[0-9]){11,18}\b|\b[0-9]\.[0-9]{9,18}[eE]\+?1[0-9]\b/,
  ipv4: /\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b/,
  ipv6: /::|(?:[0-9A-Fa-f]{1,4}:){7}|(?:[0-9A-Fa-f]{0,4}%3A){2}/,
  bearer:
    /\b[Bb][Ee][Aa][Rr][Ee][Rr]\s+[\w.~+/=-]|(?<![\w-])(?=[\w-]*\.[\w.=-])[\w-]*?\beyJ[\w-]{5,}\./,
  iban: /\b[A-Za-z]{2}[0-9]{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,3})?\b/,
  phone:
    /(?:\+|\b00)[1-9](?:[ ()./-]{0,2}[0-9]){7,14}\b|\(?\b[0-9]{3}\)?[ .-][0-9]{3}[ .-][0-9]{4}\b|\([0-9]{3}\) ?[0-9]{3}[ .-][0-9]{4}\b/,
} as const satisfies Record<Detector, RegExp>

/** undefined: only columns are hidden, and no name for what it holds. */
export function makeHidesName(
  targets: readonly MaskTarget[],
): ((name: string) => boolean) | undefined {
  const tests = targets.flatMap((target): ((name: string) => boolean)[] => {
    if (target.kind === 'column') return []
    if (target.kind === 'detector') {
      const expression = NAMES[target.detector]
      return [(name) => expression.test(name)]
    }
    const parts = parseMaskPattern(target.pattern)
    if (typeof parts === 'string') throw new TypeError('a pattern that is none')
    const states = new PatternStates(parts)
    return [(name) => isIn(states, Buffer.from(name))]
  })
  return tests.length === 0 ? undefined : (name) => tests.some((test) => test(name))
}

function isIn(states: PatternStates, bytes: Uint8Array): boolean {
  states.clear()
  for (const byte of bytes) {
    states.begin()
    states.take(byte)
    if (states.isEnd) return true
  }
  return false
}
