// Forwarding to a topic of Kafka: a record an event, its host as the key.
import { openProducer } from '../../../infra/event-log/kafka/open-producer.ts'
import { readTime } from '../event-time.ts'
import { ForwardFault, type ForwardTarget } from './target.ts'

/** `kafka://host:port[,host:port]/topic`, which `forwardValue` has checked. */
export async function openKafkaTarget(address: string): Promise<ForwardTarget> {
  const [, hosts = '', topic = ''] = /^kafka:\/\/([^/]+)\/([^/]+)$/.exec(address) ?? []
  const producer = await openProducer(hosts.split(','), topic)
  return {
    send: async ({ events, nameOf }) => {
      const records = events.map((event) => ({
        ...{ key: event.host, value: event.text, timestamp: event.timestampNs.slice(0, -6) },
        headers: {
          ...{ log: nameOf(event.logId), host: event.host, source: event.source },
          time: readTime(event),
        },
      }))
      try {
        await producer.send(records)
      } catch (error) {
        const name = error instanceof Error ? error.name : 'error'
        throw new ForwardFault(`Kafka does not take it (${name})`)
      }
    },
    close: () => producer.close(),
  }
}
