// A topic that is deleted and made anew while it is in use: its places begin again, and nothing may
// be taken for what the store has.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { adoptTopic } from '../../../infra/cli/adopt-topic.ts'
import type { Database } from '../../../infra/database/port.ts'
import { openEventLog } from '../../../infra/event-log/open.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { makeLogger } from '../../../infra/logger.ts'
import {
  adoptEventLog,
  recognizeEventLog,
} from '../../../infra/metastore/ledger/known-event-log.ts'
import { type DatabasePlace, makeDatabasePlace } from '../../support/database/database-place.ts'
import { kafkaMissing } from '../../support/event-log/kafka-broker.ts'
import { until, useKafka } from '../../support/event-log/use-kafka.ts'
import { describeUnless } from '../../support/run/skip.ts'
import { testClock } from '../../support/run/test-clock.ts'

const READ = { maxBytes: 1 << 20, waitMs: 0 }
const PLACES = 2 ** 40

describeUnless(kafkaMissing(), 'a topic that is made anew', () => {
  const kafka = useKafka()
  let place: DatabasePlace
  let database: Database
  const opened: EventLog[] = []
  beforeEach(async () => {
    place = await makeDatabasePlace()
    database = await place.open()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((log) => log.close()))
    await place.remove()
  })

  async function open(url: string, know: typeof recognizeEventLog = recognizeEventLog) {
    const log = await openEventLog({
      ...{ dataDir: '', url, clock: testClock, maxBlockBytes: 16 << 20 },
      logger: makeLogger({ level: 'error', process: 'test', clock: testClock, write: () => {} }),
      recognize: (identity) => know(database, identity, testClock),
    })
    opened.push(log)
    return log
  }

  async function makeAnew(): Promise<void> {
    const topic = kafka.lastTopic()
    await kafka.withAdmin(async (admin) => {
      await admin.deleteTopics({ topics: [topic] })
      await until(async () => !(await admin.listTopics()).includes(topic))
      await admin.createTopics({
        waitForLeaders: false,
        topics: [
          {
            ...{ topic, numPartitions: 1, replicationFactor: 1 },
            configEntries: [{ name: 'max.message.bytes', value: String(17 << 20) }],
          },
        ],
      })
    })
  }

  it('stops who uses it before anything is saved of what was read, and is refused at the next start', async () => {
    const url = kafka.newTopic()
    const writer = await open(url)
    const listener = await open(url)
    for (const text of ['a', 'b']) await listener.append(0, Buffer.from(text))
    await writer.savePosition(0, { next: 1, metadata: 'intent of b' })
    await makeAnew()
    const stranger = await kafka.open(url)
    for (const text of ['x', 'y', 'z']) await stranger.append(0, Buffer.from(text))
    // It looks like a block after the last one.
    await until(async () => (await writer.read(0, 1, READ).catch(() => [])).length > 0)
    await expect(writer.savePosition(0, { next: 2, metadata: '' })).rejects.toMatchObject({
      code: 'event_log.another',
    })
    await expect(writer.read(0, 1, READ)).rejects.toMatchObject({ code: 'event_log.another' })
    await until(() =>
      listener.status(0).then(
        () => false,
        (error) => error.code === 'event_log.another',
      ),
    )
    await expect(listener.append(0, Buffer.from('c'))).rejects.toMatchObject({
      code: 'event_log.another',
    })
    const refused =
      'the topic of LOGEYE_EVENT_LOG_URL is another than before: it was deleted and made anew'
    await expect(open(url)).rejects.toMatchObject({
      code: 'start.refused',
      message: expect.stringContaining(refused),
    })
  })

  it('that an operator adopts has places above all that were, and loses nothing that lies in it', async () => {
    const url = kafka.newTopic()
    const before = await open(url)
    expect(await before.append(0, Buffer.from('a'))).toBe(0)
    await before.savePosition(0, { next: 1, metadata: '' })
    await makeAnew()
    await (await kafka.open(url)).append(0, Buffer.from('x'))

    const after = await open(url, adoptEventLog)
    expect(await after.position(0)).toEqual({ next: PLACES, metadata: '' })
    expect(await after.append(0, Buffer.from('y'))).toBe(PLACES + 1)
    const blocks = await after.read(0, PLACES, READ)
    expect(blocks.map(({ offset, bytes }) => [offset, Buffer.from(bytes).toString()])).toEqual([
      [PLACES, 'x'],
      [PLACES + 1, 'y'],
    ])
    await after.savePosition(0, { next: PLACES + 1, metadata: 'm' })
    expect(await after.position(0)).toEqual({ next: PLACES + 1, metadata: 'm' })
    expect(await after.status(0)).toEqual({
      end: PLACES + 2,
      next: PLACES + 1,
      blocks: 1,
      bytes: 1,
    })
    await until(async () => (await after.read(0, PLACES, READ))[0]?.offset === PLACES + 1)
    // Adopted once is known to all, and another time changes nothing.
    expect(await (await open(url)).position(0)).toEqual({ next: PLACES + 1, metadata: 'm' })
    expect(await (await open(url, adoptEventLog)).position(0)).toMatchObject({ next: PLACES + 1 })
  })

  it('keeps its number with a database that does not know it', async () => {
    const url = kafka.newTopic()
    const before = await open(url, (db, identity, clock) => adoptEventLog(db, identity, clock, 2))
    expect(await before.append(0, Buffer.from('a'))).toBe(2 * PLACES)
    await before.savePosition(0, { next: 2 * PLACES + 1, metadata: String(2 * PLACES + 7) })

    const another = await makeDatabasePlace()
    try {
      const fresh = await another.open()
      const tools = { clock: testClock, readIntentNumber: (text: string) => Number(text) }
      const around = { dataDir: '', eventLog: { maxBlockBytes: 16 << 20 } }
      const config = { ...around, storeUrl: undefined, storeCluster: undefined }
      expect(await adoptTopic(url, config, fresh, tools)).toBe(2)
      expect(await adoptTopic(url, config, fresh, tools)).toBe(2)
      const after = await open(url, (_, identity, clock) =>
        recognizeEventLog(fresh, identity, clock),
      )
      expect(await after.position(0)).toMatchObject({ next: 2 * PLACES + 1 })
      expect(await after.append(0, Buffer.from('b'))).toBe(2 * PLACES + 1)
      await fresh.close()
    } finally {
      await another.remove()
    }
  })

  it('is told from another by the first of several processes, and by all the same', async () => {
    const numbers = await Promise.all(
      ['a', 'a', 'a'].map((identity) => recognizeEventLog(database, identity, testClock)),
    )
    expect(numbers).toEqual([0, 0, 0])
    await expect(recognizeEventLog(database, 'b', testClock)).rejects.toThrow('another')
    const adopted = ['b', 'b'].map((identity) => adoptEventLog(database, identity, testClock))
    expect(await Promise.all(adopted)).toEqual([1, 1])
    await expect(recognizeEventLog(database, 'a', testClock)).rejects.toThrow('another')
  })
})
