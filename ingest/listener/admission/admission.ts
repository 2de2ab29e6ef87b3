// May this request come in? The same for every protocol, and nothing here knows HTTP: whose token
// it is, whether the node takes anything now, and room for its bytes until it is answered
// (decisions 2.2, 2.3, 2.9, 8.5).
import type { Clock } from '../../../infra/clock.ts'
import type { Logger } from '../../../infra/logger.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { AccountLimits, type DayBytes } from './account-limits.ts'
import { type BytesInFlight, REQUEST_OVERHEAD_BYTES } from './bytes-in-flight.ts'
import type { DiskReserve } from './disk-reserve.ts'
import { type Accounts, findAccount } from './find-account.ts'
import { Newcomers } from './newcomers.ts'
import type { ListenerFailureCode } from './outcome.ts'
import { type Reservation, Reservations } from './reservation.ts'

type AdmissionDeps = {
  readonly metastore: Accounts
  readonly clock: Clock
  readonly logger: Logger
  /** Of this node: accounts may be bound to one. */
  readonly nodeName: string
  readonly maxBodyBytes: number
  readonly inFlight: BytesInFlight
  readonly diskReserve: Pick<DiskReserve, 'isReached'>
  readonly otherDayBytes?: DayBytes
}

export class Admission {
  /** Tokens that may be new. */
  readonly newcomers: Newcomers
  readonly inFlight: BytesInFlight
  /** What each account may send. */
  readonly accounts: AccountLimits
  readonly maxBodyBytes: number
  readonly #deps: AdmissionDeps
  readonly #reservations: Reservations
  #openCount = 0
  #isStopping = false
  #onEmpty: (() => void) | undefined

  constructor(deps: AdmissionDeps) {
    this.#deps = deps
    this.inFlight = deps.inFlight
    this.maxBodyBytes = deps.maxBodyBytes
    this.newcomers = new Newcomers(deps)
    this.accounts = new AccountLimits(deps.clock, deps.otherDayBytes)
    this.#reservations = new Reservations(deps.inFlight)
  }

  findAccount(token: string): ListenerAccount | ListenerFailureCode {
    return findAccount(token, this.#deps)
  }

  /** Why nothing can be taken now, whatever it is. */
  refusalNow(): ListenerFailureCode | undefined {
    if (this.#isStopping) return 'listener.busy'
    return this.#deps.diskReserve.isReached ? 'listener.disk_reserve' : undefined
  }

  /** Why a body of this length need not come at all. NaN: nobody said how long it is. */
  refusalOf(saidBytes: number): ListenerFailureCode | undefined {
    const refusal = this.refusalNow()
    if (refusal !== undefined) return refusal
    if (saidBytes > this.maxBodyBytes) return 'listener.body_too_large'
    const hasRoom = this.inFlight.hasRoom((saidBytes || 0) + REQUEST_OVERHEAD_BYTES)
    return hasRoom ? undefined : 'listener.busy'
  }

  /** Room for a body that is to come; give it to `release`. */
  reserve(bodyBytes: number): Reservation {
    const bytes = bodyBytes + REQUEST_OVERHEAD_BYTES
    return this.#reservations.open(bytes, this.#deps.clock.elapsedMs())
  }

  release(reservation: Reservation): void {
    this.#reservations.end(reservation)
  }

  /** For a body that is there, until its request is answered; undefined: busy. */
  enter(bodyBytes: number): Stay | undefined {
    const heldBytes = bodyBytes + REQUEST_OVERHEAD_BYTES
    if (this.#isStopping || !this.inFlight.take(heldBytes)) return undefined
    this.#openCount += 1
    return { heldBytes, isInside: true }
  }

  /** The body has become another one, decompressed, or what was found in it counts, too. False:
   *  there is no room for it; the stay holds nothing then, but goes on. */
  resize(stay: Stay, bodyBytes: number): boolean {
    this.inFlight.give(stay.heldBytes)
    stay.heldBytes = bodyBytes + REQUEST_OVERHEAD_BYTES
    if (this.inFlight.take(stay.heldBytes)) return true
    stay.heldBytes = 0
    return false
  }

  /** Before the answer goes out. Call `noteLeft` after it. False: it has left before. */
  leave(stay: Stay): boolean {
    if (!stay.isInside) return false
    stay.isInside = false
    this.inFlight.give(stay.heldBytes)
    this.#openCount -= 1
    return true
  }

  noteLeft(): void {
    if (this.#openCount === 0) this.#onEmpty?.()
  }

  /** To be called about once a second. */
  checkTime(): void {
    this.#reservations.shrinkSlow(this.#deps.clock.elapsedMs())
  }

  /** Refuses what comes from now on; resolves when everything that has entered has left, or when
   *  the signal aborts. */
  stop(signal: AbortSignal): Promise<void> {
    this.#isStopping = true
    if (this.#openCount === 0 || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onEmpty = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
}

/** What a request holds while it is inside; Admission alone changes it. */
export type Stay = { heldBytes: number; isInside: boolean }
