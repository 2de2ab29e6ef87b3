// The writer with its event log on Kafka: killed at every step of a batch, or standing still while
// another takes its partition.
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeBlock } from '../../../schemas/block/codec.ts'
import {
  type KafkaCluster,
  kafkaMissing,
  startKafka,
} from '../../support/event-log/kafka-broker.ts'
import { makeRequest } from '../../support/ingest/sent-request.ts'
import { describeUnless } from '../../support/run/skip.ts'
import type { CrashPoint } from '../../support/writer/test-writer.ts'
import { openWriterPlace, type WriterPlace } from '../../support/writer/writer-place.ts'

const CRASH_POINTS: readonly CrashPoint[] = [
  { call: 'savePosition', when: 'after', nth: 1 },
  { call: 'insert events', when: 'after', nth: 1 },
  { call: 'insert counts', when: 'after', nth: 1 },
  { call: 'savePosition', when: 'after', nth: 2 },
]

describeUnless(kafkaMissing(), 'the writer on Kafka', () => {
  let kafka: KafkaCluster
  let place: WriterPlace
  let number = 0
  /** Every message that must be in the store, once. */
  const sent: string[] = []

  beforeAll(async () => {
    kafka = await startKafka()
    const eventLogUrl = `kafka://${kafka.addresses}/events?partitions=1`
    place = await openWriterPlace({ eventLogUrl })
  }, 120_000)
  afterAll(async () => {
    await place?.close()
    await kafka?.stop()
  })

  async function append(events = 20): Promise<void> {
    const messages = Array.from({ length: events }, () => `event ${number++}`)
    sent.push(...messages)
    await place.append(
      [1, 2].map((accountId) => ({ accountId, events: eventsOf(messages, accountId) })),
    )
  }

  async function expectAllOnce(): Promise<void> {
    const rows = await place.rows()
    expect(rows.map(({ message }) => message).sort()).toEqual([...sent].sort())
    expect(await place.countDifferences()).toEqual([])
  }

  test('loses and doubles nothing when it is killed at any step', {
    timeout: 240_000,
  }, async () => {
    for (const crash of CRASH_POINTS) {
      await append()
      const writer = await place.startWriter({ crash })
      expect([crash, await writer.ended]).toEqual([crash, 'SIGKILL'])
    }
    await place.storeAll()
    await expectAllOnce()
  })

  test('drops a block that Kafka holds twice since an answer was lost', async () => {
    const events = [{ message: 'twice' }]
    sent.push('twice')
    for (let time = 0; time < 2; time += 1)
      await place.append([{ accountId: 1, events }], { listener: 'another', sequence: 5 })
    // Sent before, and arrived after the one after it: its sender was told that it failed.
    await place.append([{ accountId: 1, events: [{ message: 'too late' }] }], {
      listener: 'another',
      sequence: 4,
    })
    await place.storeAll()
    await expectAllOnce()
  })

  test('stops at a block of a later version, which a newer program stores', async () => {
    const ofNow = (message: string, sequence: number) =>
      encodeBlock({
        listener: 'newer',
        sequence,
        requests: [makeRequest({ events: [{ message }] })],
      })
    const later = ofNow('of a later version', 1)
    later[0] = 4
    await place.append([{ events: [{ message: 'before it' }] }])
    await place.appendBytes(later)
    await place.appendBytes(ofNow('behind it', 2))
    sent.push('before it')
    const writer = await place.openWriter()
    await expect.poll(() => writer.logged.join(), { timeout: 240_000 }).toContain('newer program')
    await expect.poll(() => writer.writer.readiness()).toBe('a partition is stopped')
    await writer.close()
    await expectAllOnce()
    const { next, metadata } = await place.eventLog.position(0)
    await place.eventLog.savePosition(0, { next: next + 1, metadata })
    sent.push('behind it')
    await place.storeAll()
    await expectAllOnce()
  })

  test('is followed by another when it stands still, and doubles nothing when it goes on', {
    timeout: 240_000,
  }, async () => {
    for (const call of ['savePosition', 'insert events', 'insert counts'] as const) {
      await append()
      const slow = await place.startWriter({
        crash: { call, when: 'before', nth: call === 'savePosition' ? 2 : 1, isHeld: true },
      })
      await once(slow.child, 'message')
      slow.child.kill('SIGSTOP')
      const follower = await place.startWriter()
      await place.waitStored()
      await append()
      await place.waitStored()
      const hasPassed = once(slow.child, 'message')
      slow.child.send('go on')
      slow.child.kill('SIGCONT')
      await hasPassed
      follower.child.kill('SIGTERM')
      expect(await follower.ended).toBe(0)
      await append()
      await place.waitStored()
      slow.child.kill('SIGTERM')
      expect(await slow.ended).toBe(0)
      await expectAllOnce()
    }
  })
})

/** Half of them for each account. */
function eventsOf(messages: readonly string[], accountId: number): object[] {
  return messages
    .filter((_, index) => index % 2 === accountId - 1)
    .map((message) => ({ message, log: `log ${message.length % 3}` }))
}
