// One pass over the bytes of an event: its shape, and the value of each slot in parallel arrays (reused for every event).
import { EventShapes } from './event-shapes.ts'
import { type LeafKind, LeafScanner, TEXT } from './leaf-scanner.ts'
import type { Edge, Slot } from './shape.ts'

const QUOTE = 34

export class EventWalk {
  slotCount = 0
  readonly slots: Slot[] = []
  /** One more than slots; edges[slotCount] ends the event. */
  readonly edges: Edge[] = []
  readonly kinds: LeafKind[] = []
  readonly values: string[] = []
  readonly restTexts: string[] = []
  readonly numbers: number[] = []
  readonly isExact: boolean[] = []
  readonly isId: boolean[] = []

  readonly #scanner = new LeafScanner()
  readonly #shapes: EventShapes

  /** Objects are opened down to `levels` levels of keys. */
  constructor(levels: number) {
    this.#shapes = new EventShapes(this.#scanner, levels)
  }

  /** False when the bytes are no JSON object. */
  readObject(body: Buffer, start: number, end: number): boolean {
    const scanner = this.#scanner
    scanner.begin(body, start, end)
    let slot = this.#shapes.begin()
    let count = 0
    for (;;) {
      const edge = this.#shapes.next(slot)
      if (edge === null) return false
      this.edges[count] = edge
      if (edge.slot === null) break
      slot = edge.slot
      if (!scanner.readLeaf(slot.isDeep)) return false
      this.slots[count] = slot
      this.#keepLeaf(count)
      count++
    }
    this.slotCount = count
    return true
  }

  /** An event that is a string only (decision 2.1), as slot 0. False for anything else. */
  readText(body: Buffer, start: number, end: number): boolean {
    if (body[start] !== QUOTE) return false
    const scanner = this.#scanner
    scanner.begin(body, start, end)
    if (!scanner.readString() || scanner.position !== end) return false
    this.#keepLeaf(0)
    return true
  }

  /** Counts what is kept for the shape just walked: its pieces once for each of a few layouts, and its columns. */
  chargePlan(): void {
    let characters = 0
    for (let i = 0; i <= this.slotCount; i++) characters += 64 + (this.edges[i]?.text.length ?? 0)
    this.#shapes.charge(characters * 4)
  }

  #keepLeaf(i: number): void {
    const scanner = this.#scanner
    const { kind } = scanner
    this.kinds[i] = kind
    this.values[i] = scanner.value
    this.restTexts[i] = scanner.restText
    this.numbers[i] = scanner.number
    this.isExact[i] = scanner.isExact
    this.isId[i] = kind === TEXT && scanner.isId
  }
}
