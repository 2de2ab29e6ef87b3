import { describe, expect, it } from 'vitest'
import { nextCronRuns, parseCron } from '../../../schemas/time/cron.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'

function runs(text: string, after: string, zone = 'UTC', count = 3): string[] {
  const cron = parseCron(text)
  if (cron === undefined) throw new Error(`${text} is no expression`)
  return nextCronRuns(cron, timeZone(zone), Date.parse(after), count).map((moment) =>
    new Date(moment).toISOString().slice(0, 16),
  )
}

describe('a schedule', () => {
  it.each([
    ...['', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * 32 * *'],
    ...['* * * 13 *', '* * * * 8', '5-1 * * * *', '*/0 * * * *', '@daily', '* * * JAN *'],
    ...['* * L * *', '1,,2 * * * *', '-1 * * * *', '1.5 * * * *', '* * * * 1#2', '*  * * * *'],
  ])('is not %j', (text) => {
    expect(parseCron(text)).toBeUndefined()
  })

  it.each([
    ['0 1 * * *', ['2026-03-01T01:00', '2026-03-02T01:00', '2026-03-03T01:00']],
    ['5/25 * * * *', ['2026-03-01T00:05', '2026-03-01T00:30', '2026-03-01T00:55']],
    ['0 12 * * 1-5', ['2026-03-02T12:00', '2026-03-03T12:00', '2026-03-04T12:00']],
    ['0 1 * * 7', ['2026-03-01T01:00', '2026-03-08T01:00', '2026-03-15T01:00']],
    ['0 0 29 2 *', ['2028-02-29T00:00', '2032-02-29T00:00', '2036-02-29T00:00']],
    ['0 0 10 * 5', ['2026-03-06T00:00', '2026-03-10T00:00', '2026-03-13T00:00']],
    ['0 0 */10 * 1', ['2026-05-11T00:00', '2026-06-01T00:00', '2026-08-31T00:00']],
    ['0 0 30 2 *', []],
  ])('%s runs at %j', (text, moments) => {
    expect(runs(text, '2026-03-01T00:00:00Z')).toEqual(moments)
  })

  it('never names the moment itself', () => {
    expect(runs('0 1 * * *', '2026-03-01T01:00:00Z', 'UTC', 1)).toEqual(['2026-03-02T01:00'])
  })
})

describe('a clock that is put forward', () => {
  it.each(['30 2 * * *', '30 2,3 * * *'])('has the skipped time of %s once, later', (text) => {
    expect(runs(text, '2026-03-28T12:00:00Z', 'Europe/Berlin', 2)).toEqual([
      '2026-03-29T01:30',
      '2026-03-30T00:30',
    ])
  })
})

describe('a clock that is put back', () => {
  it('has a named hour once', () => {
    expect(runs('30 2 * * *', '2026-10-24T12:00:00Z', 'Europe/Berlin', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
  })

  it('is followed as it goes with *', () => {
    expect(runs('30 * * * *', '2026-10-24T23:45:00Z', 'Europe/Berlin')).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:30',
      '2026-10-25T02:30',
    ])
  })
})
