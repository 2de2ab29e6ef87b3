import { describe, expect, it } from 'vitest'
import { labelledBars } from '../../../web/shared/charts/labelled-bars.ts'

const DAYS = ['11-21', '11-22', '11-23', '11-24', '11-25', '11-26', '11-27', '11-28']
const LABEL_PX = 74

describe('labels below bars', () => {
  it('stand below each bar that is wide enough', () => {
    expect([...labelledBars(DAYS, 80, LABEL_PX)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('are as far apart as they are wide', () => {
    expect([...labelledBars(DAYS, 40, LABEL_PX)]).toEqual([0, 2, 4, 6])
  })

  it('say each day once, where it begins, and leave none out that has room', () => {
    const bars = DAYS.flatMap((day) => new Array<string>(8).fill(day)).slice(3, -4)
    expect([...labelledBars(bars, 16, LABEL_PX)]).toEqual([0, 5, 13, 21, 29, 37, 45, 53])
  })

  it('have no bars', () => {
    expect(labelledBars([], 0, LABEL_PX).size).toBe(0)
  })
})
