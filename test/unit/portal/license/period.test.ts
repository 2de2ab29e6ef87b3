import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { periodAt } from '../../../../portal/license/status/period.ts'

const at = (from: string, to: string, now: string) =>
  periodAt({ fromMs: Date.parse(from), toMs: Date.parse(to) }, Date.parse(now))

describe('the period of a licence', () => {
  it.each([
    ['2026-01-15', '2027-01-15', '2026-01-15', '2026-01-15', '2026-02-14'],
    ['2026-01-15', '2027-01-15', '2026-02-14T23:59:59Z', '2026-01-15', '2026-02-14'],
    ['2026-01-15', '2027-01-15', '2026-02-15', '2026-02-15', '2026-03-14'],
    // Months without the day.
    ['2026-01-31', '2027-01-31', '2026-02-27', '2026-01-31', '2026-02-27'],
    ['2026-01-31', '2027-01-31', '2026-02-28', '2026-02-28', '2026-03-30'],
    ['2028-01-31', '2029-01-31', '2028-03-01', '2028-02-29', '2028-03-30'],
    // Before it begins and after it has ended.
    ['2026-01-15', '2026-03-20', '2025-06-01', '2026-01-15', '2026-02-14'],
    ['2026-01-15', '2026-03-20', '2026-06-01', '2026-03-15', '2026-03-19'],
    ['2026-01-15T18:30:00Z', '2027-01-15', '2026-12-31', '2026-12-15', '2027-01-14'],
  ])('from %s to %s is at %s from %s to %s', (from, to, now, first, last) => {
    expect(at(from, to, now)).toEqual({ from: first, to: last })
  })

  it('covers each day of the licence once', () => {
    const day = fc.integer({ min: 0, max: 40_000 })
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 800 }), (from, length) => {
        const license = { fromMs: from * 86_400_000, toMs: (from + length) * 86_400_000 }
        let next = new Date(license.fromMs).toISOString().slice(0, 10)
        for (let now = from; now < from + length; now += 1) {
          const date = new Date(now * 86_400_000).toISOString().slice(0, 10)
          const period = periodAt(license, now * 86_400_000)
          expect(period.from <= date && date <= period.to).toBe(true)
          if (date === next) {
            expect(period.from).toBe(next)
            next = new Date(Date.parse(period.to) + 86_400_000).toISOString().slice(0, 10)
          } else expect(period.from < date).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })
})
