// Brokers of which for a while none keeps the positions of a group.
import { expect, it } from 'vitest'
import { kafkaMissing } from '../../support/event-log/kafka-broker.ts'
import { useKafka } from '../../support/event-log/use-kafka.ts'
import { describeUnless } from '../../support/run/skip.ts'

describeUnless(kafkaMissing(), 'a group that no broker keeps', () => {
  // One broker cannot keep two copies: it says that nobody keeps the group, as brokers do for a
  // moment after they have come back.
  const kafka = useKafka({ settings: { 'offsets.topic.replication.factor': '2' } })

  it('is looked for again for a while, and what fails in the end says that', async () => {
    const log = await kafka.open(kafka.newTopic())
    await log.append(0, Buffer.from('a'))
    const beganMs = performance.now()
    await expect(log.status(0)).rejects.toMatchObject({
      code: 'event_log.unavailable',
      cause: { code: 'GROUP_COORDINATOR_NOT_AVAILABLE' },
    })
    // A broker that has just come back needs a moment.
    expect(performance.now() - beganMs).toBeGreaterThan(1000)
  })
})
