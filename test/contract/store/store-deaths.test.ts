// What the store process remembers of its own ends: a search that may be their cause is refused for
// a while, the writer's look-ups never.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CrashJournal, fingerprintOf } from '../../../infra/store/server/crash-journal.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'
import { type EmbeddedStore, startEmbeddedStore } from '../../support/store/embedded-store.ts'
import { failureOf, LONG_QUERY, runningOf } from '../../support/store/store-variants.ts'

const MINUTE_MS = 60_000
const poison = fingerprintOf('SELECT 1', [])

describe('ends of the store process', () => {
  let embedded: EmbeddedStore
  beforeAll(async () => {
    embedded = await startEmbeddedStore()
  })
  afterAll(() => embedded.stop())

  it('refuse a search that ran at two of them, also with other times and numbers; none that was answered between them, and no urgent query of the writer', async () => {
    const { store } = embedded
    const poison = (text: string, from: number, timeoutMs = 60_000) =>
      store.query({
        sql: `${LONG_QUERY} AND {text:String} != '' AND number > {from:UInt64}`,
        params: { text, from },
        timeoutMs,
      })
    const innocent = (n: string) =>
      store.query({
        sql: "SELECT count() FROM numbers({n:UInt64}) WHERE sipHash64(number) = 1 AND 'innocent' != ''",
        params: { n },
      })
    const lookUp = (limit: number) =>
      store.query({
        sql: `${LONG_QUERY} AND number < {limit:UInt64}`,
        params: { limit },
        settings: { priority: 1 },
      })
    for (let death = 0; death < 2; death++) {
      const calls = [poison('poison', death), innocent('1000000000000'), lookUp(1e15)]
      const ends = Promise.all(calls.map(failureOf))
      await runningOf(store, calls.length)
      await embedded.kill9()
      expect(new Set(await ends)).toEqual(new Set(['store.unavailable']))
      await embedded.restart()
      expect(await failureOf(innocent('10'))).toBe('')
    }
    expect(await failureOf(poison('poison', 99))).toBe('store.poisoned')
    expect(await failureOf(poison('other', 99, 500))).toBe('store.timeout')
    expect(await failureOf(lookUp(1))).toBe('')
  })

  it('what a killed process left behind is removed at the start', async () => {
    await embedded.kill9()
    const inserts = `${embedded.dataDir}/store-inserts`
    mkdirSync(`${inserts}/deep`, { recursive: true })
    writeFileSync(`${inserts}/7.native`, 'left')
    writeFileSync(`${embedded.dataDir}/store/tmp/left`, 'left')
    await embedded.restart()
    expect(readdirSync(inserts)).toEqual([])
    expect(
      (await embedded.store.query({ sql: 'SELECT count() AS n FROM migrations' })).length,
    ).toBe(1)
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
