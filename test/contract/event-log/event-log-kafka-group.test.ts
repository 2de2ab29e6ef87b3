// Brokers of which for a while none keeps the positions of a group.
import { expect, it } from 'vitest'
import type { Clock } from '../../../infra/clock.ts'
import { kafkaMissing } from '../../support/event-log/kafka-broker.ts'
import { useKafka } from '../../support/event-log/use-kafka.ts'
import { describeUnless } from '../../support/run/skip.ts'
import { testClock } from '../../support/run/test-clock.ts'

describeUnless(kafkaMissing(), 'a group that no broker keeps', () => {
  // One broker cannot keep two copies: it says that nobody keeps the group, as brokers do for a
  // moment after they have come back.
  const kafka = useKafka({ settings: { 'offsets.topic.replication.factor': '2' } })

  it('is looked for again for a while, and what fails in the end says that', async () => {
    const waits: number[] = []
    const sleep: Clock['sleep'] = (ms, signal) => {
      waits.push(ms)
      return testClock.sleep(ms, signal)
    }
    const log = await kafka.open(kafka.newTopic(), { clock: { ...testClock, sleep } })
    await log.append(0, Buffer.from('a'))
    waits.length = 0
    await expect(log.status(0)).rejects.toMatchObject({
      code: 'event_log.unavailable',
      cause: { code: 'GROUP_COORDINATOR_NOT_AVAILABLE' },
    })
    // A broker that has just come back needs a moment.
    expect(waits.length).toBeGreaterThan(2)
  })
})
