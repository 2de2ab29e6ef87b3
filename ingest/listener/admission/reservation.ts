// Room for one body of a known length, taken before it comes: under overload the bodies that were
// let in arrive whole, instead of all of them pushing each other out half-way. A sender that is
// slow loses what it does not use, so that it cannot keep others out.
import type { BodyBudget } from '../../../infra/http/port.ts'
import type { BytesInFlight } from './bytes-in-flight.ts'

const MAX_IDLE_MS = 5000

export class Reservation implements BodyBudget {
  readonly #inFlight: BytesInFlight
  readonly startMs: number
  /** What the whole body will take; 0 after `shrink`. */
  #promisedBytes: number
  #countedBytes: number
  #usedBytes = 0

  constructor(inFlight: BytesInFlight, bytes: number, startMs: number) {
    this.#inFlight = inFlight
    this.startMs = startMs
    this.#promisedBytes = bytes
    this.#countedBytes = bytes
    inFlight.add(bytes)
  }

  take(bytes: number): boolean {
    const used = this.#usedBytes + bytes
    // The collector's buffer doubles: what lies behind the promised length is never touched, so it
    // is no memory.
    const isPromised = used <= 2 * this.#promisedBytes
    const missing = isPromised ? 0 : Math.max(0, used - this.#countedBytes)
    if (missing > 0 && !this.#inFlight.take(missing)) return false
    this.#countedBytes += missing
    this.#usedBytes = used
    return true
  }

  give(bytes: number): void {
    this.#usedBytes -= bytes
  }

  /** Keeps only what has arrived. */
  shrink(): void {
    this.#promisedBytes = 0
    const unused = this.#countedBytes - this.#usedBytes
    if (unused <= 0) return
    this.#inFlight.give(unused)
    this.#countedBytes -= unused
  }

  /** To be called once, when the body is there or will not come. */
  end(): void {
    this.#inFlight.give(this.#countedBytes)
    this.#promisedBytes = 0
    this.#countedBytes = 0
  }
}

/** The reservations of bodies that are still coming. */
export class Reservations {
  readonly #inFlight: BytesInFlight
  readonly #open = new Set<Reservation>()

  constructor(inFlight: BytesInFlight) {
    this.#inFlight = inFlight
  }

  /** Ask `hasRoom` before. */
  open(bytes: number, nowMs: number): Reservation {
    const reservation = new Reservation(this.#inFlight, bytes, nowMs)
    this.#open.add(reservation)
    return reservation
  }

  end(reservation: Reservation): void {
    if (this.#open.delete(reservation)) reservation.end()
  }

  /** To be called about once a second. */
  shrinkSlow(nowMs: number): void {
    // In order of their start.
    for (const reservation of this.#open) {
      if (nowMs - reservation.startMs < MAX_IDLE_MS) break
      reservation.shrink()
    }
  }
}
