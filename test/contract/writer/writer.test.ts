// The writer on the real engines, killed with SIGKILL (and its store, too) at every step: nothing
// lost, nothing doubled.
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SentRequest } from '../../support/ingest/sent-request.ts'
import { makeRandom } from '../../support/reference/random/random.ts'
import { SOON } from '../../support/run/patience.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { series } from '../../support/run/tier.ts'
import { repeatUntil, waitUntil } from '../../support/run/wait-until.ts'
import { type EmbeddedStore, startEmbeddedStore } from '../../support/store/embedded-store.ts'
import type { CrashPoint } from '../../support/writer/test-writer.ts'
import {
  openWriterPlaceOn,
  type RunningWriter,
  type WriterPlace,
} from '../../support/writer/writer-place.ts'

const DAY_MS = 86_400_000

let place: WriterPlace<EmbeddedStore>
let number = 0
/** Every message that must be in the store, once. */
const sent: string[] = []

beforeAll(async () => {
  place = await openWriterPlaceOn(startEmbeddedStore)
})
afterAll(() => place.close())

/** A block over all policies and two days of receipt, with a rejection, and a repeat that must not
 *  be stored. */
async function appendMixedBlock(extra: { log?: string; column?: string } = {}): Promise<void> {
  const nowMs = testClock.nowMs()
  const requests: SentRequest[] = []
  for (const accountId of [1, 2, 3]) {
    for (const receivedMs of [nowMs, nowMs - DAY_MS]) {
      const events = Array.from({ length: 5 }, () => nextEvent(extra))
      requests.push({ accountId, receivedMs, events })
    }
  }
  const bad = `not json ${number++}`
  const keyed = { events: [nextEvent(extra)], idempotencyKey: `key ${number}`, receivedMs: nowMs }
  requests.push(keyed, { ...keyed, receivedMs: nowMs + 5 })
  const good = nextEvent(extra)
  const goodBytes = Buffer.byteLength(JSON.stringify(good))
  requests.push({
    events: [good],
    tail: bad,
    rejections: [{ index: 0, code: 'invalid_json', start: goodBytes, end: goodBytes + bad.length }],
  })
  sent.push(bad)
  await place.append(requests)
}

function nextEvent({ log, column = 'column' }: { log?: string; column?: string }): object {
  number += 1
  const message = `event ${number}`
  sent.push(message)
  return { message, log: log ?? `log ${number % 3}`, [column]: number }
}

async function expectAllOnce(): Promise<void> {
  const rows = await place.rows()
  expect(rows.map(({ message }) => message).sort()).toEqual([...sent].sort())
  expect(new Set(rows.map(({ offset, index }) => `${offset} ${index}`)).size).toBe(rows.length)
  expect(await place.countDifferences()).toEqual([])
}

/** Behind every step of a batch and of the recovery; before a step is behind the one before it. */
const CRASH_POINTS: readonly CrashPoint[] = [
  { call: 'addLogs', when: 'after', nth: 1 },
  { call: 'addColumns', when: 'after', nth: 1 },
  { call: 'savePosition', when: 'after', nth: 1 },
  { call: 'kill', when: 'after', nth: 2 },
  { call: 'query', when: 'after', nth: 1 },
  { call: 'insert events', when: 'after', nth: 1 },
  { call: 'insert counts', when: 'after', nth: 1 },
  { call: 'insert idempotency', when: 'after', nth: 1 },
  { call: 'savePosition', when: 'after', nth: 2 },
]

describe('the writer', () => {
  test('stores everything once', async () => {
    await appendMixedBlock()
    await place.storeAll()
    await expectAllOnce()
  })

  test('loses and doubles nothing when it is killed at any step', {
    timeout: 240_000,
  }, async () => {
    let logs = 0
    for (const crash of CRASH_POINTS) {
      // New logs and columns each time, so that every function is called.
      logs += 1
      await appendMixedBlock({ log: `fresh ${logs}`, column: `column ${logs}` })
      const writer = await place.startWriter({ crash })
      expect([crash, await writer.ended]).toEqual([crash, 'SIGKILL'])
    }
    await place.storeAll()
    await expectAllOnce()
  })

  test('loses and doubles nothing when the store is killed at any step', {
    timeout: 240_000,
  }, async () => {
    for (const crash of CRASH_POINTS.filter((point) => point.call.startsWith('insert'))) {
      await appendMixedBlock({ log: 'l' })
      const writer = await place.startWriter({ crash: { ...crash, isHeld: true } })
      await once(writer.child, 'message')
      await place.engine.kill9()
      writer.child.send('go on')
      await place.engine.restart()
      await place.waitStored()
      await end(writer)
    }
    await expectAllOnce()
  })

  test('loses and doubles nothing when writer and store are killed at random moments', {
    timeout: 240_000,
  }, async () => {
    const random = makeRandom(7)
    for (let round = 0; round < series(3, 8); round += 1) {
      const writer = await place.startWriter()
      const { next } = await place.eventLog.status(0)
      let isOver = false
      const appending = repeatUntil(
        () => isOver,
        () => appendMixedBlock({ log: `r ${random.below(3)}` }),
      )
      const killAt = next + random.below(30)
      const hasPassed = async () => (await place.eventLog.status(0)).next >= killAt
      await waitUntil(`the writer has passed block ${killAt}`, hasPassed, () =>
        place.eventLog.status(0),
      )
      if (round % 3 !== 0) writer.child.kill('SIGKILL')
      if (round % 3 !== 1) {
        await place.engine.kill9()
        await place.engine.restart()
      }
      writer.child.kill('SIGKILL')
      await writer.ended
      isOver = true
      await appending
    }
    await place.storeAll()
    await expectAllOnce()
  })

  test('waits while the store is away, stops meanwhile, and goes on', async () => {
    await appendMixedBlock()
    await place.engine.kill9()
    const waiting = await place.openWriter()
    await expect.poll(() => waiting.writer.readiness(), SOON).toBe('the store takes nothing')
    await waiting.writer.stop()
    await waiting.close()
    const writer = await place.openWriter()
    await appendMixedBlock()
    await expect.poll(() => writer.writer.readiness(), SOON).toBe('the store takes nothing')
    await place.engine.restart()
    await place.waitStored()
    await expect.poll(() => writer.writer.readiness(), SOON).toBe(true)
    await writer.close()
    await expectAllOnce()
  })
})

async function end(writer: RunningWriter): Promise<void> {
  writer.child.kill('SIGTERM')
  expect(await writer.ended).toBe(0)
}
