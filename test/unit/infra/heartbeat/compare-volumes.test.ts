import { describe, expect, it } from 'vitest'
import {
  type CountedHour,
  compareVolumes,
  type ToldVolumes,
} from '../../../../infra/heartbeat/compare-volumes.ts'
import { printVolumes } from '../../../../infra/heartbeat/print-volumes.ts'
import { findDue } from '../../../../infra/heartbeat/reported-hours.ts'

const HOUR_MS = 3_600_000
const HOUR = 500_000 - (500_000 % 24)
const NONE = { events: 0, bytes: 0 }
const TEN = { events: 1, bytes: 10 }
const NOW_MS = (HOUR + 30) * HOUR_MS

const counted = (hour: number, change: Partial<CountedHour> = {}): CountedHour => ({
  ...{ hour, counted: TEN, removed: NONE, reported: TEN },
  ...change,
})

function told(change: Partial<ToldVolumes> = {}, reachedMs = NOW_MS): ToldVolumes {
  const hours = new Map([[HOUR, TEN]])
  return {
    ...{ received: hours, hours: [counted(HOUR)], nowMs: NOW_MS },
    portal: { kind: 'told', hours, hasOthers: false, reachedMs },
    ...change,
  }
}

const stateOf = (volumes: ToldVolumes) => compareVolumes(volumes, 'hour').rows[0]?.state

describe('volumes', () => {
  it('are equal where all say the same', () => {
    const result = compareVolumes(told(), 'hour')
    expect(result).toMatchObject({ isBad: false, notes: [], rows: [{ state: 'equal' }] })
    expect(printVolumes(result)).toMatch(
      /1 \/ 10 +1 \/ 10 +1 \/ 10 +1 \/ 10 +equal\nthe same everywhere, to the byte$/,
    )
  })

  it.each([
    ['the search', { received: new Map([[HOUR, { events: 1, bytes: 9 }]]) }],
    ['the report', { hours: [counted(HOUR, { reported: { events: 2, bytes: 10 } })] }],
    ['the counters', { hours: [] }],
    ['the removed logs', { hours: [counted(HOUR, { removed: TEN })] }],
  ])('differ by %s, in the sum of the day, too', (_, change) => {
    expect(stateOf(told(change))).toBe('differs')
    const day = compareVolumes(told(change), 'day')
    expect(day).toMatchObject({ isBad: true, rows: [{ hour: HOUR, state: 'differs' }] })
    expect(printVolumes(day)).toMatch(/differs[\s\S]*NOT the same everywhere$/)
  })

  it('differ by the portal, unless its last report was before the end of the hour', () => {
    const portal = { kind: 'told', hours: new Map(), hasOthers: false } as const
    const at = (reachedMs: number) => told({ portal: { ...portal, reachedMs } })
    expect(stateOf(at((HOUR + 1) * HOUR_MS))).toBe('differs')
    expect(stateOf(at((HOUR + 1) * HOUR_MS - 1))).toBe('waiting')
    expect(stateOf({ ...told(), nowMs: HOUR * HOUR_MS + 5, received: new Map() })).toBe('waiting')
    expect(compareVolumes(at(0), 'hour').isBad).toBe(false)
  })

  it('of a portal that cannot be read are not called the same', () => {
    const unknown = { kind: 'unknown', reason: 'gone', reachedMs: NOW_MS } as const
    const result = compareVolumes(told({ portal: unknown }), 'hour')
    expect(result).toMatchObject({ isBad: true, notes: ['portal: cannot be read: gone'] })
    const off = compareVolumes(told({ portal: { kind: 'off' } }), 'hour')
    expect(off).toMatchObject({ isBad: false, rows: [{ reported: undefined, state: 'equal' }] })
  })
})

describe('what is due', () => {
  const find = (all: number, own: number | undefined, others = 0) =>
    findDue(new Map([[HOUR, { events: 1, bytes: all }]]), {
      own: new Map(own === undefined ? [] : [[HOUR, { events: 1, bytes: own }]]),
      others: new Map(others === 0 ? [] : [[HOUR, { events: 0, bytes: others }]]),
    }).map(({ bytes }) => bytes)

  it('is the difference to what was acknowledged, less what other licences reported', () => {
    expect(find(10, undefined)).toEqual([10])
    expect(find(10, 10)).toEqual([])
    expect(find(9, 10)).toEqual([9])
    expect(find(10, undefined, 4)).toEqual([6])
    expect(find(10, 6, 4)).toEqual([])
    expect(find(3, undefined, 4)).toEqual([0])
  })

  it('leaves what the counters do not know any more', () => {
    const own = new Map([[HOUR, TEN]])
    expect(findDue(new Map(), { own, others: new Map() })).toEqual([])
  })
})
