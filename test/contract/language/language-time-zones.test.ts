// A year through the changes of the clocks: the windows of the calendar, and the buckets that a
// compiled query makes of events around every change, as wall clocks by Intl alone show them.
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import { windowOfInterval } from '../../../schemas/time/time-window.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'
import { storeWorld } from '../../support/reference/random/random-world.ts'
import { compareAnswers } from '../../support/reference/run/compare.ts'
import type { ReferenceEvent } from '../../support/reference/run/model.ts'
import {
  bucketStart,
  dayStart,
  nextBucket,
  offsetMs,
  wallOf,
} from '../../support/reference/zone.ts'
import { mapAtOnce } from '../../support/run/map-at-once.ts'
import { isFullTier } from '../../support/run/tier.ts'
import { openSharedStore } from '../../support/store/shared-store.ts'
import { openForTests } from '../../support/store/store-variants.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START_MS = Date.UTC(2025, 11, 30)
const END_MS = Date.UTC(2027, 0, 3)
/** From the day of a change. */
const DAYS_AROUND = isFullTier ? [-1, 0, 1] : [-1, 0]
const QUERIES_OF_A_DAY = [
  '* | count | interval 1 hour',
  '* | count | interval 15 minutes',
  '* | count | interval 3 hours',
  '* | datastream',
  '* | count as Hits | interval 1 day',
]
const AT_ONCE = 4
/** Without a factor of a day: every hour comes. */
const EVERY_HOURS = isFullTier ? 5 : 35

const ZONES = [
  // Two changes at 02:00 and 03:00.
  { name: 'Europe/Berlin', changes: 2 },
  // Half an hour off, none.
  { name: 'Asia/Kolkata', changes: 0 },
  // Half an hour off and changes of half an hour.
  { name: 'Australia/Lord_Howe', changes: 2 },
  // Changes at midnight: a day without 00:00, a day with two.
  { name: 'Africa/Cairo', changes: 2 },
  { name: 'America/Havana', changes: 2 },
]

const known = new Map<string, readonly number[]>()
/** The last moments before an offset changes, found hour by hour. */
function changesOf(zone: string): readonly number[] {
  const before = known.get(zone)
  if (before !== undefined) return before
  const found: number[] = []
  for (let ms = START_MS; ms < END_MS; ms += HOUR_MS / 2) {
    if (offsetMs(ms, zone) !== offsetMs(ms + HOUR_MS / 2, zone)) found.push(ms + HOUR_MS / 2)
  }
  known.set(zone, found)
  return found
}

describe.each(ZONES)('windows in $name', ({ name, changes }) => {
  it('have as many changes as the test means', () => {
    expect(changesOf(name)).toHaveLength(changes)
  })

  it('are days, weeks and months of the wall clock all year long', () => {
    const zone = timeZone(name)
    for (let nowMs = START_MS + 7 * 60_000; nowMs < END_MS; nowMs += EVERY_HOURS * HOUR_MS) {
      const at = new Date(nowMs).toISOString()
      const start = (unit: 'day' | 'week', ms = nowMs) =>
        bucketStart(ms, { count: 1, unit }, name, nowMs)
      const next = (unit: 'day' | 'week', ms: number) => nextBucket(ms, { count: 1, unit }, name)
      const [day, week] = [start('day'), start('week')]
      expect([at, windowOfInterval('currentDay', nowMs, zone)]).toEqual([
        at,
        { startMs: day, endMs: next('day', day) },
      ])
      expect([at, windowOfInterval('previousDay', nowMs, zone)]).toEqual([
        at,
        { startMs: start('day', day - 1), endMs: day },
      ])
      expect([at, windowOfInterval('currentWeek', nowMs, zone)]).toEqual([
        at,
        { startMs: week, endMs: next('week', week) },
      ])
      expect([at, windowOfInterval('previousWeek', nowMs, zone)]).toEqual([
        at,
        { startMs: start('week', week - 1), endMs: week },
      ])
      for (const [interval, months] of [['last1Months', 1] as const, ['last6Months', 6] as const]) {
        const { startMs, endMs } = windowOfInterval(interval, nowMs, zone)
        const [then, now] = [wallOf(startMs, name), wallOf(nowMs, name)]
        const monthsBetween = (now.year - then.year) * 12 + now.month - then.month
        expect([at, endMs, monthsBetween]).toEqual([at, nowMs, months])
        const lastDay = new Date(Date.UTC(then.year, then.month, 0)).getUTCDate()
        expect([at, then.day]).toEqual([at, Math.min(now.day, lastDay)])
      }
    }
  })
})

describe('buckets', () => {
  const worlds = ZONES.map(({ name }, index) => makeWorld(name, index + 1))
  let store: Store

  function makeWorld(zone: string, id: number) {
    const log = { id, folder: ['Zones'], name: zone, appTags: [], typeWords: [] }
    const times: number[] = []
    for (let ms = START_MS; ms < END_MS; ms += 7 * HOUR_MS + 13 * 60_000) times.push(ms)
    for (const change of changesOf(zone)) {
      for (let minutes = -150; minutes <= 150; minutes += 10) times.push(change + minutes * 60_000)
      times.push(change - 1, change, change + 1)
    }
    const events = times
      .sort((a, b) => a - b)
      .map(
        (timestampMs, arrival): ReferenceEvent => ({
          log,
          arrival,
          timestampMs,
          host: 'web-01',
          source: 'Default',
          message: 'tick',
          raw: '',
          size: 100,
          texts: ['tick'],
          columns: {},
        }),
      )
    return {
      world: {
        events,
        logs: [log],
        names: new Map(),
        window: { startMs: START_MS, endMs: END_MS },
        zone,
        nowMs: 0,
      },
      columns: new Map(),
    }
  }

  openForTests(openSharedStore, async (opened) => {
    store = opened
    for (const [index, { world }] of worlds.entries())
      await storeWorld(store, world.events, index * 100_000)
  })

  describe.each(worlds)('in $world.zone', (stored) => {
    const { world } = stored

    it.each([
      '* | count, start time as First, end time as Last | interval 1 day',
      '* | count | interval 2 days',
      '* | count | interval 1 week',
      '* | count | interval 1 month',
      '* | count | interval 1 year',
      '* | count | interval 6 hours',
      '* | count | group by timestamp as Day in date format("yyyy-MM-dd") | order by Day',
      '* | count | group by timestamp as Hour in date format("yyyy-MM-dd HH") | order by Hour | limit 2000',
      '* | datastream',
      '* | datastream | interval 1 day',
    ])('%s over the year', async (query) => {
      expect(await compareAnswers(store, query, stored)).toMatchObject({ kind: 'same' })
    })

    it('the hours and quarters of the days around each change, and of ordinary days', async () => {
      const unit = { count: 1, unit: 'day' } as const
      const middles = [...changesOf(world.zone), START_MS + 40 * DAY_MS]
      const questions = middles.flatMap((middle) =>
        DAYS_AROUND.flatMap((days) => {
          const startMs = bucketStart(middle + days * DAY_MS, unit, world.zone, middle)
          const window = { startMs, endMs: nextBucket(startMs, unit, world.zone) }
          return QUERIES_OF_A_DAY.map((query) => ({ query, window }))
        }),
      )
      await mapAtOnce(questions, AT_ONCE, async ({ query, window }) => {
        const where = [query, new Date(window.startMs).toISOString()]
        const outcome = await compareAnswers(store, query, {
          ...stored,
          world: { ...world, window },
        })
        expect([...where, outcome]).toMatchObject([...where, { kind: 'same' }])
      })
    })

    it('an open window from the first to the last event', async () => {
      const window = { startMs: null, endMs: null }
      for (const query of [
        '* | count | interval 1 day',
        '* | count | interval 3 days',
        '* | datastream',
      ])
        expect(
          await compareAnswers(store, query, { ...stored, world: { ...world, window } }),
        ).toMatchObject({ kind: 'same' })
    })

    it('the first moment of every day is where its bucket begins', () => {
      for (let day = START_MS / DAY_MS; day < END_MS / DAY_MS; day += 1) {
        const ms = dayStart(day, world.zone)
        const wall = wallOf(ms, world.zone)
        expect(Date.UTC(wall.year, wall.month - 1, wall.day) / DAY_MS).toBe(day)
        expect(wallOf(ms - 1, world.zone).day).not.toBe(wall.day)
      }
    })
  })
})
