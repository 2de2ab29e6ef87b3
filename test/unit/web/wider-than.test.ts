import { describe, expect, it } from 'vitest'
import { widerThan } from '../../../web/console/search/run/wider-than.ts'

const OFFERED = ['last24Hours', 'last7Days', 'allData'] as const
const of = (interval: string) => widerThan({ kind: 'interval', interval }, OFFERED)

describe('intervals that are wider than the one of a search', () => {
  it('are neither the same nor narrower', () => {
    expect(of('last15Minutes')).toEqual(OFFERED)
    expect(of('last24Hours')).toEqual(['last7Days', 'allData'])
    expect(of('last6Months')).toEqual(['allData'])
    expect(of('allData')).toEqual([])
  })

  it('hold all of days and weeks of the calendar', () => {
    expect(of('currentDay')).toEqual(OFFERED)
    expect(of('previousDay')).toEqual(['last7Days', 'allData'])
    expect(of('currentWeek')).toEqual(['last7Days', 'allData'])
    expect(of('previousWeek')).toEqual(['allData'])
  })

  it('are all of them beside times', () => {
    expect(widerThan({ kind: 'times', start: '-2h', end: undefined }, OFFERED)).toEqual(OFFERED)
  })
})
