// What only Kafka has: brokers that go and come, answers that are lost, several writers, users,
// settings of topics.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { KAFKA_PASSWORD, KAFKA_USER, kafkaMissing } from '../../support/event-log/kafka-broker.ts'
import { until, useKafka } from '../../support/event-log/use-kafka.ts'
import { AnswerCutter } from '../../support/network/answer-cutter.ts'
import { describeUnless } from '../../support/run/skip.ts'
import { testClock } from '../../support/run/test-clock.ts'

const READ = { maxBytes: 64 << 20, waitMs: 0 }

describeUnless(kafkaMissing(), 'event log on Kafka', () => {
  const kafka = useKafka()

  async function textsOf(log: EventLog): Promise<string[]> {
    const end = (await log.status(0)).end
    const texts: string[] = []
    for (let from = 0; from < end; ) {
      const blocks = await log.read(0, from, READ)
      texts.push(...blocks.map(({ bytes }) => Buffer.from(bytes).toString()))
      from = (blocks.at(-1)?.offset ?? end) + 1
    }
    return texts
  }

  describe('a broker that goes', () => {
    it('fails an append, and appends again by itself', async () => {
      const log = await kafka.open(kafka.newTopic())
      await log.append(0, Buffer.from('before'))
      kafka.broker.kill('SIGKILL')
      await kafka.broker.ended()
      await expect(log.append(0, Buffer.from('lost'))).rejects.toMatchObject({
        code: 'event_log.unavailable',
      })
      await expect(log.read(0, 0, READ)).rejects.toMatchObject({ code: 'event_log.unavailable' })
      await kafka.broker.start()
      await untilAppended(log, 'after')
      await untilToldOf(log)
      expect(await textsOf(log)).toEqual(['before', 'after'])
    })

    it('takes what a listener with a wrong time of day appends', async () => {
      const hourMs = 3_600_000
      for (const shiftMs of [6 * hourMs, -10_000 * hourMs]) {
        const clock = { ...testClock, nowMs: () => testClock.nowMs() + shiftMs }
        const log = await kafka.open(kafka.newTopic(), { clock })
        await log.append(0, Buffer.from('now'))
        expect(await textsOf(log)).toEqual(['now'])
      }
    })

    it('holds no more than a bound of what waits for it', async () => {
      const log = await kafka.open(kafka.newTopic())
      await log.append(0, Buffer.from('before'))
      kafka.broker.kill('SIGSTOP')
      const block = Buffer.alloc(8 << 20)
      const appends = Array.from({ length: 12 }, () => log.append(0, block))
      const refusals = appends.slice(8).map((append) => append.catch((error: unknown) => error))
      let ended = 0
      for (const append of appends.slice(0, 8))
        append
          .catch(() => undefined)
          .finally(() => {
            ended += 1
          })
      expect(await Promise.all(refusals)).toEqual(
        refusals.map(() => expect.objectContaining({ code: 'event_log.unavailable' })),
      )
      expect(ended).toBe(0)
      kafka.broker.kill('SIGCONT')
      await Promise.all(appends.slice(0, 8))
    })

    it('loses nothing that was acknowledged when it is killed under appends', async () => {
      const log = await kafka.open(kafka.newTopic())
      const acknowledged: string[] = []
      let isOver = false
      const appending = (async () => {
        for (let number = 0; !isOver; number += 1) {
          const text = `block ${number}`
          await log.append(0, Buffer.from(text)).then(
            () => acknowledged.push(text),
            () => undefined,
          )
        }
      })()
      for (let round = 0; round < 2; round += 1) {
        const before = acknowledged.length
        await until(() => acknowledged.length > before + 100)
        kafka.broker.kill('SIGKILL')
        await kafka.broker.ended()
        await kafka.broker.start()
      }
      const before = acknowledged.length
      await until(() => acknowledged.length > before + 100)
      isOver = true
      await appending
      await untilToldOf(log)
      const there = await textsOf(log)
      // What was tried twice may stand there twice, one after the other.
      const once = there.filter((text, index) => text !== there[index - 1])
      expect(once.filter((text) => acknowledged.includes(text))).toEqual(acknowledged)
    })
  })

  describe('a lost answer', () => {
    let cutter: AnswerCutter
    let url: string
    beforeAll(async () => {
      cutter = new AnswerCutter(kafka.broker.behindProxyPort)
      await cutter.listen(kafka.broker.proxyPort)
      url = `kafka://127.0.0.1:${kafka.broker.proxyPort}/answers?partitions=1`
    })
    afterAll(() => cutter?.close())

    it('makes an append be sent again: the block stands there twice, in its place', async () => {
      const log = await kafka.open(url)
      await log.append(0, Buffer.from('a'))
      cutter.toLose = 1
      const offset = await log.append(0, Buffer.from('b'))
      await log.append(0, Buffer.from('c'))
      expect(cutter.lost).toBe(1)
      expect(await textsOf(log)).toEqual(['a', 'b', 'b', 'c'])
      expect(offset).toBe(2)
    })

    it('fails the append in the end, and the next one gets a place behind it', async () => {
      const log = await kafka.open(url)
      cutter.toLose = Number.POSITIVE_INFINITY
      await expect(log.append(0, Buffer.from('in doubt'))).rejects.toMatchObject({
        code: 'event_log.unavailable',
      })
      cutter.toLose = 0
      const offset = await log.append(0, Buffer.from('sure'))
      const texts = await textsOf(log)
      expect(texts[offset]).toBe('sure')
      expect(texts.lastIndexOf('in doubt')).toBeLessThan(offset)
    })
  })

  describe('what is kept', () => {
    it('gives the brokers their disk back below the position', async () => {
      const url = kafka.newTopic()
      const log = await kafka.open(url)
      for (let number = 0; number < 5; number += 1) await log.append(0, Buffer.from(`${number}`))
      await log.savePosition(0, { next: 3, metadata: '' })
      await until(async () => (await log.read(0, 0, READ))[0]?.offset === 3)
      expect(await log.status(0)).toEqual({ end: 5, next: 3, blocks: 2, bytes: 2 })
    })

    it('counts the bytes of a large backlog about right, and refuses above the limit', async () => {
      const log = await kafka.open(kafka.newTopic(), { maxBytes: 9 << 20 })
      for (let number = 0; number < 80; number += 1) await log.append(0, Buffer.alloc(100_000))
      const { blocks, bytes } = await log.status(0)
      expect(blocks).toBe(80)
      expect(bytes / 8_000_000).toBeCloseTo(1, 1)
      await expect(log.append(0, Buffer.alloc(2 << 20))).rejects.toMatchObject({
        code: 'event_log.full',
      })
    })

    it('does not go on without the position of a partition that had one', async () => {
      const url = kafka.newTopic()
      const log = await kafka.open(url)
      await log.append(0, Buffer.from('stored'))
      await log.savePosition(0, { next: 1, metadata: '' })
      await until(async () => (await log.read(0, 0, READ)).length === 0)
      await kafka.withAdmin((admin) => admin.deleteGroups([`${kafka.lastTopic()}-writer`]))
      await expect(log.position(0)).rejects.toMatchObject({ code: 'event_log.unsound' })
      expect(kafka.logged()).toContain('the position of a partition is gone')
    })

    it('does not go on where the partition ends before its position', async () => {
      const log = await kafka.open(kafka.newTopic())
      await log.savePosition(0, { next: 7, metadata: '' })
      await expect(log.position(0)).rejects.toMatchObject({ code: 'event_log.unsound' })
    })
  })

  describe('the topic', () => {
    it('is made so that nothing is deleted that is not stored', async () => {
      const log = await kafka.open(kafka.newTopic(3))
      expect(log.partitions).toBe(3)
      const settings = await kafka.withAdmin(async (admin) => {
        const resources = [{ type: 2, name: `${kafka.lastTopic()}` }]
        const { resources: found } = await admin.describeConfigs({
          resources,
          includeSynonyms: false,
        })
        const entries = found[0]?.configEntries ?? []
        return Object.fromEntries(entries.map((it) => [it.configName, it.configValue]))
      })
      expect(settings).toMatchObject({
        'cleanup.policy': 'delete',
        'retention.ms': '-1',
        'retention.bytes': '-1',
        'unclean.leader.election.enable': 'false',
        'flush.messages': '1',
        'max.message.bytes': String((16 << 20) + 1024),
      })
      expect(kafka.logged()).toContain('topic has one copy')
    })

    const make = (topic: string, settings: Readonly<Record<string, string>>) =>
      kafka.withAdmin((admin) => {
        const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }))
        const one = { topic, numPartitions: 2, replicationFactor: 1, configEntries }
        return admin.createTopics({ topics: [one] })
      })
    const addressOf = (topic: string) => `kafka://127.0.0.1:${kafka.broker.port}/${topic}`

    it('that somebody else made is taken, with a warning of what it cannot promise', async () => {
      await make('foreign', { 'retention.ms': '86400000', 'max.message.bytes': '4000000' })
      const log = await kafka.open(addressOf('foreign'))
      expect(log.partitions).toBe(2)
      const said = kafka.logged()
      expect(said).toContain('topic has a retention')
      expect(said).toContain('takes only smaller blocks')
      expect(said).toContain('not flushed')
      await expect(log.append(0, Buffer.alloc(3_999_000))).rejects.toMatchObject({
        code: 'event_log.block_too_large',
      })
      await log.append(1, Buffer.alloc(3_998_000))
    })

    it.each([
      ['compacted', { 'cleanup.policy': 'compact' }, '', 'is compacted, which would lose events'],
      [
        'small',
        { 'max.message.bytes': '1048588' },
        '',
        'takes too small blocks: max.message.bytes must be 3146752 or more',
      ],
      ['narrow', {}, '?partitions=3', 'has 2 partitions, LOGEYE_EVENT_LOG_URL says 3'],
    ])(
      'that somebody else made is refused in one line: %s',
      async (topic, settings, options, reason) => {
        await make(topic, settings)
        const text = `the topic ${topic} ${reason}`
        await expect(kafka.open(`${addressOf(topic)}${options}`)).rejects.toMatchObject({
          code: 'start.refused',
          message: expect.stringContaining(text),
        })
      },
    )
  })

  it('reads from the middle of a batch', async () => {
    const log = await kafka.open(kafka.newTopic())
    const texts = Array.from({ length: 20 }, (_, number) => `block ${number}`)
    // The first goes alone, the others are one batch.
    await Promise.all(texts.map((text) => log.append(0, Buffer.from(text))))
    for (const from of [0, 1, 7, 19]) {
      const blocks = await log.read(0, from, READ)
      expect(blocks[0]?.offset).toBe(from)
      expect(blocks.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(texts.slice(from))
    }
  })

  describe('TLS', () => {
    const url = (options: string) => `kafka://127.0.0.1:${kafka.broker.tlsPort}/tls?${options}`

    it('keeps what is sent from others', async () => {
      const log = await kafka.open(url(`caFile=${kafka.cluster.caFile}`))
      expect(await log.append(0, Buffer.from('a'))).toBe(0)
      expect(await log.read(0, 0, READ)).toHaveLength(1)
    })

    it('is refused for brokers that nobody known has signed', async () => {
      await expect(kafka.open(url('tls=true'))).rejects.toMatchObject({ code: 'start.refused' })
    })
  })

  describe('users', () => {
    const url = (password: string) =>
      `kafka://${KAFKA_USER}:${encodeURIComponent(password)}@127.0.0.1:${kafka.broker.saslPort}/users`

    it('sign in with SCRAM', async () => {
      const log = await kafka.open(url(KAFKA_PASSWORD))
      expect(await log.append(0, Buffer.from('a'))).toBe(0)
    })

    it('are not sent to brokers that want none', async () => {
      const url = `kafka://u:secret@127.0.0.1:${kafka.broker.port}/users`
      await expect(kafka.open(url)).rejects.toMatchObject({
        message: expect.stringContaining('accept no user'),
      })
    })

    it('are refused with one line, at once and without the password', async () => {
      const opening = kafka.open(url('wrong secret'))
      await expect(opening).rejects.toMatchObject({
        code: 'start.refused',
        message: expect.stringContaining('refuse the user or the password'),
      })
      await expect(opening).rejects.not.toThrow(/wrong secret/)
    })
  })
})

/** A broker that came back may not have loaded yet what the group has read. */
async function untilToldOf(log: EventLog): Promise<void> {
  await until(() =>
    log.status(0).then(
      () => true,
      () => false,
    ),
  )
}

async function untilAppended(log: EventLog, text: string): Promise<void> {
  await until(async () => {
    return await log.append(0, Buffer.from(text)).then(
      () => true,
      () => false,
    )
  })
}
