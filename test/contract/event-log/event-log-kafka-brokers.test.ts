// Three brokers, of which some go: a lost one costs a moment, two cost the right to acknowledge.
import { expect, it } from 'vitest'
import { kafkaMissing } from '../../support/event-log/kafka-broker.ts'
import { RETRIED, until, useKafka, within } from '../../support/event-log/use-kafka.ts'
import { describeUnless } from '../../support/run/skip.ts'

describeUnless(kafkaMissing(), 'three brokers', () => {
  const kafka = useKafka({ brokers: 3 })

  it('lose nothing and refuse nothing when the leader is killed', {
    timeout: 240_000,
  }, async () => {
    const log = await kafka.open(kafka.newTopic())
    expect(kafka.logged()).not.toContain('"warn"')
    const end = new AbortController()
    let losses = 0
    const owning = log.own(async (_, { lost }) => {
      await new Promise<void>((resolve) => lost.addEventListener('abort', () => resolve()))
      losses += 1
    }, end.signal)
    const acknowledged: string[] = []
    let isOver = false
    const appending = (async () => {
      for (let number = 0; !isOver; number += 1) {
        await log.append(0, Buffer.from(`block ${number}`))
        acknowledged.push(`block ${number}`)
      }
    })()
    for (let round = 0; round < 3; round += 1) {
      const before = acknowledged.length
      await until(() => acknowledged.length > before + 50)
      const leader = await within('the leader is known', leaderOf(kafka.lastTopic()))
      leader.kill('SIGKILL')
      await within('the leader has ended', leader.ended())
      const behind = acknowledged.length
      await until(() => acknowledged.length > behind + 50)
      await within('the leader has started again', leader.start())
      await until(async () => (await inSync(kafka.lastTopic())) === 3)
    }
    isOver = true
    await within('the last append has ended', appending)
    const blocks = await within('all is read', log.read(0, 0, { maxBytes: 64 << 20, waitMs: 0 }))
    const texts = blocks.map(({ bytes }) => Buffer.from(bytes).toString())
    expect(texts.filter((text, index) => text !== texts[index - 1])).toEqual(acknowledged)
    end.abort()
    await within('the partition is given up', owning)
    expect(losses).toBeGreaterThan(0)
  })

  it('are all waited for where a topic is made', { timeout: 240_000 }, async () => {
    await kafka.open(kafka.newTopic())
    const [, , late] = kafka.cluster.brokers
    late?.kill('SIGTERM')
    await late?.ended()
    await until(async () => (await inSync(kafka.lastTopic())) === 2)
    let isOpen = false
    const opening = kafka.open(kafka.newTopic()).then(() => {
      isOpen = true
    })
    // Brokers give a copy to the one that is away, or refuse the topic until it is back.
    await until(() => isOpen || kafka.logged().includes(RETRIED))
    await late?.start()
    await opening
    await until(async () => (await inSync(kafka.lastTopic())) === 3)
    expect(kafka.logged()).not.toContain('"warn"')
  })

  it('acknowledge nothing with one copy left, and go on by themselves', {
    timeout: 240_000,
  }, async () => {
    const log = await kafka.open(kafka.newTopic())
    await log.append(0, Buffer.from('three'))
    const [, second, third] = kafka.cluster.brokers
    for (const broker of [second, third]) broker?.kill('SIGSTOP')
    const refused = Promise.allSettled(
      Array.from({ length: 3 }, () => log.append(0, Buffer.from('one'))),
    )
    expect((await refused).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
    ])
    for (const broker of [second, third]) broker?.kill('SIGCONT')
    await until(async () =>
      log.append(0, Buffer.from('again')).then(
        () => true,
        () => false,
      ),
    )
  })

  async function leaderOf(topic: string) {
    const { leader } = await partitionOf(topic)
    const broker = kafka.cluster.brokers[leader - 1]
    if (broker === undefined) throw new Error('no leader')
    return broker
  }

  async function inSync(topic: string): Promise<number> {
    // Just started, a broker may not answer yet.
    return (await partitionOf(topic).catch(() => undefined))?.isr.length ?? 0
  }

  async function partitionOf(topic: string) {
    const { topics } = await kafka.withAdmin((admin) =>
      admin.fetchTopicMetadata({ topics: [topic] }),
    )
    const [partition] = topics[0]?.partitions ?? []
    if (partition === undefined) throw new Error('no partition')
    return partition
  }
})
