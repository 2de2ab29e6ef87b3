import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteDictionary } from '../../../../ingest/bytes/byte-dictionary.ts'
import { BodySource, hashOf } from '../../../../ingest/bytes/byte-source.ts'
import { TextCache } from '../../../../ingest/bytes/text-cache.ts'

function sourceOf(text: string): BodySource {
  const source = new BodySource()
  source.take(Buffer.from(text))
  return source
}

const texts = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 400 }).map((number) => `value ${number}`),
    fc.string({ unit: 'binary', maxLength: 80 }),
  ),
  { maxLength: 300 },
)

test('numbers distinct texts in the order in which they came', () => {
  const dictionary = new ByteDictionary()
  fc.assert(
    fc.property(texts, (values) => {
      dictionary.reset()
      const known = new Map<string, number>()
      for (const value of values) {
        const source = sourceOf(value)
        const key = source.bytes.toString('latin1')
        const index = known.get(key) ?? known.size
        known.set(key, index)
        expect(dictionary.indexOf(source, 0, source.bytes.length, 1000)).toBe(index)
        const start = dictionary.startOf(index)
        const end = start + dictionary.lengthOf(index)
        expect(dictionary.keys.bytes.toString('latin1', start, end)).toBe(key)
      }
      expect(dictionary.count).toBe(known.size)
    }),
  )
})

test('takes no more texts than it may, and still knows those that it has', () => {
  const dictionary = new ByteDictionary()
  const index = (text: string) => dictionary.indexOf(sourceOf(text), 0, text.length, 2)
  expect([index('a'), index('b'), index('c'), index('b'), index('')]).toEqual([0, 1, -1, 1, -1])
})

test('is full before texts made up to have one hash cost more than a few steps each', () => {
  const dictionary = new ByteDictionary()
  const source = sourceOf('1234')
  const indexes: number[] = []
  for (let number = 0; indexes.length < 100; number += 1) {
    source.bytes.writeUInt32LE(number)
    // One place in each table of up to 256.
    const isAlike = (hashOf(source, 0, 4) & 255) === 7
    if (isAlike) indexes.push(dictionary.indexOf(source, 0, 4, 1000))
  }
  expect(indexes.slice(0, 64)).toEqual(Array.from({ length: 64 }, (_, i) => i))
  expect(indexes.slice(64).every((index) => index === -1)).toBe(true)
})

test('a cache of texts gives the text of the bytes, whatever it gave before', () => {
  const cache = new TextCache()
  fc.assert(
    fc.property(texts, (values) => {
      for (const value of values) {
        const source = sourceOf(value)
        const text = source.bytes.toString('utf8')
        expect(cache.text(source, 0, source.bytes.length)).toBe(text)
      }
    }),
  )
})
