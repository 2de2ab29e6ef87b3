// Names and patterns of names: which ones match, and with how much work.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { levelPattern, seriesOf } from '../../../../ingest/collect/path-pattern.ts'

/** A part of a pattern, and the same as a regular expression. */
const PARTS: readonly (readonly [part: string, expression: string])[] = [
  ['*', '[^/]*'],
  ['?', '[^/]'],
  ['[a-c]', '[a-c]'],
  ['[!a]', '[^/a]'],
  ['{string}', '[^/]*'],
  ['{number}', '\\d+'],
  ['{date,d}', '\\d{1,2}'],
  ['{date,yyyy-MM}', '\\d{4}-\\d{2}'],
  ['{date,MMM}', '\\p{L}+'],
  ["{date,'at'Z}", 'at(?:Z|[+-]\\d{2}:?\\d{2})'],
  ['{rotation}', '(?:[.-]\\d[\\d-]*)?(?:\\.(?:gz|zst|bz2|xz))?'],
  ['a', 'a'],
  ['.', '\\.'],
  ['é', 'é'],
]
const CHUNKS = [
  'a',
  'b',
  '.',
  '-',
  '1',
  '20',
  '2026-01',
  '.gz',
  '.xz',
  'Z',
  '+0100',
  'at',
  'é',
  '😀',
]

const test = (pattern: string, name: string) => levelPattern(pattern).test(name)

describe('a pattern of names', () => {
  it('takes the names that its regular expression takes', () => {
    let taken = 0
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 5 }),
        fc.array(fc.constantFrom(...CHUNKS), { maxLength: 6 }),
        (parts, chunks) => {
          const name = chunks.join('')
          const expression = new RegExp(`^${parts.map(([, it]) => it).join('')}$`, 'u')
          const isTaken = expression.test(name)
          if (isTaken) taken += 1
          expect(test(parts.map(([part]) => part).join(''), name)).toBe(isTaken)
        },
      ),
      { numRuns: 3000 },
    )
    expect(taken).toBeGreaterThan(100)
  })

  it('answers the same each time', () => {
    const pattern = levelPattern('a*b')
    expect(['ab', 'a', 'axb', 'ab'].map((name) => pattern.test(name))).toEqual([
      ...[true, false, true, true],
    ])
  })

  it.each([
    ['many stars', '*a'.repeat(50), 'a', 'b'],
    ['optional digits', `${'{date,d}'.repeat(40)}x`, '1', ''],
    ['rotations', `${'{rotation}'.repeat(20)}x`, '-1', ''],
    ['numbers', `${'{number}'.repeat(40)}x`, '1', ''],
  ])('works in steps that grow with the name: %s', (_, source, unit, end) => {
    const stepsOf = (count: number) => {
      const pattern = levelPattern(source)
      expect(pattern.test(unit.repeat(count) + end)).toBe(false)
      return pattern.steps
    }
    expect(stepsOf(4000)).toBeLessThan(2.2 * stepsOf(2000))
    expect(stepsOf(4000)).toBeLessThan(4000 * unit.length * 1000)
  })

  it.each([['[a'], ['{date'], ['[]'], ['{date,}'], ['{other}']])('refuses %s', (pattern) => {
    expect(() => levelPattern(pattern)).toThrow(RangeError)
  })
})

it.each([
  ['app.log.1', 'app.log'],
  ['app.log-20260101.gz', 'app.log'],
  ['app.log', 'app.log'],
  [`${'x'.repeat(300)}.log.12`, `${'x'.repeat(300)}.log`],
  ['-1', '-1'],
])('%s is of the series %s', (name, series) => {
  expect(seriesOf(name)).toBe(series)
})
