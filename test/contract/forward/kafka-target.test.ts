// Forwarding to a real broker: each record is there once with its key and headers; a topic that is
// not there is refused, and events wait for it.
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openKafkaTarget } from '../../../ingest/forward/targets/kafka.ts'
import {
  type KafkaCluster,
  kafkaMissing,
  startKafka,
} from '../../support/event-log/kafka-broker.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const MISSING = kafkaMissing()
const event = (index: number) => ({
  ...{ offset: 1, index, receivedMs: 1, timestampNs: '1767261600123456789', logId: 5 },
  ...{ host: 'web-01', source: '', text: `{"number":${index}}` },
})
const batch = { key: 'k', events: [event(0), event(1)], nameOf: () => 'Web->shop' }
const signal = new AbortController().signal

let cluster: KafkaCluster
let kafka: Kafka
beforeAll(async () => {
  if (MISSING !== undefined) return
  cluster = await startKafka()
  const brokers = cluster.addresses.split(',')
  kafka = new Kafka({ clientId: 'test', brokers, logLevel: logLevel.NOTHING })
})
afterAll(() => cluster?.stop())

it('writes each event as a record', async (context) => {
  if (MISSING !== undefined) context.skip(MISSING)
  const target = await openKafkaTarget(`kafka://${cluster.addresses}/onward`)
  await expect(target.send(batch, signal)).rejects.toThrow('Kafka does not take it')
  const admin = kafka.admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic: 'onward', numPartitions: 1 }] })
  await admin.disconnect()
  const isSent = () =>
    target.send(batch, signal).then(
      () => true,
      () => false,
    )
  await waitUntil('the topic takes events', isSent)
  await target.close()
  const found: unknown[] = []
  const consumer = kafka.consumer({ groupId: 'test' })
  await consumer.connect()
  await consumer.subscribe({ topic: 'onward', fromBeginning: true })
  await consumer.run({
    eachMessage: async ({ message }) => {
      const { key, value, timestamp, headers } = message
      found.push([`${key}`, `${value}`, timestamp, `${headers?.log}`])
    },
  })
  await waitUntil(
    'both events came',
    () => found.length >= 2,
    () => found,
  )
  expect(found).toEqual([
    ['web-01', '{"number":0}', '1767261600123', 'Web->shop'],
    ['web-01', '{"number":1}', '1767261600123', 'Web->shop'],
  ])
  await consumer.disconnect()
})
