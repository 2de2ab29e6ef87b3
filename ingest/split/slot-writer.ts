// The second half of splitting: the slots of a walked event become columns, `rest` and layout
// (decision 3.8, decision 0002).
import { RAW_LAYOUT, WHOLE_LAYOUT } from '../../schemas/event-layout.ts'
import { REST_SEPARATOR } from '../../schemas/shown-columns.ts'
import type { ParsedTime } from '../../schemas/time/time-date.ts'
import type { EventWalk } from './event-walk.ts'
import {
  BLOB,
  BOOL,
  EMPTY_BLOB,
  EMPTY_TEXT,
  EXACT_NUMBER,
  NULL,
  NUMBER,
  TEXT,
} from './leaf-kind.ts'
import { ORIGINAL_TIME_COLUMN, type ShapePlan } from './shapes/shape.ts'
import {
  BARE_COLUMN,
  BARE_HOST,
  BARE_MESSAGE,
  BARE_ORIGINAL_TIME,
  BARE_TIME,
  type Filling,
  LITERAL,
  layoutOf,
  MAX_LITERAL,
  QUOTED_COLUMN,
  QUOTED_HOST,
  QUOTED_MESSAGE,
  QUOTED_ORIGINAL_TIME,
  QUOTED_TIME,
} from './shapes/shape-layouts.ts'
import { addPlace, type ColumnKind, type SplitEvent } from './split-event.ts'

const SEPARATOR = REST_SEPARATOR.charCodeAt(0)

/** Where the values of a slot stand in `rest`. */
type RestPlace = 'in turn' | 'behind' | 'nowhere'

export class SlotWriter {
  // What the splitter found out of this event; -1: no slot of the event gave it.
  messageSlot = -1
  timeSlot = -1
  hostSlot = -1
  /** No message: the whole object is it (decision 3.6). */
  isWhole = true
  /** Text of a time more than a day ahead; null for none. */
  originalTime: string | null = null

  readonly #walk: EventWalk
  readonly #time: ParsedTime
  readonly #filling: Filling = {
    codes: new Uint8Array(1024),
    literals: [],
    literalCount: 0,
    timeFormatCode: 0,
  }
  /** Slots whose values stand after those in turn; the first `#behindCount` count. */
  readonly #behind: number[] = []
  #behindCount = 0
  #isRaw = false

  constructor(walk: EventWalk, time: ParsedTime) {
    this.#walk = walk
    this.#time = time
  }

  begin(): void {
    this.messageSlot = -1
    this.timeSlot = -1
    this.hostSlot = -1
    this.isWhole = true
    this.originalTime = null
    this.#isRaw = false
    this.#filling.literalCount = 0
    this.#filling.timeFormatCode = 0
  }

  /** `out.host`, `message` and `timestamp` are set already. */
  write(out: SplitEvent, plan: ShapePlan): void {
    const { kinds, areExact } = this.#walk
    const { slotCount, columnNames, isReserved } = plan
    if (this.#filling.codes.length < slotCount) this.#filling.codes = new Uint8Array(slotCount * 2)
    const { codes } = this.#filling
    this.#isRaw = plan.isNeverFlat || this.isWhole || !areExact
    if (this.originalTime !== null) this.#writeOriginalTime(out, plan)

    out.rest.reset()
    out.names = plan.names
    this.#behindCount = 0
    for (let slot = 0; slot < slotCount; slot++) {
      const kind = kinds[slot] ?? NULL
      const isText = kind === TEXT || kind === EMPTY_TEXT
      const name = columnNames[slot] ?? ''
      // Its place in turn, whether the value stands there or not.
      if (name !== '') out.rest.writeByte(SEPARATOR)
      if (slot === this.messageSlot) {
        codes[slot] = isText ? QUOTED_MESSAGE : BARE_MESSAGE
        continue
      }
      let place: RestPlace = 'behind'
      if (slot === this.timeSlot) codes[slot] = this.#timeCode(isText)
      else if (slot === this.hostSlot) codes[slot] = this.#hostCode(out, slot, isText)
      else if (isReserved[slot]) this.#writeLiteral(slot)
      else if (name === '') this.#writeNameless(slot)
      else place = this.#writeColumn(out, slot, name)
      if (place === 'in turn') this.#writeLeaf(out, this.#leavesBefore(slot))
      else if (place === 'behind') this.#behind[this.#behindCount++] = slot
    }
    for (let i = 0; i < this.#behindCount; i++) this.#writeLeaves(out, this.#behind[i] ?? 0)
    out.isStoredRaw = this.#isRaw
    if (this.isWhole) out.layout = WHOLE_LAYOUT
    else out.layout = this.#isRaw ? RAW_LAYOUT : layoutOf(plan, this.#filling)
  }

  #writeLeaves(out: SplitEvent, slot: number): void {
    const end = this.#walk.restEnds[slot] ?? 0
    for (let leaf = this.#leavesBefore(slot); leaf < end; leaf++) {
      out.rest.writeByte(SEPARATOR)
      this.#writeLeaf(out, leaf)
    }
  }

  #writeLeaf({ rest }: SplitEvent, leaf: number): void {
    const { scanner } = this.#walk
    const at = scanner.rest.ats[leaf] ?? 0
    const length = scanner.rest.lengths[leaf] ?? 0
    if (at < 0) rest.writeRange(scanner.made, ~at, length)
    else rest.writeRange(scanner.body, at, length)
  }

  /** Leaves of the slots before this one: the number of its first. */
  #leavesBefore(slot: number): number {
    return slot === 0 ? 0 : (this.#walk.restEnds[slot - 1] ?? 0)
  }

  #timeCode(isText: boolean): number {
    if (this.originalTime !== null) return isText ? QUOTED_ORIGINAL_TIME : BARE_ORIGINAL_TIME
    this.#filling.timeFormatCode = this.#time.formatCode
    if (this.#time.formatCode === 0) this.#isRaw = true
    return isText ? QUOTED_TIME : BARE_TIME
  }

  #hostCode(out: SplitEvent, slot: number, isText: boolean): number {
    if (this.#walk.text(slot) !== out.host) this.#isRaw = true
    return isText ? QUOTED_HOST : BARE_HOST
  }

  #writeColumn(out: SplitEvent, slot: number, name: string): RestPlace {
    const walk = this.#walk
    const { codes } = this.#filling
    // Ours is written already: no column twice.
    if (this.originalTime !== null && name === ORIGINAL_TIME_COLUMN) return 'behind'
    switch (walk.kinds[slot]) {
      case TEXT: {
        codes[slot] = QUOTED_COLUMN
        const isId = walk.isId[slot] === true
        const isOther = !isId && !this.#isWhollyInRest(slot)
        addColumn(out, name, isId ? 'id' : 'text', walk, slot, isOther)
        return isId ? 'nowhere' : isOther ? 'behind' : 'in turn'
      }
      case EMPTY_TEXT:
        codes[slot] = QUOTED_COLUMN
        return 'nowhere'
      case NUMBER:
        codes[slot] = BARE_COLUMN
        addColumn(out, name, 'number', walk, slot)
        return 'in turn'
      case EXACT_NUMBER:
        codes[slot] = BARE_COLUMN
        addColumn(out, name, 'exactNumber', walk, slot)
        return 'in turn'
      case BOOL:
        codes[slot] = BARE_COLUMN
        addColumn(out, name, 'bool', walk, slot)
        return 'in turn'
      case BLOB:
        codes[slot] = BARE_COLUMN
        addColumn(out, name, 'text', walk, slot, true)
        return 'behind'
      case EMPTY_BLOB:
        this.#writeLiteral(slot)
        return 'nowhere'
      default:
        codes[slot] = BARE_COLUMN
        return 'nowhere'
    }
  }

  /** False of a text with a separator in it, which stands in `rest` without. */
  #isWhollyInRest(slot: number): boolean {
    const { scanner, values } = this.#walk
    return scanner.rest.ats[this.#leavesBefore(slot)] === values.ats[slot]
  }

  /** The value's token itself stands in the layout. */
  #writeLiteral(slot: number): void {
    const { codes, literals } = this.#filling
    codes[slot] = LITERAL
    if (this.#isRaw) return
    const kind = this.#walk.kinds[slot]
    const value = this.#walk.text(slot)
    const token = kind === TEXT || kind === EMPTY_TEXT ? JSON.stringify(value) : value
    if (token.length > MAX_LITERAL) this.#isRaw = true
    literals[this.#filling.literalCount++] = token
  }

  /** A value that has no column can be found by its words, but not rebuilt. */
  #writeNameless(slot: number): void {
    const kind = this.#walk.kinds[slot]
    if (kind !== NULL && kind !== EMPTY_TEXT && kind !== EMPTY_BLOB) this.#isRaw = true
    this.#writeLiteral(slot)
  }

  #writeOriginalTime(out: SplitEvent, plan: ShapePlan): void {
    const walk = this.#walk
    const kind = this.timeSlot < 0 ? TEXT : walk.kinds[this.timeSlot]
    if (kind === NUMBER) addColumn(out, ORIGINAL_TIME_COLUMN, 'number', walk, this.timeSlot, true)
    else {
      const { scanner } = walk
      scanner.keepText(this.originalTime ?? '')
      const textKind = kind === EXACT_NUMBER ? 'exactNumber' : 'text'
      addPlace(out, ORIGINAL_TIME_COLUMN, textKind, scanner.at, scanner.length, true)
    }
    const isTaken = plan.columnNames.some(
      (name, slot) => slot !== this.timeSlot && `${name}.`.startsWith(`${ORIGINAL_TIME_COLUMN}.`),
    )
    if (isTaken) this.#isRaw = true
  }
}

function addColumn(
  out: SplitEvent,
  name: string,
  kind: ColumnKind,
  { values, numbers }: EventWalk,
  slot: number,
  isOther = false,
): void {
  out.columnNumbers[out.columnCount] = numbers[slot] ?? 0
  addPlace(out, name, kind, values.ats[slot] ?? 0, values.lengths[slot] ?? 0, isOther)
}
