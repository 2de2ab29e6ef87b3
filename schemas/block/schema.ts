// What the event log carries: one block = the requests of one group commit. Avro on the wire
// (encodeBlock, decodeBlock).

/** Why the listener rejected one event of a batch (decision 2.2). Only ever longer, at its end:
 *  blocks hold the places in it. */
export const REJECTION_CODES = [
  'invalid_json',
  'not_an_object',
  'too_large',
  'too_deep',
  'too_many_columns',
  'bad_specversion',
  'missing_attribute',
  'bad_time',
] as const
export type RejectionCode = (typeof REJECTION_CODES)[number]

export type Rejection = {
  /** Index in the request, counted over good and bad events. */
  readonly index: number
  readonly code: RejectionCode
  /** Byte range in `body`. */
  readonly start: number
  readonly end: number
}

/** Of what logger.jsp takes: JSON and lines of text. Blocks before version 3 hold no other. */
export const LOGGER_FORM = 'logger'

/** What an input says of each event apart from the event's own bytes. */
export type EventOrigins = {
  /** '' where the input says nothing: then it is that of the request. */
  readonly places: readonly { readonly host: string; readonly source: string }[]
  /** By accepted event: index in `places`; Uint32 little-endian on the wire. */
  readonly placeOf: Uint32Array
  /** By accepted event: epoch milliseconds and the nanoseconds below them; NaN where the input says
   *  no time. Empty: of no event. A time that the event's bytes hold goes before it. Float64
   *  little-endian on the wire. */
  readonly times: Float64Array
}

export type BlockRequest = {
  readonly accountId: number
  readonly accountVersion: number
  /** Epoch milliseconds of receipt. */
  readonly receivedMs: number
  /** The hostName parameter, trimmed; '' when absent. */
  readonly hostName: string
  /** Peer address as text (client address behind a trusted proxy). */
  readonly peer: string
  /** '' when absent. */
  readonly idempotencyKey: string
  /** Of its body: the name of an event form (ingest/split/event-form.ts), by which the writer
   *  splits it. */
  readonly form: string
  /** Decompressed body, uncut. */
  readonly body: Uint8Array
  /** Accepted events as pairs start, end (exclusive) into `body`, ascending; Uint32 little-endian
   *  on the wire. */
  readonly ranges: Uint32Array
  readonly rejections: readonly Rejection[]
  readonly origins?: EventOrigins | undefined
}

export type Block = {
  /** Random id of the listener process's start. */
  readonly listener: string
  /** 1, 2, 3 … of that listener start and partition; a repeat of one already committed is dropped
   *  by the writer. */
  readonly sequence: number
  readonly requests: readonly BlockRequest[]
}
