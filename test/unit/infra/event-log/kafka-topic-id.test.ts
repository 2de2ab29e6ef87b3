import { describe, expect, it } from 'vitest'
import { decodeAnswer, encodeRequest } from '../../../../infra/event-log/kafka/topic-id.ts'

const ID = '0102030405060708090a0b0c0d0e0f10'

function answer(fields: { error?: number; rights?: number; partitions?: number } = {}): Buffer {
  const { error = 0, rights = -1, partitions = 2 } = fields
  const int32 = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    return bytes
  }
  const text = (value: string) =>
    Buffer.concat([Buffer.from([value.length + 1]), Buffer.from(value)])
  const partition = (index: number) =>
    Buffer.concat([
      Buffer.from([0, 0]),
      int32(index),
      int32(1),
      int32(0),
      // Replicas, those in sync, those away; no tagged fields.
      ...[Buffer.from([3]), int32(1), int32(2), Buffer.from([2]), int32(1), Buffer.from([1, 0])],
    ])
  return Buffer.concat([
    // A tagged field in the head: number 5, two bytes.
    Buffer.from([1, 5, 2, 9, 9]),
    int32(0),
    Buffer.from([2]),
    ...[int32(1), text('kafka-1'), int32(9092), Buffer.from([0, 0])],
    text('cluster'),
    int32(1),
    Buffer.from([2, 0, error]),
    ...[text('logeye'), Buffer.from(ID, 'hex'), Buffer.from([0])],
    Buffer.from([partitions + 1]),
    ...Array.from({ length: partitions }, (_, index) => partition(index)),
    int32(rights),
    Buffer.from([0]),
  ])
}

describe('the answer of a broker about a topic', () => {
  it('holds its id and the rights on it', () => {
    expect(decodeAnswer(answer())).toEqual({ error: 0, id: ID, lacking: [] })
    const readAndDescribe = (1 << 3) | (1 << 8)
    expect(decodeAnswer(answer({ rights: readAndDescribe, partitions: 100 }))).toEqual({
      error: 0,
      id: ID,
      lacking: ['WRITE', 'DELETE'],
    })
    expect(decodeAnswer(answer({ rights: 0 })).lacking).toEqual(['READ', 'WRITE', 'DELETE'])
    expect(decodeAnswer(answer({ error: 3 }))).toMatchObject({ error: 3 })
  })

  it('that is cut anywhere before its end is no answer', () => {
    const whole = answer()
    for (let length = 0; length < whole.length - 1; length += 1)
      expect(() => decodeAnswer(whole.subarray(0, length))).toThrow('CUT_ANSWER')
  })
})

it('the question names the topic, also a long one', () => {
  for (const name of ['a', 'b'.repeat(126), 'c'.repeat(127), 'd'.repeat(200)]) {
    const bytes = encodeRequest(name)
    expect(bytes.includes(`${name}\0`)).toBe(true)
    const length = bytes.readUInt8(18)
    const more = length < 128 ? 0 : bytes.readUInt8(19) * 128 - 128
    expect(length + more).toBe(name.length + 1)
  }
})
