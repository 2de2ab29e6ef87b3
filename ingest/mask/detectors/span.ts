// What a detector gets and gives. It is called at a byte that may be in a value of its kind, and
// looks around in [start, end).

export type Text = {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  /** Bytes as they were sent, where an escape may stand for a character: rather a value too much,
   *  since whoever asks looks closer then. */
  readonly isRaw: boolean
  /** Before this no web token begins that is not part of one that was found. */
  noTokenBefore: number
  /** Before this no colon leads to an IPv6 address that was not found: its run was seen whole. */
  noIpv6Before: number
}

/** Where a value was found, reused. */
export type Span = { from: number; to: number }
