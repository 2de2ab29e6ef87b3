import { describe, expect, test } from 'vitest'
import { LeafScanner } from '../../../../ingest/split/leaf-scanner.ts'
import { EventShapes } from '../../../../ingest/split/shapes/event-shapes.ts'
import type { Slot } from '../../../../ingest/split/shapes/shape.ts'

/** Walks the event; gives its slots, the start first. */
function walk(scanner: LeafScanner, shapes: EventShapes, event: string): Slot[] {
  const body = Buffer.from(event)
  scanner.begin(body, 0, body.length)
  const slots = [shapes.begin()]
  for (;;) {
    const edge = shapes.next(slots.at(-1) ?? shapes.begin())
    if (edge === null) throw new Error('not read')
    if (edge.slot === null) return slots
    slots.push(edge.slot)
    expect(scanner.readLeaf(edge.slot.isDeep)).toBe(true)
  }
}

function makeShapes() {
  const scanner = new LeafScanner()
  return { scanner, shapes: new EventShapes(scanner, 2) }
}

describe('event shapes', () => {
  test('names the slots, down to the parsing level', () => {
    const { scanner, shapes } = makeShapes()
    const slots = walk(scanner, shapes, '{"a":1,"b":{"c":{"d":1},"é":[{}]},"e":{},"f":null}')
    expect(slots.map((slot) => slot.use?.name)).toEqual([undefined, 'a', 'b.c', 'b.é', 'f'])
  })

  test('knows a shape again, and shares what begins alike', () => {
    const { scanner, shapes } = makeShapes()
    const first = walk(scanner, shapes, '{"a":1,"b":2}')
    const again = walk(scanner, shapes, '{"a":"x","b":[1]}')
    const other = walk(scanner, shapes, '{"a":1,"c":2}')
    expect(again.every((slot, i) => slot === first[i])).toBe(true)
    expect(other[1]).toBe(first[1])
    expect(other[2]).not.toBe(first[2])
  })

  test('tells an object from a scalar at the same place', () => {
    const { scanner, shapes } = makeShapes()
    const names = (event: string) => walk(scanner, shapes, event).map((slot) => slot.use?.name)
    for (let i = 0; i < 2; i++) {
      expect(names('{"a":1}')).toEqual([undefined, 'a'])
      expect(names('{"a":{"b":1}}')).toEqual([undefined, 'a.b'])
      expect(names('{"a":{}}')).toEqual([undefined])
      expect(names('{"a": 1}')).toEqual([undefined, 'a'])
    }
  })

  test('knows many ways to go on from one place', () => {
    const { scanner, shapes } = makeShapes()
    const events = Array.from({ length: 100 }, (_, i) => `{"a":1,"k${i}":2}`)
    const first = events.map((event) => walk(scanner, shapes, event).at(-1))
    const again = events.map((event) => walk(scanner, shapes, event).at(-1))
    expect(again.every((slot, i) => slot === first[i])).toBe(true)
    expect(new Set(first).size).toBe(100)
  })

  test('forgets all when too many pieces or characters were kept', () => {
    const { scanner, shapes } = makeShapes()
    const root = shapes.begin()
    for (let i = 0; i < 20_000; i++) walk(scanner, shapes, `{"k${i}":2}`)
    const second = shapes.begin()
    expect(second).not.toBe(root)
    shapes.charge(9 * 1024 * 1024)
    expect(shapes.begin()).not.toBe(second)
  })
})
