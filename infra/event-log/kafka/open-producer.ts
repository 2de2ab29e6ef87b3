// Records for the Kafka of others, by the package kafkajs, loaded when it is needed. All brokers,
// also those that a broker names, are looked at by the guard (docs/decisions/0047).
import { Socket } from 'node:net'
import { findAddress } from '../../outbound/find-address.ts'

const CONNECT_MS = 5000
const REQUEST_MS = 20_000
const ACKS_ALL = -1
/** Of one answer: receipts of records, or the brokers and partitions of the cluster. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
/** The number of the request that it answers. */
const MIN_ANSWER_BYTES = 4
const LENGTH_BYTES = 4

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
      limitAnswers(socket)
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

/** The package collects an answer as long as the broker says it is, and throws at one that is too
 *  short where nothing catches it. Either ends the connection before the package sees it. */
function limitAnswers(socket: Socket): void {
  let length = Buffer.alloc(0)
  let rest = 0
  const isFit = (bytes: Buffer): boolean => {
    for (let at = 0; at < bytes.length; ) {
      if (rest === 0) {
        const more = bytes.subarray(at, at + LENGTH_BYTES - length.length)
        length = Buffer.concat([length, more])
        at += more.length
        if (length.length < LENGTH_BYTES) continue
        rest = length.readInt32BE()
        length = Buffer.alloc(0)
        if (rest < MIN_ANSWER_BYTES || rest > MAX_ANSWER_BYTES) return false
      }
      const taken = Math.min(rest, bytes.length - at)
      rest -= taken
      at += taken
    }
    return true
  }
  const emit = socket.emit.bind(socket)
  socket.emit = (event: string | symbol, ...given: unknown[]): boolean => {
    const [bytes] = given
    if (event !== 'data' || !(bytes instanceof Buffer)) return emit(event, ...given)
    if (socket.destroyed) return false
    if (isFit(bytes)) return emit(event, bytes)
    socket.destroy(new Error('the broker gives an answer of a length that cannot be'))
    return false
  }
}
