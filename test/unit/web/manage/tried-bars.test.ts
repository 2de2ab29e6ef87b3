import { describe, expect, test } from 'vitest'
import { triedBars } from '../../../../web/console/manage/monitors/trial/tried-bars.ts'

const run = (minute: number, count: number, failing = 0) => ({
  ...{ at: new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString(), count, failing },
})
const valuesOf = (tried: Parameters<typeof triedBars>[0], shown: 'rows' | 'runs') =>
  triedBars(tried, shown).map(({ values }) => values)

describe('bars of a trial', () => {
  test('a bar for each of few runs: passed below, failed above', () => {
    const tried = [run(0, 3), run(5, 12, 2), run(10, 0)]
    expect(valuesOf(tried, 'rows')).toEqual([
      [3, 0],
      [0, 12],
      [0, 0],
    ])
    expect(valuesOf(tried, 'runs')).toEqual([
      [1, 0],
      [0, 1],
      [1, 0],
    ])
    expect(valuesOf([], 'rows')).toEqual([])
  })

  test('many runs share bars, sixty at most, and none is left out', () => {
    for (const count of [60, 61, 119, 120, 121, 1000]) {
      const tried = Array.from({ length: count }, (_, at) => run(at, 1, at % 7 === 0 ? 1 : 0))
      const bars = valuesOf(tried, 'runs')
      expect(bars.length).toBeLessThanOrEqual(60)
      const sum = (at: 0 | 1) => bars.reduce((all, values) => all + (values[at] ?? 0), 0)
      const failed = Math.ceil(count / 7)
      expect([sum(0), sum(1)]).toEqual([count - failed, failed])
    }
  })

  test('of runs that share a bar one that failed is told, with its most rows', () => {
    const tried = Array.from({ length: 120 }, (_, at) => run(at, at === 1 ? 900 : 5))
    tried[0] = run(0, 40, 1)
    expect(valuesOf(tried, 'rows')[0]).toEqual([0, 40])
    expect(valuesOf(tried, 'rows')[1]).toEqual([5, 0])
    const [first] = triedBars(tried, 'rows')
    expect(first?.title).toMatch(/ – /)
  })
})
