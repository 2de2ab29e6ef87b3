// What the sizing stands on. MEASURED comes from runs of this repository on two cores
// (docs/guides/measure.md says how to repeat them); ASSUMED is judgement, and named as such in
// docs/guides/sizing.md. Change either, and the guide's table must be printed anew.

export const MEASURED = {
  /** Mean of the events that `npm run bench` sends. */
  eventBytes: 285,
  /** CPU seconds of each process for a million of these events, batched by 10,000. */
  frontSeconds: 1.8,
  workSeconds: 3.7,
  storeSeconds: 5.7,
  /** Bytes of the store for an event, merged (docs/reference/performance.md). */
  storedBytes: 64,
} as const

export const ASSUMED = {
  /** Of the cost of an event, this part grows with its bytes, the rest is paid for each. Only one
   *  size of events was measured. */
  costByBytes: 0.7,
  /** A process of ours does its work on one thread; at the peak hour it is busy for this part of
   *  the time. */
  busiest: 0.6,
  /** On Kafka, against the embedded event log: what the acceptance of part C asks for, 60 % of the
   *  rate. */
  kafkaCost: 1 / 0.6,
  /** Cores of a store node that searches may have at any time. */
  searchShare: 0.5,
  /** A replica that fetches parts merges them, too: it is reckoned like the one that took the
   *  insert. */
  storeReplicas: 2,
  brokerReplicas: 3,
  /** Bytes a second that one broker takes from senders and from its fellows together, on disks of
   *  its own; not measured here. */
  brokerBytesPerSecond: 150e6,
  /** Full disks serve nobody: merges, a broker that moves partitions, and the product's own
   *  reserve. */
  fullest: 0.7,
  /** Loads grow, and the partitions of a topic never change: they are for so much more. */
  growth: 4,
  partitionsPerWriter: 2,
  fewestPartitions: 12,
} as const

/** The machine that store nodes and brokers run on. */
export type Machine = { readonly cores: number; readonly diskBytes: number }

export const MACHINE: Machine = { cores: 16, diskBytes: 8e12 }

export type Load = {
  readonly bytesPerDay: number
  readonly eventBytes: number
  /** The busiest hour against the mean of the day. */
  readonly peakFactor: number
  readonly retentionDays: number
  /** Hours that the store may be away while nobody is refused. */
  readonly outageHours: number
}

/** CPU seconds of one event, from those of a million as measured. */
export function secondsOfEvent(secondsOfMillion: number, eventBytes: number): number {
  const bySize = ASSUMED.costByBytes * (eventBytes / MEASURED.eventBytes)
  return (secondsOfMillion / 1e6) * (1 - ASSUMED.costByBytes + bySize)
}
