// Where an event lies among all events, and how far they have come.

/** Where an event came in the event log. */
export type Arrival = {
  readonly partition: number
  readonly offset: number
  readonly index: number
}
/** Place of an event in the order of events: by time, then by arrival. */
export type EventPlace = Arrival & { readonly timestampNs: string }

/** By partition: everything below has arrived. */
export type Arrived = readonly { readonly offset: number; readonly index: number }[]
