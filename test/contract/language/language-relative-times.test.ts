// Times told from now, against the reference with its own reading of them
// (search-language#relative-times).
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import { makeWorld, storeWorld } from '../../support/reference/random/random-world.ts'
import { compareAnswers } from '../../support/reference/run/compare.ts'
import { openSharedStore } from '../../support/store/shared-store.ts'
import { openForTests } from '../../support/store/store-variants.ts'

const DAY_MS = 86_400_000
/** Around a change of the clocks, and an end of a month. */
const WORLDS = [
  { zone: 'America/New_York', startMs: Date.UTC(2026, 2, 6, 3) },
  { zone: 'Europe/Berlin', startMs: Date.UTC(2026, 9, 23, 22) },
  { zone: 'Asia/Kathmandu', startMs: Date.UTC(2026, 1, 27, 1) },
].map((options, index) =>
  makeWorld({
    ...options,
    lengthMs: 4 * DAY_MS,
    seed: 20 + index,
    events: 150,
    firstLogId: 100 * (index + 1),
  }),
)

describe('times told from now', () => {
  let store: Store
  openForTests(openSharedStore, async (opened) => {
    store = opened
    for (const [index, { allEvents }] of WORLDS.entries())
      await storeWorld(store, allEvents, index * 10_000)
  })

  it.each([
    'in last 2 days',
    'in last 30 hours in log.access',
    'timeout or get or user in log.access in last 3 d',
    'not (in last 50h)',
    'timestamp > now - 2 days',
    'timestamp >= -1d@d',
    'timestamp < now-36h@h',
    'timestamp between now - 3d and now - 1d@d+8h',
    'timestamp not in (now, now-1d)',
    'timestamp > "now - 2 days"',
    '* | where timestamp < -2d@d',
    '* | count, start time as Start | group by log | where Start > now - 4 days',
    '* | count if (timestamp > now - 1 day) as Late | group by log',
  ])('%s', async (text) => {
    for (const stored of WORLDS) {
      const outcome = await compareAnswers(store, text, stored)
      expect([stored.world.zone, outcome]).toEqual([
        stored.world.zone,
        { kind: 'same', rows: expect.any(Number) },
      ])
      expect([stored.world.zone, outcome]).not.toMatchObject([{}, { rows: 0 }])
    }
  })
})
