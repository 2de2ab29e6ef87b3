// The steps of the matcher grow with the length of the line, whatever pattern and line are
// (docs/decisions/0037). Counted in steps: a step is a byte looked at or an instruction entered.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern } from '../../../../ingest/patterns/match/compile-pattern.ts'
import { PatternMatcher } from '../../../../ingest/patterns/match/pattern-matcher.ts'
import { patternTwin } from '../../../support/patterns/pattern-twin.ts'
import { series } from '../../../support/run/tier.ts'

/** Steps for each byte, and each instruction or choice; and what is tried before notes are kept. */
const STEPS = 4
const PLAIN = 8
/** Repeats of a hostile unit, of which twice as many are compared with it. */
const LONG = series(2500, 10_000)

function stepsOf(matcher: PatternMatcher, line: string): number {
  const bytes = Buffer.from(line)
  matcher.match(bytes, 0, bytes.length)
  return matcher.steps
}

function boundOf({ program }: PatternMatcher, length: number): number {
  const ways = program.instructions.reduce((sum, { choices }) => sum + 1 + choices.length, 0)
  return 2048 + PLAIN * length + STEPS * ways * (length + 64)
}

const optional = (inside: string) =>
  `{block,start,emptiness=true}${inside}{block,end,emptiness=true}`

/** Each would take a power of the length, or of two, without notes. */
const HOSTILE: readonly (readonly [name: string, pattern: string, unit: string, end: string])[] = [
  ['many texts', `${'{text} '.repeat(20)}{number}`, 'a ', 'x'],
  ['many strings', `${'{string}a'.repeat(20)}!`, 'a', ''],
  ['optional parts', `${optional('a').repeat(30)}${'a'.repeat(30)}{text}!`, 'a', ''],
  ['optional texts', `${optional('a{text}b').repeat(12)}{text}!`, 'ab', ''],
  ['numbers after texts', `${'{text}{number}'.repeat(10)}x`, '1', ''],
  ['numbers with points', `${'{text}{number}'.repeat(10)}x`, '1.', ''],
  ['numbers with signs', `${'{text}{number} '.repeat(10)}x`, '-1', ''],
  ['choices', `${'{text}{choice:,a;aa;aaa;aaaa}'.repeat(10)}!`, 'a', ''],
  ['addresses', `${'{text}{ip}'.repeat(10)}!`, '1.1.1.1:', ''],
  ['dates', `${'{text}{date:,yyyy-MM-dd}'.repeat(10)}!`, '2026-01-01', ''],
  ['pairs', `${'{text} '.repeat(10)}{pairs}`, 'aaaa ', ''],
  ['json', `${'{text}'}x${'{text}{json}'}`, 'x{', '}!'],
  ['urls', `${'{url} '.repeat(10)}!`, '/a ', ''],
  ['spaces', `${'{text} '.repeat(10)}!`, ' ', ''],
  ['spaces between', `${'{text} a '.repeat(10)}!`, ' a  ', ''],
  ['words', `${'{word} '.repeat(20)}!`, 'a ', ''],
  ['levels', `${'{text}{priority}'.repeat(10)}!`, 'INFO', ''],
  ['lines', `${'{text}{newline}{string}a'.repeat(5)}!`, 'a\n', ''],
]

describe('the steps of the matcher', () => {
  it.each(HOSTILE)('grow with the line: %s', (_, pattern, unit, end) => {
    const matcher = new PatternMatcher(compilePattern(pattern))
    for (const count of [500, 2000]) {
      const line = unit.repeat(count) + end
      expect(stepsOf(matcher, line)).toBeLessThan(boundOf(matcher, line.length))
    }
    // Not only below a line: twice the line is about twice the steps.
    const short = stepsOf(matcher, unit.repeat(LONG) + end)
    expect(stepsOf(matcher, unit.repeat(2 * LONG) + end)).toBeLessThan(2.2 * short)
  })

  it('grow with the line for any pattern and any line that repeats itself', () => {
    const unit = fc.string({
      ...{ unit: fc.constantFrom('a', 'b', ' ', '1', '.', '=', '\n'), minLength: 1, maxLength: 6 },
    })
    fc.assert(
      fc.property(patternTwin, unit, unit, (twin, start, again) => {
        const matcher = new PatternMatcher(compilePattern(twin.pattern))
        const line = start + again.repeat(series(200, 600))
        expect(stepsOf(matcher, line)).toBeLessThan(boundOf(matcher, line.length))
      }),
      { numRuns: series(60, 400) },
    )
  })
})
