import { describe, expect, it } from 'vitest'
import { median } from '../../../loadtest/support/bench/verdicts.ts'
import { riseOf } from '../../../loadtest/support/growth.ts'

describe('the rise of a soak', () => {
  it('is that of the straight line, from its first minute to its last', () => {
    expect(riseOf([10, 20, 30, 40])).toBeCloseTo(30)
    expect(riseOf([40, 30, 20, 10])).toBeCloseTo(-30)
  })

  it('is nothing of what goes up and down, and of what is too short to tell', () => {
    expect(riseOf([10, 30, 10, 30, 10])).toBeCloseTo(0)
    expect(riseOf([7])).toBe(0)
  })
})

describe('the median of some rounds', () => {
  it('is that of the middle, or between the two of it', () => {
    expect(median([9, 1, 2])).toBe(2)
    expect(median([4, 1, 3, 100])).toBe(3.5)
    expect(median([])).toBeNaN()
  })
})
