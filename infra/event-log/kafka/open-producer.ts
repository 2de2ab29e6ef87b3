// Records for the Kafka of others, by the package kafkajs, loaded when it is needed. All brokers,
// also those that a broker names, are looked at by the guard (docs/decisions/0047).
import { Socket } from 'node:net'
import { findAddress } from '../../outbound/find-address.ts'

const CONNECT_MS = 5000
const REQUEST_MS = 20_000
const ACKS_ALL = -1

export type KafkaRecord = {
  readonly key: string
  readonly value: string
  /** Epoch milliseconds, decimal. */
  readonly timestamp: string
  readonly headers: Readonly<Record<string, string>>
}

export type KafkaProducer = {
  /** Resolves when all in-sync replicas have them. Fails with what kafkajs says; the next call
   *  connects anew. */
  send(records: readonly KafkaRecord[]): Promise<void>
  close(): Promise<void>
}

export async function openProducer(
  brokers: readonly string[],
  topic: string,
): Promise<KafkaProducer> {
  const { Kafka, logLevel } = (await import('kafkajs')).default
  const kafka = new Kafka({
    ...{ clientId: 'logeye', brokers: [...brokers], logLevel: logLevel.NOTHING },
    ...{ connectionTimeout: CONNECT_MS, requestTimeout: REQUEST_MS, retry: { retries: 0 } },
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
  const close = async () => await producer.disconnect().catch(() => undefined)
  let isConnected = false
  return {
    send: async (records) => {
      try {
        if (!isConnected) await producer.connect()
        isConnected = true
        const messages = records.map((record) => ({ ...record, headers: { ...record.headers } }))
        await producer.send({ topic, acks: ACKS_ALL, messages })
      } catch (error) {
        isConnected = false
        await close()
        throw error
      }
    },
    close,
  }
}
