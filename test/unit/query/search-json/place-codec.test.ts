import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../infra/clock.ts'
import { PlaceCodec } from '../../../../query/search-json/place-codec.ts'

const codec = new PlaceCodec(Buffer.alloc(32, 1), systemClock)
const place = { timestampNs: '1772366400123456789', partition: 3, offset: 123_456, index: 7 }
const arrived = [
  { offset: 5, index: 0 },
  { offset: 2 ** 40, index: 99 },
]

describe('places as texts', () => {
  it('come back as they were, and the same event has always the same id', () => {
    expect(codec.parseEvent(codec.printEvent(place))).toEqual(place)
    expect(codec.printEvent(place)).toBe(
      new PlaceCodec(Buffer.alloc(32, 1), systemClock).printEvent(place),
    )
    expect(codec.parsePosition(codec.printPosition(arrived))).toEqual(arrived)
    for (const window of [
      { startMs: 1, endMs: 2 },
      { startMs: null, endMs: null },
    ]) {
      const cursor = { window, nowMs: 17, after: place, arrived }
      expect(codec.parseCursor(codec.printCursor(cursor))).toEqual(cursor)
    }
  })

  it('tell nothing of the place: neighbours have nothing in common', () => {
    const [a, b] = [place, { ...place, index: 8 }].map((one) => codec.printEvent(one))
    const common = [...(a ?? '')].findIndex((letter, at) => letter !== b?.[at])
    expect(common).toBeLessThan(6)
    expect(Buffer.from(a ?? '', 'base64url').toString('latin1')).not.toContain('123456')
  })

  it('tell not whether anything has arrived between two of them, nor how much there is', () => {
    expect(codec.printPosition(arrived)).not.toBe(codec.printPosition(arrived))
    const cursor = { window: { startMs: 1, endMs: 2 }, nowMs: 17, after: place, arrived }
    expect(codec.printCursor(cursor)).not.toBe(codec.printCursor(cursor))
    const lengths = [0, 9, 10, 10 ** 9, 2 ** 48].map((offset) => [
      codec.printEvent({ ...place, offset }).length,
      codec.printPosition([{ offset, index: 3 }]).length,
    ])
    expect(new Set(lengths.map(String)).size).toBe(1)
  })

  it('are refused when changed, of another kind or of another key', () => {
    const text = codec.printEvent(place)
    expect(codec.parseCursor(text)).toBeUndefined()
    expect(codec.parsePosition(text)).toBeUndefined()
    expect(new PlaceCodec(Buffer.alloc(32, 2), systemClock).parseEvent(text)).toBeUndefined()
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'AZaz09-_'), (at, letter) => {
        const changed = text.slice(0, at) + letter + text.slice(at + 1)
        const bytes = (one: string) => Buffer.from(one, 'base64url').toString('hex')
        if (bytes(changed) !== bytes(text)) expect(codec.parseEvent(changed)).toBeUndefined()
      }),
    )
    fc.assert(fc.property(fc.string(), (any) => codec.parseEvent(any) === undefined))
  })
})
