// The credits of one organisation as data: what was granted, what was used, and what was booked.
// Everything in it survives JSON. Moments are ISO texts in UTC, amounts decimal texts.

export type Grant = {
  readonly id: string
  readonly amount: string
  readonly currency: string
  /** Lower numbers are used first. */
  readonly priority: number
  /** From this moment on it pays. */
  readonly effectiveAt: string
  /** From this moment on it no longer pays; null: never. */
  readonly expiresAt: string | null
  /** Where it comes from, for people: an offer, a promotion. */
  readonly source: string
}

export type VoidedGrant = { readonly grantId: string; readonly at: string; readonly reason: string }

/** What was used, by key: a second report of the same key replaces the first. */
export type Usage = {
  /** Such as an hour of the organisation: `2026-03-01T10`. */
  readonly key: string
  /** When it was used: grants in force at this moment pay. */
  readonly at: string
  readonly amount: string
  /** For people: `12.4 GiB above the plan`. */
  readonly reason: string
  /** Of a unit, as it was booked first: a correction keeps it. */
  readonly price?: string | undefined
}

/** `granted` and `owed` are what the others come from: less than zero or zero. */
export type Account =
  | 'granted'
  | 'available'
  | 'burned'
  | 'expired'
  | 'voided'
  | 'uncovered'
  | 'owed'

export type Entry = {
  readonly account: Account
  /** Null for `uncovered` and `owed`. */
  readonly grantId: string | null
  /** More than zero: into the account. */
  readonly amount: string
}

export type MovementKind = 'grant' | 'burn' | 'correct' | 'expire' | 'void'

/** A booking; the amounts of its entries add up to zero. It is never changed. */
export type Movement = {
  /** 1 is the first one. */
  readonly number: number
  /** When it was booked. */
  readonly at: string
  readonly kind: MovementKind
  readonly entries: readonly Entry[]
  /** A sentence for the customer. */
  readonly explanation: string
}

export type Ledger = {
  readonly currency: string
  readonly grants: readonly Grant[]
  readonly voided: readonly VoidedGrant[]
  readonly usage: readonly Usage[]
  readonly movements: readonly Movement[]
  /** Moment of the last booking; null before the first one. No booking is earlier. */
  readonly bookedAt: string | null
}

export function openLedger(currency: string): Ledger {
  return { currency, grants: [], voided: [], usage: [], movements: [], bookedAt: null }
}
