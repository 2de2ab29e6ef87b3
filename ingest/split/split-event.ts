// What splitting makes of one event: where it goes and what its columns are. ONE object is reused
// for every event of a writer (the hot path builds no objects, and no strings of what is the
// event's own): read it before the next call, keep nothing of it but copies.
import { ByteBuffer } from '../bytes/byte-buffer.ts'
import { BodySource, type ByteSource } from '../bytes/byte-source.ts'
import { Places } from './places.ts'

/** 'number' fits a double exactly as written; 'exactNumber' is its text ('1.10', '1e400', 30
 *  digits); 'id' see event-row `ids`. */
export type ColumnKind = 'text' | 'number' | 'exactNumber' | 'bool' | 'id'

export type SplitEvent = {
  /** The same array object for equal folders of one account where possible, so that callers may
   *  cache by identity. */
  folder: readonly string[]
  logName: string
  /** Words of productType, '' for none. */
  typeWords: string
  /** The template that was tried at the message, '' for none; and which of its patterns fits, from
   *  1, 0 for none. */
  template: string
  pattern: number
  host: string
  /** Event time: epoch milliseconds (may be before 1970 never) and nanoseconds below the
   *  millisecond, 0–999,999. */
  timestampMs: number
  timestampNanos: number
  /** What places count in (places.ts): the request's body, and the UTF-8 of what had to be
   *  decoded. */
  body: ByteSource
  made: ByteBuffer
  /** Place of the message. */
  messageAt: number
  messageLength: number
  /** UTF-8. */
  readonly rest: ByteBuffer
  /** Names of the columns whose values `rest` begins with (schemas/shown-columns.ts). */
  names: string
  /** Parallel arrays, valid up to `columnCount`. */
  columnCount: number
  readonly columnNames: string[]
  readonly columnKinds: ColumnKind[]
  /** True of a column whose value does not stand in its place in `rest`. */
  readonly areOthers: boolean[]
  /** Places of their texts: numbers as written, `true` and `false`. */
  readonly columns: Places
  /** The values of columns of kind 'number'. */
  readonly columnNumbers: number[]
  layout: string
  /** True when `raw` must be stored: the event's own bytes (range in the body) cannot be rebuilt
   *  from the rest. */
  isStoredRaw: boolean
  /** The event as it was sent: bytes of the body. */
  startAt: number
  size: number
}

export function makeSplitEvent(): SplitEvent {
  return {
    folder: [],
    logName: '',
    typeWords: '',
    template: '',
    pattern: 0,
    host: '',
    timestampMs: 0,
    timestampNanos: 0,
    body: new BodySource(),
    made: new ByteBuffer(0),
    messageAt: 0,
    messageLength: 0,
    rest: new ByteBuffer(),
    names: '',
    columnCount: 0,
    columnNames: [],
    columnKinds: [],
    areOthers: [],
    columns: new Places(),
    columnNumbers: [],
    layout: '',
    isStoredRaw: false,
    startAt: 0,
    size: 0,
  }
}

/** Text of a place. */
export function textAt({ body, made }: SplitEvent, at: number, length: number): string {
  return at < 0
    ? made.bytes.toString('utf8', ~at, ~at + length)
    : body.bytes.toString('utf8', at, at + length)
}

/** What column `i` is as text. */
export function columnText(event: SplitEvent, i: number): string {
  return textAt(event, event.columns.ats[i] ?? 0, event.columns.lengths[i] ?? 0)
}

/** The next column, by where its text lies. */
export function addPlace(
  out: SplitEvent,
  name: string,
  kind: ColumnKind,
  at: number,
  length: number,
  isOther: boolean,
): void {
  const i = out.columnCount++
  out.areOthers[i] = isOther
  out.columnNames[i] = name
  out.columnKinds[i] = kind
  out.columns.ats[i] = at
  out.columns.lengths[i] = length
}
