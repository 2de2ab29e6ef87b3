// What splitting makes of one event: where it goes and what its columns are. ONE object is reused for every event of a
// writer (the hot path builds no objects): read it before the next call, keep nothing but the strings and numbers.

/** 'number' fits a double exactly as written; 'exactNumber' is its text ('1.10', '1e400', 30 digits); 'id' see event-row `ids`. */
export type ColumnKind = 'text' | 'number' | 'exactNumber' | 'bool' | 'id'

export type SplitEvent = {
  /** The same array object for equal folders of one account where possible, so that callers may cache by identity. */
  folder: readonly string[]
  logName: string
  /** Words of productType, '' for none. */
  typeWords: string
  host: string
  /** Event time: epoch milliseconds (may be before 1970 never) and nanoseconds below the millisecond, 0–999,999. */
  timestampMs: number
  timestampNanos: number
  message: string
  rest: string
  /** Parallel arrays, valid up to `columnCount`. */
  columnCount: number
  columnNames: string[]
  columnKinds: ColumnKind[]
  /** text, exactNumber, id: string; number: number; bool: boolean. */
  columnValues: (string | number | boolean)[]
  layout: string
  /** True when `raw` must be stored: the event's own bytes (range in the body) cannot be rebuilt from the rest. */
  isStoredRaw: boolean
  size: number
}

export function makeSplitEvent(): SplitEvent {
  return {
    folder: [],
    logName: '',
    typeWords: '',
    host: '',
    timestampMs: 0,
    timestampNanos: 0,
    message: '',
    rest: '',
    columnCount: 0,
    columnNames: [],
    columnKinds: [],
    columnValues: [],
    layout: '',
    isStoredRaw: false,
    size: 0,
  }
}
