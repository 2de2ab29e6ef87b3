// How many rows of somebody else's database are asked for at a time: all of them are in memory.
import { expect, it } from 'vitest'
import { nextCount } from '../../../../infra/database/foreign/postgres-rows.ts'

function countsOf(length: number): number[] {
  const counts = [10]
  for (let fetch = 0; fetch < 8; fetch += 1) {
    const count = counts.at(-1) ?? 0
    counts.push(
      nextCount(
        count,
        Array.from({ length: count }, () => [null, 'x'.repeat(length)]),
      ),
    )
  }
  return counts
}

it('grows while rows are small', () => {
  expect(countsOf(100).slice(-3)).toEqual([100, 100, 100])
})

it('shrinks to one where they are large', () => {
  expect(countsOf(2_000_000).slice(-3)).toEqual([1, 1, 1])
  expect(Math.max(...countsOf(100_000))).toBeLessThan(25)
})
