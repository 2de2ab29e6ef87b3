// Retention on real engines (docs/decisions/0084): what is old goes, nothing else does, the ledger
// agrees at every moment, and it does not matter where a process ends.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changePolicy } from '../../../infra/metastore/policies/collection-policies.ts'
import { addHold, removeHold } from '../../../infra/metastore/retention/change-holds.ts'
import {
  beginRemoval,
  isBeingRemoved,
  readOpenRemovals,
  readRemovals,
} from '../../../infra/metastore/retention/unit-removals.ts'
import type { JobContext } from '../../../infra/scheduler/job.ts'
import { runRetention } from '../../../ingest/retention/retention-job.ts'
import { RETENTION_GRACE_MS } from '../../../schemas/collection-policy.ts'
import type { EndPoint } from '../../support/retention/end-point.ts'
import {
  DAY_MS,
  NOW_MS,
  openRetentionPlaceOn,
  type RetentionPlace,
} from '../../support/retention/retention-place.ts'
import { waitUntil } from '../../support/run/wait-until.ts'
import { type EmbeddedStore, startEmbeddedStore } from '../../support/store/embedded-store.ts'

let place: RetentionPlace<EmbeddedStore>
beforeAll(async () => {
  place = await openRetentionPlaceOn(startEmbeddedStore)
})
afterAll(() => place?.close())

const retain = (context: JobContext) => place.retain(context)

/** Nothing of an earlier test is left by age: each begins with a policy that keeps all. */
beforeEach(async () => {
  await place.setPolicy(1, { storageDays: null, storageMaxBytes: null })
})

async function onlyToday(): Promise<void> {
  await place.setPolicy(1, { storageDays: 1 })
  await place.run(retain)
  await place.setPolicy(1, { storageDays: null })
}

test('takes out the days that are over, of that policy alone, and the counters stay', async () => {
  await place.send(40, ['old 1', 'old 2'])
  await place.send(3, ['recent'])
  await place.send(0, ['new'])
  await place.send(40, ['old of another policy'], 2)
  await place.storeAll()
  await place.run(retain)
  expect(await place.messages()).toHaveLength(5)
  await place.setPolicy(1, { storageDays: 30 })
  const slow = place.engine.store.query<{ rows: string }>({
    sql: 'SELECT count() AS rows FROM events WHERE NOT ignore(sleepEachRow(0.2), message)',
    settings: { max_block_size: 1, max_threads: 1 },
  })
  await place.run(retain)
  // A search that was at work reads what it began with.
  expect(Number((await slow)[0]?.rows)).toBeGreaterThanOrEqual(3)
  expect(await place.messages()).toEqual(['new', 'old of another policy', 'recent'])
  expect(await place.damage()).toEqual([])
  expect((await place.gone()).events).toBe(2)
  const [counted] = await place.engine.store.query<{ events: string }>({
    sql: 'SELECT sum(counts.events) AS events FROM counts',
  })
  expect(Number(counted?.events)).toBe(5)
  await place.run(retain)
  expect((await place.gone()).events).toBe(2)
  const [removal] = await readRemovals(place.metastore.database.read, 5)
  expect(removal).toMatchObject({ policyId: 1, cause: 'age', isOpen: false, events: 2 })
})

test('takes the oldest days by size, and never what the writer may be writing', async () => {
  await place.setPolicy(1, { storageMaxBytes: 1 })
  const full: number[] = []
  await place.run((context) =>
    runRetention(context, {
      eventLog: place.eventLog,
      archive: place.archive,
      readDigestKey: async () => undefined,
      onFull: (policies) => void full.push(policies),
    }),
  )
  expect(await place.messages()).toEqual(['new', 'old of another policy'])
  expect(full).toEqual([1])
  expect(await place.damage()).toEqual([])
})

describe('wherever the process ends', () => {
  const points: EndPoint[] = [
    { call: 'write', when: 'after', nth: 1 },
    { call: 'command', when: 'after', nth: 1 },
    { call: 'command', when: 'after', nth: 2 },
  ]
  test.each(points)('$when the $call number $nth', async (end) => {
    await onlyToday()
    const before = (await place.gone()).events
    const kept = await place.messages()
    await place.send(20, ['a', 'b', 'c'])
    await place.storeAll()
    await place.setPolicy(1, { storageDays: 5 })
    expect(await place.run(retain, { end })).toBe(false)
    expect(await place.damage()).toEqual([])
    expect(await place.run(retain)).toBe(true)
    expect(await place.messages()).toEqual(kept)
    expect(await place.damage()).toEqual([])
    expect((await place.gone()).events).toBe(before + 3)
    expect(await readOpenRemovals(place.metastore.database.read)).toEqual([])
  })

  test('also the store, right behind the drop', async () => {
    await onlyToday()
    const before = (await place.gone()).events
    await place.send(20, ['a', 'b'])
    await place.storeAll()
    await place.setPolicy(1, { storageDays: 5 })
    await place.run(retain, { end: { call: 'command', when: 'after', nth: 2 } })
    await place.engine.kill9()
    await place.engine.restart()
    await place.run(retain)
    expect(await place.damage()).toEqual([])
    expect((await place.gone()).events).toBe(before + 2)
  })
})

describe('a writer that is days behind', () => {
  test('ends its batch first, and what it brings later goes later', async () => {
    await onlyToday()
    const kept = await place.messages()
    const before = (await place.gone()).events
    await place.setPolicy(1, { storageDays: 5 })
    await place.send(20, ['late 1', 'late 2'])
    const writer = await place.startWriter({
      crash: { call: 'insert events', when: 'after', nth: 1 },
    })
    await writer.ended
    // Its rows are there, its counters and its position are not: nothing may be taken.
    expect(await place.run(retain, { isFast: true })).toBe(true)
    expect(await place.messages()).toEqual([...kept, 'late 1', 'late 2'].sort())
    await place.storeAll()
    await place.run(retain)
    expect(await place.messages()).toEqual(kept)
    expect(await place.damage()).toEqual([])
    await place.send(20, ['later still'])
    await place.storeAll()
    expect(await place.damage()).toEqual([])
    await place.run(retain)
    expect(await place.messages()).toEqual(kept)
    expect(await place.damage()).toEqual([])
    expect((await place.gone()).events).toBe(before + 3)
  })

  test('waits while the day of its events is being removed, without an alarm', async () => {
    await onlyToday()
    const kept = await place.messages()
    const { database } = place.metastore
    await place.send(20, ['before'])
    await place.storeAll()
    await place.setPolicy(1, { storageDays: 5 })
    await place.run(async ({ held }) => {
      const unit = { policyId: 1, day: Math.floor((NOW_MS - 20 * DAY_MS) / DAY_MS) }
      const planned = { ...unit, cause: 'age' as const, nowMs: NOW_MS }
      await beginRemoval(database, planned, { held, unique: 'ab' })
    })
    await place.send(20, ['waits'])
    const writer = await place.openWriter({
      isBeingRemoved: (units) => isBeingRemoved(database.read, units),
    })
    try {
      await waitUntil(
        'the writer waits for the removal',
        () => writer.logged.join().includes('removal'),
        () => writer.logged,
      )
      expect(await place.messages()).not.toContain('waits')
      // Its intent is open and older than nothing: the removal gives way, and begins again.
      await place.run(retain, { isFast: true })
      await place.waitStored()
      await place.run(retain)
      expect(await place.messages()).toEqual(kept)
      expect(writer.logged.join()).not.toContain('stopped')
    } finally {
      await writer.close()
    }
    expect(await place.damage()).toEqual([])
  })
})

test('keeps what a legal hold keeps, by log, policy and time, until it is removed', async () => {
  await onlyToday()
  const { database } = place.metastore
  const kept = await place.messages()
  await place.send(20, ['held'])
  await place.send(21, ['not held'])
  await place.storeAll()
  await place.setPolicy(1, { storageDays: 5 })
  const common = { reason: 'case 7', madeBy: 'ann', nowMs: NOW_MS }
  const levels = ['Events', 'a']
  const span = { fromMs: NOW_MS - 20 * DAY_MS - 1000, toMs: NOW_MS - 20 * DAY_MS + 1000 }
  const { number } = await database.write((transaction) =>
    addHold(transaction, { ...common, ...span, target: { kind: 'log', levels } }),
  )
  await place.run(retain)
  expect(await place.messages()).toEqual([...kept, 'held'].sort())
  await database.write((transaction) => removeHold(transaction, number))
  const other = await database.write((transaction) =>
    addHold(transaction, {
      ...{ ...common, fromMs: undefined, toMs: undefined },
      target: { kind: 'policy', name: 'Default' },
    }),
  )
  await place.run(retain)
  expect(await place.messages()).toContain('held')
  await database.write((transaction) => removeHold(transaction, other.number))
  await place.run(retain)
  expect(await place.messages()).toEqual(kept)
  expect(await place.damage()).toEqual([])
})

test('refuses a hold while a day is being removed', async () => {
  const { database } = place.metastore
  await place.run(async ({ held }) => {
    const planned = { policyId: 1, day: 1, cause: 'age' as const, nowMs: NOW_MS }
    await beginRemoval(database, planned, { held, unique: 'cd' })
  })
  const target = { kind: 'policy', name: 'Default' } as const
  const span = { fromMs: undefined, toMs: undefined }
  const hold = { ...span, target, reason: '', madeBy: 'ann', nowMs: NOW_MS }
  await expect(database.write((transaction) => addHold(transaction, hold))).rejects.toMatchObject({
    code: 'retention.busy',
  })
  await place.run(retain)
  expect(await readOpenRemovals(database.read)).toEqual([])
})

test('limits of a database that was put back count from the first run on', async () => {
  await place.send(41, ['of before'])
  await place.send(0, ['new'])
  await place.storeAll()
  const { database } = place.metastore
  const far = { nowMs: () => Date.UTC(9999, 0, 1) }
  await database.write((transaction) =>
    changePolicy(transaction, 'Default', { storageDays: 30 }, far),
  )
  const run = async (nowMs: number) => {
    await place.run(retain, { nowMs })
    return await place.messages()
  }
  expect(await run(NOW_MS)).toContain('of before')
  expect(await run(NOW_MS + RETENTION_GRACE_MS - 1)).toContain('of before')
  expect(await run(NOW_MS + RETENTION_GRACE_MS)).not.toContain('of before')
  await onlyToday()
})
