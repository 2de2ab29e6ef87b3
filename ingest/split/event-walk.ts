// One pass over the bytes of an event: its shape, and the value of each slot in parallel arrays
// (reused for every event).
import { TextCache } from '../bytes/text-cache.ts'
import { type LeafKind, NUMBER, TEXT } from './leaf-kind.ts'
import { LeafScanner } from './leaf-scanner.ts'
import { Places } from './places.ts'
import { EventShapes } from './shapes/event-shapes.ts'
import type { Edge, Slot } from './shapes/shape.ts'

const QUOTE = 34

export class EventWalk {
  slotCount = 0
  /** The piece that ends the event: it stands for the shape. */
  end: Edge | null = null
  readonly kinds: LeafKind[] = []
  readonly values = new Places()
  /** The values of slots of kind NUMBER. */
  readonly numbers: number[] = []
  readonly isId: boolean[] = []
  /** False when a value's token is not what its value would be written as. */
  areExact = true
  /** Where the values of the slot end among those for `rest`; they begin where those of the slot
   *  before end. */
  readonly restEnds: number[] = []

  readonly scanner = new LeafScanner()
  readonly #shapes: EventShapes
  readonly #texts = new TextCache()

  /** As of EventShapes. */
  constructor(levels: number, reserved?: ReadonlySet<string>) {
    this.#shapes = new EventShapes(this.scanner, levels, reserved)
  }

  /** False when the bytes are no JSON object. */
  readObject(body: Buffer, start: number, end: number): boolean {
    const { scanner } = this
    this.#begin(body, start, end)
    let slot = this.#shapes.begin()
    let count = 0
    for (;;) {
      const edge = this.#shapes.next(slot)
      if (edge === null) return false
      if (edge.slot === null) {
        this.end = edge
        this.slotCount = count
        return true
      }
      slot = edge.slot
      if (!scanner.readLeaf(slot.isDeep)) return false
      this.#keepLeaf(count)
      count++
    }
  }

  /** An event that is a string only (decision 2.1), as slot 0. False for anything else. */
  readText(body: Buffer, start: number, end: number): boolean {
    if (body[start] !== QUOTE) return false
    const { scanner } = this
    this.#begin(body, start, end)
    if (!scanner.readString() || scanner.position !== end) return false
    this.#keepLeaf(0)
    return true
  }

  /** Decoded string, number as written, `true`, `false`, `null`, or JSON text of a blob. */
  text(slot: number): string {
    const at = this.values.ats[slot] ?? 0
    const length = this.values.lengths[slot] ?? 0
    const { body, made } = this.scanner
    return at < 0 ? this.#texts.text(made, ~at, length) : this.#texts.text(body, at, length)
  }

  /** Counts what is kept for the shape just walked: its pieces and names once for each of a few
   *  layouts, and its columns. */
  chargePlan(): void {
    let characters = 0
    for (const { text, uses } of this.path().edges) {
      characters += 64 + text.length
      for (const { name } of uses) characters += name.length
    }
    this.#shapes.charge(characters * 4)
  }

  /** The slots in order, and the pieces around them: one more. */
  path(): { slots: Slot[]; edges: Edge[] } {
    const slots: Slot[] = []
    const edges: Edge[] = []
    for (let edge = this.end; edge !== null; edge = edge.from.from) {
      edges.push(edge)
      if (edge.slot !== null) slots.push(edge.slot)
    }
    return { slots: slots.reverse(), edges: edges.reverse() }
  }

  #begin(body: Buffer, start: number, end: number): void {
    this.scanner.begin(body, start, end)
    this.values.count = 0
    this.areExact = true
  }

  #keepLeaf(i: number): void {
    const { scanner } = this
    const { kind } = scanner
    this.kinds[i] = kind
    this.values.add(scanner.at, scanner.length)
    if (kind === NUMBER) this.numbers[i] = scanner.number
    if (!scanner.isExact) this.areExact = false
    this.isId[i] = kind === TEXT && scanner.isId
    this.restEnds[i] = scanner.rest.count
  }
}
