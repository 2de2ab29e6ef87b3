// The names of columns that masks hide: those in which the store would find a value.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeHidesName } from '../../../../schemas/masking/hides-name.ts'
import { DETECTORS, type MaskTarget } from '../../../../schemas/masking/mask-rule.ts'
import { valueExpression } from '../../../../schemas/masking/value-expressions.ts'

const CHUNKS: Readonly<Record<string, readonly string[]>> = {
  email: ['a', '@', '%40', '.', '-', 'é', '4', ' ', 'b.c'],
  card: ['4', '4111', '411111111111', ' ', '-', '.', 'e', 'E+1', '0', 'a'],
  ipv4: ['1', '12', '255', '.', '1.1', 'a', ' '],
  ipv6: ['a', ':', 'a:', '%3A', '.', 'ffff:', 'g', '1'],
  bearer: ['eyJ', '-', 'a', 'bearer', 'Bearer', 'BEARER', ' ', '.', 'aaaaa', '='],
  iban: ['DE', '12', '1234', ' ', '-', 'a', 'abcd'],
  phone: ['+', '00', '1', '555', '5555', ' ', '-', '(', ')', '.'],
}
const PATTERNS: readonly (readonly [pattern: string, chunks: readonly string[]])[] = [
  ['KD-{digit:6}', ['KD-', '123', '4', 'K']],
  ['{letter:2-3}{digit:4}', ['ab', 'c', '12', '3']],
  ['{digit:1-2}{digit:1-2}{digit:1-2}x', ['1', '22', 'x', 'a']],
]

/** The expression of the store, in the spelling of this language. */
function storeFinds(target: MaskTarget, name: string): boolean {
  const expression = valueExpression([target]) ?? ''
  const own = expression
    .replaceAll('(?i:\\bbearer)', '\\b[Bb][Ee][Aa][Rr][Ee][Rr]')
    .replaceAll('\\x{', '\\u{')
  return new RegExp(own, 'u').test(name)
}

function compareWithStore(target: MaskTarget, chunks: readonly string[]): void {
  const hides = makeHidesName([target])
  let hidden = 0
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...chunks), { maxLength: 9 }), (parts) => {
      const name = parts.join('')
      const isHidden = storeFinds(target, name)
      if (isHidden) hidden += 1
      expect(hides?.(name)).toBe(isHidden)
    }),
    { numRuns: 2000 },
  )
  expect(hidden).toBeGreaterThan(10)
}

describe('a name is hidden', () => {
  it.each(DETECTORS)('when the store finds one of: %s', (detector) => {
    compareWithStore({ kind: 'detector', detector }, CHUNKS[detector] ?? [])
  })

  it.each(PATTERNS)('when the store finds the pattern %s', (pattern, chunks) => {
    compareWithStore({ kind: 'pattern', pattern }, chunks)
  })

  it('when it holds a token whose scheme is in capital letters', () => {
    const hides = makeHidesName([{ kind: 'detector', detector: 'bearer' }])
    expect(['Bearer abc', 'BEARER abc', 'bearer abc', 'bear abc'].map((it) => hides?.(it))).toEqual(
      [...[true, true, true, false]],
    )
  })

  it('by nothing when only columns are', () => {
    expect(makeHidesName([{ kind: 'column', path: 'user' }])).toBeUndefined()
    expect(makeHidesName([])).toBeUndefined()
  })
})

it('takes a long name at once, whatever the pattern is', () => {
  const pattern = `${'{digit:1-2}'.repeat(20)}x`
  const hides = makeHidesName([{ kind: 'pattern', pattern }])
  // As an expression that goes back it would take 2^20 steps for each digit.
  expect(hides?.('1'.repeat(1000))).toBe(false)
  expect(hides?.(`${'1'.repeat(1000)}x`)).toBe(true)
})
