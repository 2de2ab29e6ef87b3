// An event as it is sent on: what the store has of it, so what a template hides stays hidden.

export type ForwardedEvent = {
  readonly offset: number
  readonly index: number
  readonly receivedMs: number
  /** Epoch nanoseconds, decimal. */
  readonly timestampNs: string
  readonly logId: number
  readonly host: string
  readonly source: string
  /** The event's text as it was received. */
  readonly text: string
}
