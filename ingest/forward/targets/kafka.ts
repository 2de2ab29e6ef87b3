// Forwarding to a topic of Kafka by the package kafkajs, loaded when it is needed: a record an
// event, by host as its key, acknowledged by all in-sync replicas.
import { Socket } from 'node:net'
import { findAddress } from '../../../infra/outbound/find-address.ts'
import { readTime } from '../event-time.ts'
import { ForwardFault, type ForwardTarget } from './target.ts'

const CONNECT_MS = 5000
const REQUEST_MS = 20_000
const ACKS_ALL = -1

/** `kafka://host:port[,host:port]/topic`, which `forwardValue` has checked. */
export async function openKafkaTarget(address: string): Promise<ForwardTarget> {
  const { Kafka, logLevel } = (await import('kafkajs')).default
  const [, hosts = '', topic = ''] = /^kafka:\/\/([^/]+)\/([^/]+)$/.exec(address) ?? []
  const kafka = new Kafka({
    ...{ clientId: 'logeye', brokers: hosts.split(','), logLevel: logLevel.NOTHING },
    ...{ connectionTimeout: CONNECT_MS, requestTimeout: REQUEST_MS, retry: { retries: 0 } },
    // The brokers that a broker names are looked at by the guard, too.
    socketFactory: ({ host, port, onConnect }) => {
      const socket = new Socket()
      findAddress(host, AbortSignal.timeout(CONNECT_MS)).then(
        (found) => socket.connect({ host: found.address, port }, onConnect),
        (error: unknown) => socket.destroy(error instanceof Error ? error : undefined),
      )
      return socket
    },
  })
  const producer = kafka.producer({ allowAutoTopicCreation: false })
  let isConnected = false
  return {
    send: async ({ events, nameOf }) => {
      try {
        if (!isConnected) await producer.connect()
        isConnected = true
        await producer.send({
          topic,
          acks: ACKS_ALL,
          messages: events.map((event) => ({
            ...{ key: event.host, value: event.text, timestamp: event.timestampNs.slice(0, -6) },
            headers: {
              ...{ log: nameOf(event.logId), host: event.host, source: event.source },
              timestamp: readTime(event),
            },
          })),
        })
      } catch (error) {
        isConnected = false
        await producer.disconnect().catch(() => undefined)
        const name = error instanceof Error ? error.name : 'error'
        throw new ForwardFault(`Kafka does not take it (${name})`)
      }
    },
    close: async () => await producer.disconnect().catch(() => undefined),
  }
}
