import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  assign,
  decodeAssignment,
  encodeAssignment,
  encodeSubscription,
} from '../../../../infra/event-log/kafka/assignment.ts'

const members = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 9 })
const partitions = fc.integer({ min: 1, max: 40 })

it('gives each partition to one member, and no member two more than another', () => {
  fc.assert(
    fc.property(members, partitions, (ids, count) => {
      const shares = [...assign(ids, count).values()]
      expect(shares.flat().sort((a, b) => a - b)).toEqual(
        Array.from({ length: count }, (_, i) => i),
      )
      const sizes = shares.map((share) => share.length)
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
      expect(shares).toHaveLength(ids.length)
    }),
  )
})

it('gives the same whatever the order of the members', () => {
  fc.assert(
    fc.property(members, partitions, (ids, count) => {
      expect(assign([...ids].reverse(), count)).toEqual(assign(ids, count))
    }),
  )
})

it('reads back what it wrote', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.nat(2 ** 31 - 1)), (topic, numbers) => {
      expect(decodeAssignment(encodeAssignment(topic, numbers))).toEqual(numbers)
    }),
  )
  expect(decodeAssignment(Buffer.alloc(0))).toEqual([])
})

it('writes the bytes of the consumer protocol, which other tools read', () => {
  expect(encodeSubscription('ab').toString('hex')).toBe('0000000000010002' + '6162' + 'ffffffff')
  expect(encodeAssignment('ab', [1, 2]).toString('hex')).toBe(
    `0000000000010002${'6162'}00000002${'00000001'}${'00000002'}ffffffff`,
  )
})
