// One block of the store's `events` table, built column by column straight from split events. The
// columns follow EVENT_COLUMNS; log and policy are filled in at the end, when the logs of the block
// have their ids.
import { isWholeEvent, RAW_LAYOUT, WHOLE_LAYOUT } from '../../../schemas/event-layout.ts'
import { EVENT_COLUMNS, type EventColumn } from '../../../schemas/event-row.ts'
import { REST_SEPARATOR } from '../../../schemas/shown-columns.ts'
import type { ByteBuffer } from '../../bytes/byte-buffer.ts'
import { BodySource, type ByteSource } from '../../bytes/byte-source.ts'
import type { SplitEvent } from '../../split/split-event.ts'
import { NanosecondColumn, Uint16Column, Uint32Column, Uint64Column } from './fixed-column.ts'
import { IdsColumn } from './ids-column.ts'
import { JsonColumn } from './json-column.ts'
import type { JsonPath } from './json-path.ts'
import { LowCardinalityColumn } from './low-cardinality-column.ts'
import { writeNativeBlock } from './native-block.ts'
import { OthersColumn } from './others-column.ts'
import { StringColumn } from './string-column.ts'

/** More distinct layouts than this in one block are a sender that makes keys up: the excess is
 *  stored raw. Lists of names, too: the columns of the excess are `others`. */
const MAX_SHAPES = 2000
/** Nor a longer one: the store keeps up to 8,192 of them in memory while it merges. */
const MAX_SHAPE_LENGTH = 32_768
const SEPARATOR = REST_SEPARATOR.charCodeAt(0)
/** Column of the overflow log (decision 3.5). */
export const INTENDED_PATH = 'intended path'

/** Where one row goes; one object, reused for every row. */
export type RowPlace = {
  /** Index of the log among the logs of this block. */
  slot: number
  /** Asks the log's column guard; false: the name may not become a column. */
  admitColumn: (name: string, kind: 'text' | 'number' | 'bool' | 'id') => boolean
  /** '' or where the event would have gone without the guard. */
  intendedPath: string
  receivedMs: number
  source: string
  partition: number
  offset: number
  index: number
  /** The event's own bytes. */
  body: Buffer
  start: number
  end: number
}

export class EventBlock {
  readonly #slots = new Uint32Column()
  readonly #timestamps = new NanosecondColumn()
  readonly #received = new Uint64Column()
  readonly #hosts = new LowCardinalityColumn()
  readonly #sources = new LowCardinalityColumn()
  readonly #messages = new StringColumn()
  readonly #rests = new StringColumn()
  readonly #names = new LowCardinalityColumn()
  readonly #ids = new IdsColumn()
  readonly #others = new OthersColumn()
  readonly #columns = new JsonColumn()
  readonly #layouts = new LowCardinalityColumn()
  readonly #raws = new StringColumn()
  readonly #sizes = new Uint32Column()
  readonly #partitions = new Uint16Column()
  readonly #offsets = new Uint64Column()
  readonly #indexes = new Uint32Column()
  /** The paths of the event before, by position: events of one sender look alike. */
  #paths: JsonPath[] = []
  #isRaw = false
  /** False: `names` would tell of a column that the event must not have. */
  #areNamed = true
  /** By column of the event: whether the block took it. */
  readonly #areKept: boolean[] = []
  readonly #rawSource = new BodySource()

  get rows(): number {
    return this.#slots.length
  }

  /** Cells of the JSON column: each path costs a byte a row. */
  get cells(): number {
    return this.#columns.pathCount * this.rows
  }

  /** Bytes of names of columns: of a short event with long names in an order of its own they are
   *  many times the event. */
  get nameBytes(): number {
    return (
      this.#names.valueBytes + this.#ids.nameBytes + this.#layouts.valueBytes + this.#others.bytes
    )
  }

  reset(): void {
    this.#slots.reset()
    this.#timestamps.reset()
    this.#received.reset()
    this.#hosts.reset()
    this.#sources.reset()
    this.#messages.reset()
    this.#rests.reset()
    this.#names.reset()
    this.#ids.reset()
    this.#others.reset()
    this.#columns.reset()
    this.#layouts.reset()
    this.#raws.reset()
    this.#sizes.reset()
    this.#partitions.reset()
    this.#offsets.reset()
    this.#indexes.reset()
    this.#paths = []
  }

  /** Gives the index of the event's host in this block, for callers that count by host. */
  append(event: SplitEvent, place: RowPlace): number {
    this.#isRaw = event.isStoredRaw
    this.#appendColumns(event, place)
    if (place.intendedPath !== '') this.#appendIntendedPath(event, place)
    this.#slots.append(place.slot)
    this.#timestamps.append(event.timestampMs, event.timestampNanos)
    this.#received.append(place.receivedMs)
    const hostIndex = this.#hosts.append(event.host)
    this.#sources.append(place.source)
    const { messageAt, messageLength, rest } = event
    this.#messages.appendBytes(sourceOf(event, messageAt), startOf(messageAt), messageLength)
    this.#rests.appendBytes(rest, 0, rest.length)
    this.#appendNames(event)
    this.#ids.endRow()
    this.#others.endRow()
    this.#appendLayout(event.layout)
    if (this.#isRaw) this.#appendRaw(place)
    else this.#raws.appendEmpty()
    this.#sizes.append(event.size)
    this.#partitions.append(place.partition)
    this.#offsets.append(place.offset)
    this.#indexes.append(place.index)
    return hostIndex
  }

  /** The whole Native block. `logIds` and `policyIds` by slot. */
  write(out: ByteBuffer, logIds: readonly number[], policyIds: readonly number[]): void {
    const writers = this.#writers(logIds, policyIds)
    writeNativeBlock(
      out,
      this.rows,
      EVENT_COLUMNS.map(({ name, type }) => ({ name, type, write: writers[name] })),
    )
  }

  #writers(
    logIds: readonly number[],
    policyIds: readonly number[],
  ): Record<EventColumn, (out: ByteBuffer) => void> {
    return {
      policy: (out) => this.#writePolicies(out, policyIds),
      log_id: (out) => this.#writeLogIds(out, logIds),
      timestamp: (out) => this.#timestamps.write(out),
      received: (out) => this.#received.write(out),
      host: (out) => this.#hosts.write(out),
      source: (out) => this.#sources.write(out),
      message: (out) => this.#messages.write(out),
      rest: (out) => this.#rests.write(out),
      names: (out) => this.#names.write(out),
      id_names: (out) => this.#ids.writeNames(out),
      ids: (out) => this.#ids.writeValues(out),
      others: (out) => this.#others.write(out),
      columns: (out) => this.#columns.write(out, this.rows),
      layout: (out) => this.#layouts.write(out),
      raw: (out) => this.#raws.write(out),
      size: (out) => this.#sizes.write(out),
      partition: (out) => this.#partitions.write(out),
      offset: (out) => this.#offsets.write(out),
      index: (out) => this.#indexes.write(out),
    }
  }

  #appendColumns(event: SplitEvent, place: RowPlace): void {
    const { columnNames, columnKinds, areOthers, columns, columnCount } = event
    const row = this.rows
    this.#areNamed = true
    for (let i = 0; i < columnCount; i += 1) {
      const name = columnNames[i] ?? ''
      const kind = columnKinds[i] ?? 'text'
      const at = columns.ats[i] ?? 0
      const length = columns.lengths[i] ?? 0
      if (kind === 'id') {
        if (!isForged(name, place) && place.admitColumn(name, kind))
          this.#ids.append(name, sourceOf(event, at), startOf(at), length)
        else this.#keepInRest(event, at, length)
        continue
      }
      const path = this.#pathAt(i, name)
      // Its value stands in `rest` already; the event's bytes are kept (decision 3.5).
      const isKept =
        !isForged(name, place) && this.#isAdmitted(path, place, kind) && this.#use(path, row)
      this.#areKept[i] = isKept
      if (!isKept) {
        this.#isRaw = true
        this.#areNamed = false
      } else {
        if (areOthers[i]) this.#others.append(name, sourceOf(event, at), startOf(at), length)
        if (kind === 'number') path.appendNumber(row, event.columnNumbers[i] ?? 0)
        // `true` is the shorter one.
        else if (kind === 'bool') path.appendBool(row, length === 4)
        else if (kind === 'text') path.appendText(row, sourceOf(event, at), startOf(at), length)
        else path.appendString(row, sourceOf(event, at), startOf(at), length)
      }
    }
  }

  /** The guard is asked once a block for each log, name and kind. */
  #isAdmitted(
    path: JsonPath,
    place: RowPlace,
    kind: 'text' | 'number' | 'exactNumber' | 'bool',
  ): boolean {
    const guardKind = kind === 'exactNumber' ? 'number' : kind
    const bit = guardKind === 'text' ? 1 : guardKind === 'number' ? 2 : 4
    if (path.isAdmitted(place.slot, bit)) return true
    if (!place.admitColumn(path.name, guardKind)) return false
    path.noteAdmitted(place.slot, bit)
    return true
  }

  /** False: another key of the event made the same name ({"a":{"b":1},"a.b":2}); the first has the
   *  column, the bytes keep both. */
  #use(path: JsonPath, row: number): boolean {
    if (path.lastRow < 0) this.#columns.use(path)
    return path.lastRow !== row
  }

  /** An id that the guard refuses: its value is still found as text, and the event's bytes are
   *  kept. */
  #keepInRest(event: SplitEvent, at: number, length: number): void {
    this.#isRaw = true
    event.rest.writeByte(SEPARATOR)
    event.rest.writeRange(sourceOf(event, at), startOf(at), length)
  }

  #appendIntendedPath(event: SplitEvent, place: RowPlace): void {
    const at = ~event.made.length
    const length = event.made.writeText(place.intendedPath)
    this.#keepInRest(event, at, length)
    const path = this.#columns.path(INTENDED_PATH)
    if (!this.#isAdmitted(path, place, 'text') || !this.#use(path, this.rows)) return
    path.appendText(this.rows, event.made, startOf(at), length)
    this.#others.append(INTENDED_PATH, event.made, startOf(at), length)
  }

  #appendNames(event: SplitEvent): void {
    if (this.#areNamed && appendShape(this.#names, event.names)) return
    this.#names.append('')
    const { columnNames, columnKinds, areOthers, columns, columnCount } = event
    for (let i = 0; i < columnCount; i += 1) {
      if (columnKinds[i] === 'id' || areOthers[i] || !this.#areKept[i]) continue
      const at = columns.ats[i] ?? 0
      const length = columns.lengths[i] ?? 0
      this.#others.append(columnNames[i] ?? '', sourceOf(event, at), startOf(at), length)
    }
  }

  #appendRaw({ body, start, end }: RowPlace): void {
    this.#rawSource.take(body)
    this.#raws.appendBytes(this.#rawSource, start, end - start)
  }

  #appendLayout(layout: string): void {
    if (!this.#isRaw && appendShape(this.#layouts, layout)) return
    this.#isRaw = true
    this.#layouts.append(isWholeEvent(layout) ? WHOLE_LAYOUT : RAW_LAYOUT)
  }

  #pathAt(position: number, name: string): JsonPath {
    const before = this.#paths[position]
    if (before !== undefined && before.name === name) return before
    const path = this.#columns.path(name)
    this.#paths[position] = path
    return path
  }

  #writeLogIds(out: ByteBuffer, logIds: readonly number[]): void {
    const column = new Uint32Column()
    for (let row = 0; row < this.rows; row += 1) column.append(logIds[this.#slotAt(row)] ?? 0)
    column.write(out)
  }

  #writePolicies(out: ByteBuffer, policyIds: readonly number[]): void {
    const column = new Uint16Column()
    for (let row = 0; row < this.rows; row += 1) column.append(policyIds[this.#slotAt(row)] ?? 0)
    column.write(out)
  }

  #slotAt(row: number): number {
    return this.#slots.values[row] ?? 0
  }
}

/** False: too many already, or too long. */
function appendShape(column: LowCardinalityColumn, text: string): boolean {
  return text.length <= MAX_SHAPE_LENGTH && column.tryAppend(text, MAX_SHAPES)
}

/** A sender's own column of the name by which an overflow log says where the event belongs. */
function isForged(name: string, place: RowPlace): boolean {
  return place.intendedPath !== '' && name === INTENDED_PATH
}

/** What a place counts in (split/places.ts). */
function sourceOf({ body, made }: SplitEvent, at: number): ByteSource {
  return at < 0 ? made : body
}

function startOf(at: number): number {
  return at < 0 ? ~at : at
}
