// The shapes of the events met: a tree of the literal pieces between leaf values (keys,
// punctuation, white space). An event like an earlier one is read by comparing pieces and reading
// values; only a piece not met before is parsed. Since a piece fixes what stands around it,
// following pieces is a full parse: there is one way through, not a quick and an exact one.
import { areEqual, BodySource } from '../../bytes/byte-source.ts'
import { END, type LeafScanner } from '../leaf-scanner.ts'
import { type Edge, type Frame, type KeyUse, RESERVED_KEYS, type Slot } from './shape.ts'

/** Pieces, and characters kept of them and of what was made from them, before the tree is begun
 *  anew. */
const MAX_EDGES = 12_000
const MAX_CHARACTERS = 8 * 1024 * 1024
const MAX_PIECE = 65_536
const MAX_COMPARED_EDGES = 12

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
const SPACE = 32

export class EventShapes {
  readonly #scanner: LeafScanner
  readonly #levels: number
  readonly #reserved: ReadonlySet<string>
  #root = makeSlot(null, false, null)
  #edgeCount = 0
  #characterCount = 0

  /** Objects are opened down to `levels` levels of keys, at least 1; `reserved` ones are not. */
  constructor(scanner: LeafScanner, levels: number, reserved = RESERVED_KEYS) {
    this.#scanner = scanner
    this.#levels = Math.max(1, levels)
    this.#reserved = reserved
  }

  /** The slot before the event's first character. Forgets everything when too much was kept. */
  begin(): Slot {
    if (this.#edgeCount > MAX_EDGES || this.#characterCount > MAX_CHARACTERS) {
      this.#root = makeSlot(null, false, null)
      this.#edgeCount = 0
      this.#characterCount = 0
    }
    return this.#root
  }

  /** Counts what a shape keeps beside its pieces. */
  charge(characters: number): void {
    this.#characterCount += characters
  }

  /** Moves the scanner over the piece after `slot`. null: what stands there is no JSON. */
  next(slot: Slot): Edge | null {
    const scanner = this.#scanner
    const last = slot.lastEdge
    if (last !== null && isEdgeHere(scanner, last)) {
      scanner.position += last.length
      return last
    }
    for (let i = 0; i < slot.edges.length; i++) {
      const edge = slot.edges[i]
      if (edge === undefined || !isEdgeHere(scanner, edge)) continue
      scanner.position += edge.length
      slot.lastEdge = edge
      return edge
    }
    const edge = this.#parsePiece(slot, scanner.position)
    if (edge !== null) slot.lastEdge = edge
    return edge
  }

  #parsePiece(slot: Slot, start: number): Edge | null {
    const scanner = this.#scanner
    const parser = new PieceParser(scanner, this.#levels, this.#reserved)
    if (!parser.parse(slot.use)) return null
    const end = scanner.position
    const piece = scanner.latin(start, end)
    const known = slot.more?.get(piece)
    if (known !== undefined) return known
    const text = scanner.isAscii(start, end) ? piece : scanner.decode(start, end)
    const bytes = new BodySource()
    bytes.take(Buffer.from(piece, 'latin1'))
    const edge: Edge = {
      from: slot,
      bytes,
      length: end - start,
      text,
      isExact: !text.includes('\ufffd'),
      uses: parser.uses,
      slot: null,
      plan: null,
    }
    if (parser.slotUse !== null) edge.slot = makeSlot(parser.slotUse, parser.isSlotDeep, edge)
    if (piece.length <= MAX_PIECE) {
      if (slot.edges.length < MAX_COMPARED_EDGES) slot.edges.push(edge)
      else {
        slot.more ??= new Map()
        slot.more.set(piece, edge)
      }
      this.#edgeCount++
      this.#characterCount += piece.length
    }
    return edge
  }
}

function makeSlot(use: KeyUse | null, isDeep: boolean, from: Edge | null): Slot {
  return { use, isDeep, from, lastEdge: null, edges: [], more: null }
}

function isEdgeHere(scanner: LeafScanner, edge: Edge): boolean {
  const { body, position, limit } = scanner
  const { length, slot } = edge
  const end = position + length
  if (end > limit || !areEqual(edge.bytes, 0, body, position, length)) return false
  if (slot === null) return end === limit
  // The same piece, but now an object is to be opened there, or more white space stands before the
  // value.
  const code = end < limit ? (body.bytes[end] ?? 0) : 0
  return code > SPACE && (slot.isDeep || code !== OPEN_OBJECT)
}

/** Parses from after a value (or from the start) to the next leaf value (or the end). */
class PieceParser {
  readonly uses: KeyUse[] = []
  slotUse: KeyUse | null = null
  isSlotDeep = false
  readonly #scanner: LeafScanner
  readonly #levels: number
  readonly #reserved: ReadonlySet<string>

  constructor(scanner: LeafScanner, levels: number, reserved: ReadonlySet<string>) {
    this.#scanner = scanner
    this.#levels = levels
    this.#reserved = reserved
  }

  /** `after`: the key whose value was just read, null at the start. */
  parse(after: KeyUse | null): boolean {
    const scanner = this.#scanner
    let frame: Frame | null
    let isFirst = false
    if (after === null) {
      if (scanner.skipSpace() !== OPEN_OBJECT) return false
      scanner.position++
      frame = { use: null, depth: 1 }
      isFirst = true
    } else {
      frame = after.frame
    }
    for (;;) {
      let code = scanner.skipSpace()
      if (frame === null) return code === END
      if (code === CLOSE_OBJECT) {
        scanner.position++
        frame = frame.use === null ? null : frame.use.frame
        isFirst = false
        continue
      }
      if (!isFirst) {
        if (code !== COMMA) return false
        scanner.position++
        code = scanner.skipSpace()
      }
      if (code !== QUOTE) return false
      const use = this.#readKey(frame)
      if (use === null) return false
      const isDeep =
        frame.depth >= this.#levels || (frame.depth === 1 && this.#reserved.has(use.key))
      if (scanner.skipSpace() !== OPEN_OBJECT || isDeep) {
        this.slotUse = use
        this.isSlotDeep = isDeep
        return true
      }
      scanner.position++
      frame = { use, depth: frame.depth + 1 }
      isFirst = true
    }
  }

  #readKey(frame: Frame): KeyUse | null {
    const scanner = this.#scanner
    const start = scanner.position + 1
    if (!scanner.readString()) return null
    const end = scanner.position - 1
    const isPlain = scanner.at === start && scanner.isAscii(start, end)
    const key = isPlain ? scanner.latin(start, end) : scanner.textAt(scanner.at, scanner.length)
    if (scanner.skipSpace() !== COLON) return null
    scanner.position++
    const name = frame.use === null ? key : `${frame.use.name}.${key}`
    const use = { frame, key, name }
    this.uses.push(use)
    return use
  }
}
