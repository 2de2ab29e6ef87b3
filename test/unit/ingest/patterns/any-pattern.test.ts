// Whatever an operator writes is a pattern or is refused with its place; whatever a sender sends
// fits it or does not.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PatternFault } from '../../../../ingest/patterns/language/pattern.ts'
import { compilePattern } from '../../../../ingest/patterns/match/compile-pattern.ts'
import { PatternMatcher } from '../../../../ingest/patterns/match/pattern-matcher.ts'
import { verifyPatterns } from '../../../../ingest/patterns/samples/verify-patterns.ts'
import { BUILT_IN_TEMPLATES } from '../../../../schemas/templates/built-in-templates.ts'
import { series } from '../../../support/run/tier.ts'

const NOW_MS = Date.UTC(2026, 10, 24)
const PARTS = [
  ...['{text:A}', '{string:B}', '{word:C}', '{number:D}', '{ip:E}', '{geoip:F}', '{pairs}'],
  ...['{date:G,yyyy-MM-dd HH:mm:ss.SSS z}', '{date:H,MMM d}', '{timestamp:I,product=1000}'],
  ...['{choice:J,a;ab;b}', '{priority:K}', '{url:L,paramsName=M}', '{json:N}', '{eoe}', '{tab}'],
  ...['{block,start,emptiness=true}', '{block,end}', '{{', '}}', '{', '}', ' ', '-', ':', '[', ']'],
  ...['a', '1', ',', ';', '=', '"', '{newline}', '{date:O,', 'locale=', '{text:', 'é'],
]
const anyPattern = fc
  .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 14 })
  .map((parts) => parts.join(''))
const VALUES = [
  ...['10.0.0.1', '::1', '2026-11-20 10:00:00', 'Nov  3', '1588205199.5', 'a', 'ab', 'INFO', '-'],
  ...[
    '/x?y=z',
    'k=v',
    'k="v',
    '{"a":1}',
    '{',
    '}',
    ' ',
    '  ',
    ':',
    '[',
    ']',
    '"',
    '\t',
    '\n',
    '1.5',
  ],
]
const anyLine = fc.oneof(
  fc
    .array(fc.constantFrom(...VALUES), { maxLength: 12 })
    .map((parts) => Buffer.from(parts.join(''))),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
)

function compiled(pattern: string): PatternMatcher | undefined {
  try {
    return new PatternMatcher(compilePattern(pattern))
  } catch (error) {
    expect(error).toBeInstanceOf(PatternFault)
    if (error instanceof PatternFault) {
      expect(error.at).toBeGreaterThanOrEqual(0)
      expect(error.at).toBeLessThanOrEqual(pattern.length)
    }
    return undefined
  }
}

const RUNS = series(1000, 6000)

describe('any pattern', () => {
  it('is refused with its place, or fits any line or none, with places in the line', () => {
    let count = 0
    fc.assert(
      fc.property(
        anyPattern,
        fc.array(anyLine, { minLength: 1, maxLength: 6 }),
        (pattern, lines) => {
          const matcher = compiled(pattern)
          if (matcher === undefined) return
          count++
          for (const line of lines) {
            if (!matcher.read(line, 0, line.length, NOW_MS)) continue
            for (const [i, start] of matcher.starts.entries()) {
              const end = matcher.ends[i] ?? 0
              if (start >= 0) expect([start <= end, end <= line.length]).toEqual([true, true])
            }
          }
        },
      ),
      { numRuns: RUNS },
    )
    expect(count).toBeGreaterThan(RUNS / 12)
  })

  it('is refused with its place whatever characters it has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect([undefined, PatternMatcher]).toContain(compiled(`{${text}`)?.constructor)
        expect([undefined, PatternMatcher]).toContain(compiled(`{date:D,${text}}`)?.constructor)
      }),
      { numRuns: series(330, 2000) },
    )
  })

  it('of the built-in ones takes any lines', () => {
    const lines = fc.array(anyLine, { maxLength: 5 })
    fc.assert(
      fc.property(fc.constantFrom(...BUILT_IN_TEMPLATES), lines, ({ patterns }, given) => {
        const sample = given.map((line) => line.toString('latin1')).join('\n')
        const { fitting, events } = verifyPatterns(patterns, sample, NOW_MS)
        expect(fitting).toBeLessThanOrEqual(events.length)
      }),
      { numRuns: series(150, 500) },
    )
  })
})
