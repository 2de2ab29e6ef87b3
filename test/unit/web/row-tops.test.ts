import { describe, expect, test } from 'vitest'
import { forgetGone, rowAt, topsOf } from '../../../web/shared/row-tops.ts'

describe('rows of a long list', () => {
  test('stand below each other, those that differ with their own height', () => {
    const tops = topsOf(['a', 'b', 'c'], new Map([['b', 50]]), 20)
    expect([...tops]).toEqual([0, 20, 70, 90])
    expect([0, 19, 20, 69, 70, 89].map((px) => rowAt(tops, px))).toEqual([0, 0, 1, 1, 2, 2])
  })

  test('are none in an empty list', () => {
    expect([...topsOf([], new Map(), 20)]).toEqual([0])
    expect(rowAt(topsOf([], new Map(), 20), 100)).toBe(0)
  })

  test('that come and go for hours keep no more heights than twice their number', () => {
    const heights = new Map<string, number>()
    for (let turn = 0; turn < 1000; turn += 1) {
      const keys = Array.from({ length: 10 }, (_, at) => `${turn + at}`)
      forgetGone(heights, keys)
      heights.set(`${turn}`, 50)
      const tops = topsOf(keys, heights, 20)
      expect(tops[1]).toBe(50)
      expect(heights.size).toBeLessThanOrEqual(21)
    }
    // What is still in the list keeps its own.
    expect(heights.get('999')).toBe(50)
  })
})
