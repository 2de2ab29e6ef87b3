// What the event log carries: one block = the requests of one group commit. Avro on the wire
// (encodeBlock, decodeBlock).

/** Why the listener rejected one event of a batch (decision 2.2). */
export const REJECTION_CODES = [
  'invalid_json',
  'not_an_object',
  'too_large',
  'too_deep',
  'too_many_columns',
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
  /** Decompressed body, uncut. */
  readonly body: Uint8Array
  /** Accepted events as pairs start, end (exclusive) into `body`, ascending; Uint32 little-endian
   *  on the wire. */
  readonly ranges: Uint32Array
  readonly rejections: readonly Rejection[]
}

export type Block = {
  /** Random id of the listener process's start. */
  readonly listener: string
  /** 1, 2, 3 … of that listener start and partition; a repeat of one already committed is dropped
   *  by the writer. */
  readonly sequence: number
  readonly requests: readonly BlockRequest[]
}
