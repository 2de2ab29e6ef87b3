// Which topic this is: a name can be given again to another topic, an id never. Metadata of version
// 10, which kafkajs lacks.
import type { Broker } from 'kafkajs/src/cluster/index.js'
import { KafkaTrouble } from './trouble.ts'

const METADATA = 3
const VERSION = 10
const ID_BYTES = 16
const UNKNOWN_TOPIC = 3
const NO_LEADER = 5
const NO_RIGHT = 29

/** By bit of the answer. */
const RIGHTS = { READ: 3, WRITE: 4, DELETE: 6 } as const

export type TopicFacts = {
  readonly id: string
  /** Those of READ, WRITE and DELETE that the user has not. */
  readonly lacking: readonly string[]
}
type Found = TopicFacts & { readonly error: number }

/** undefined: brokers before 2.8 know no ids. Fails with KafkaTrouble. */
export async function readTopicId(broker: Broker, topic: string): Promise<string | undefined> {
  return (await readTopicFacts(broker, topic))?.id
}

/** As readTopicId. */
export async function readTopicFacts(
  broker: Broker,
  topic: string,
): Promise<TopicFacts | undefined> {
  if ((broker.versions?.[METADATA]?.maxVersion ?? 0) < VERSION) return undefined
  const bytes = encodeRequest(topic)
  const connection = await broker.connectionPool.getConnection()
  return await connection.send({
    request: {
      apiKey: METADATA,
      apiVersion: VERSION,
      apiName: 'Metadata',
      encode: () => Promise.resolve({ buf: bytes, buffer: bytes }),
    },
    response: {
      decode: (answer) => Promise.resolve(decodeAnswer(answer)),
      parse: ({ error, ...facts }) => {
        if (error === 0 || error === NO_LEADER) return Promise.resolve(facts)
        if (error === NO_RIGHT) throw new KafkaTrouble('TOPIC_AUTHORIZATION_FAILED')
        throw new KafkaTrouble(
          error === UNKNOWN_TOPIC ? 'UNKNOWN_TOPIC_OR_PARTITION' : `METADATA_${error}`,
        )
      },
    },
  })
}

/** With the end of its head, which kafkajs writes in the older form: no tagged fields. */
export function encodeRequest(topic: string): Buffer {
  const name = Buffer.from(topic)
  return Buffer.concat([
    Buffer.from([0]),
    // One topic, by its name; no id of it, and no tagged fields.
    Buffer.from([2]),
    Buffer.alloc(ID_BYTES),
    unsigned(name.length + 1),
    name,
    Buffer.from([0]),
    // Not made when it is missing; no rights on the cluster, those on the topic; no tagged fields.
    Buffer.from([0, 0, 1, 0]),
  ])
}

export function decodeAnswer(answer: Buffer): Found {
  const reader = new CompactReader(answer)
  reader.skipTags()
  reader.skip(4)
  for (let brokers = reader.length(); brokers > 0; brokers -= 1) {
    reader.skip(4)
    reader.skipText()
    reader.skip(4)
    reader.skipText()
    reader.skipTags()
  }
  reader.skipText()
  reader.skip(4)
  if (reader.length() < 1) return { error: UNKNOWN_TOPIC, id: '', lacking: [] }
  const error = reader.take(2).readInt16BE()
  reader.skipText()
  const id = reader.take(ID_BYTES).toString('hex')
  reader.skip(1)
  for (let partitions = reader.length(); partitions > 0; partitions -= 1) {
    reader.skip(2 + 4 + 4 + 4)
    for (let list = 0; list < 3; list += 1) reader.skip(4 * reader.length())
    reader.skipTags()
  }
  const rights = reader.take(4).readInt32BE()
  const has = (bit: number) => (rights & (1 << bit)) !== 0
  const lacking = Object.entries(RIGHTS).filter(([, bit]) => !has(bit))
  return { error, id, lacking: lacking.map(([name]) => name) }
}

function unsigned(value: number): Buffer {
  return value < 128 ? Buffer.from([value]) : Buffer.from([(value & 127) | 128, value >> 7])
}

/** Lengths are one more than they are, so that 0 is nothing. */
class CompactReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new KafkaTrouble('CUT_ANSWER')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  skip(length: number): void {
    this.take(length)
  }

  length(): number {
    return Math.max(0, this.#unsigned() - 1)
  }

  skipText(): void {
    this.skip(this.length())
  }

  skipTags(): void {
    for (let tags = this.#unsigned(); tags > 0; tags -= 1) {
      this.#unsigned()
      this.skip(this.#unsigned())
    }
  }

  #unsigned(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.take(1).readUInt8()
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
    throw new KafkaTrouble('CUT_ANSWER')
  }
}
