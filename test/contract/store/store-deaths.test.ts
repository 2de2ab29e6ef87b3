// What the store process remembers of its own ends: a search that may be their cause is refused for
// a while, the writer's look-ups never.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { CrashJournal, fingerprintOf } from '../../../infra/store/server/crash-journal.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'
import { startEmbeddedStore } from '../../support/store/embedded-store.ts'
import { failureOf, LONG_QUERY } from '../../support/store/store-variants.ts'

const MINUTE_MS = 60_000
const poison = fingerprintOf('SELECT 1', [])

describe('ends of the store process', () => {
  it('leave the urgent queries of the writer alone, which may run at any of them', async () => {
    const embedded = await startEmbeddedStore()
    const lookUp = (limit: number) =>
      embedded.store.query({
        sql: `${LONG_QUERY} AND number < {limit:UInt64}`,
        params: { limit },
        settings: { priority: 1 },
      })
    try {
      for (let death = 0; death < 2; death++) {
        const call = failureOf(lookUp(1e15))
        await sleep(400)
        await embedded.kill9()
        expect(await call).toBe('store.unavailable')
        await embedded.restart()
      }
      expect(await failureOf(lookUp(1))).toBe('')
    } finally {
      await embedded.stop()
    }
  })

  it('refuse a search for ten minutes, also when the time of day is set back a day', () => {
    const directory = mkdtempSync(join(tmpdir(), 'logeye-test-deaths-'))
    const clock = makeManualClock()
    const startedAt = (offsetMs: number) =>
      new CrashJournal(directory, 2, { ...clock, nowMs: () => clock.nowMs() + offsetMs })
    const isRefusedAt = (offsetMs: number) => {
      const journal = startedAt(offsetMs)
      journal.close()
      return journal.isRefused(poison)
    }
    try {
      for (let death = 0; death < 2; death++) {
        const journal = startedAt(0)
        journal.begin(0, poison)
        journal.close()
      }
      // The second death is only read now.
      expect(isRefusedAt(0)).toBe(true)
      expect(isRefusedAt(9 * MINUTE_MS)).toBe(true)
      expect(isRefusedAt(-24 * 60 * MINUTE_MS)).toBe(false)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })
})
