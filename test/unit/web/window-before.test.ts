import { describe, expect, it } from 'vitest'
import { windowBefore } from '../../../web/console/search/run/window-before.ts'

const WINDOW = {
  start: '2026-03-30T07:00:00.000Z',
  end: '2026-03-30T08:00:00.000Z',
  timeZone: 'UTC',
}

describe('the earlier time of a comparison', () => {
  it('ends where the window begins, and is as long', () => {
    expect(windowBefore(WINDOW, 'before')).toEqual({
      start: '2026-03-30T06:00:00.000Z',
      end: '2026-03-30T07:00:00.000Z',
    })
  })

  it('is a week earlier by the clock of the zone', () => {
    expect(windowBefore(WINDOW, 'week')).toEqual({
      start: '2026-03-23T07:00:00.000Z',
      end: '2026-03-23T08:00:00.000Z',
    })
    // Nine in the morning of a Monday, before and after the clocks went forward.
    expect(windowBefore({ ...WINDOW, timeZone: 'Europe/Berlin' }, 'week')).toEqual({
      start: '2026-03-23T08:00:00.000Z',
      end: '2026-03-23T09:00:00.000Z',
    })
  })

  it('does not exist of an open window', () => {
    expect(windowBefore({ ...WINDOW, start: null }, 'week')).toBeUndefined()
    expect(windowBefore({ ...WINDOW, end: null }, 'before')).toBeUndefined()
  })
})
