// Decides which member of the group writes which partitions, in the bytes of the consumer protocol,
// so that Kafka's tools can show it.

const VERSION = 0

/** What a member says of itself: the one topic it wants. */
export function encodeSubscription(topic: string): Buffer {
  return Buffer.concat([int16(VERSION), int32(1), text(topic), int32(-1)])
}

export function encodeAssignment(topic: string, partitions: readonly number[]): Buffer {
  const numbers = [int32(partitions.length), ...partitions.map(int32)]
  return Buffer.concat([int16(VERSION), int32(1), text(topic), ...numbers, int32(-1)])
}

/** Partitions of the one topic; an empty answer is none. */
export function decodeAssignment(bytes: Buffer): number[] {
  if (bytes.length < 6 || bytes.readInt32BE(2) < 1) return []
  const count = 8 + bytes.readInt16BE(6)
  return Array.from({ length: bytes.readInt32BE(count) }, (_, index) =>
    bytes.readInt32BE(count + 4 + 4 * index),
  )
}

/** Evenly, by the order of the member ids. */
export function assign(
  members: readonly string[],
  partitions: number,
): ReadonlyMap<string, readonly number[]> {
  const sorted = [...members].sort()
  const all = Array.from({ length: partitions }, (_, partition) => partition)
  return new Map(
    sorted.map((member, index) => [
      member,
      all.filter((partition) => partition % sorted.length === index),
    ]),
  )
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([int16(bytes.length), bytes])
}
