// Requests stored in the last 24 h of receipt that carried an Idempotency-Key (decision 2.7): the
// later of two equal ones is dropped. Equal: account, key and body. Decided by positions and
// receipt times alone, so that a replay decides alike.
import { createHash } from 'node:crypto'
import { type BlockRequest, LOGGER_FORM } from '../../../schemas/block/schema.ts'

export const IDEMPOTENCY_WINDOW_MS = 86_400_000
const IDENTITY_BYTES = 16

/** One stored request. */
export type RequestKey = {
  /** 16 bytes as Latin-1 characters. */
  readonly identity: string
  readonly receivedMs: number
  readonly offset: number
  /** Index among the requests of the block. */
  readonly request: number
}

export function identifyRequest(request: BlockRequest): string {
  const { accountId, idempotencyKey, body, form } = request
  const hash = createHash('sha256')
  // The same bytes by another input are other events.
  if (form !== LOGGER_FORM) hash.update(`${form} `)
  hash.update(`${accountId} ${Buffer.byteLength(idempotencyKey)} ${idempotencyKey}`)
  hash.update(body)
  return hash.digest().toString('latin1', 0, IDENTITY_BYTES)
}

/** True when one of `stored` is an earlier equal of `key` that was received at most 24 h before
 *  it. */
export function isRepeat(key: RequestKey, stored: readonly RequestKey[] | undefined): boolean {
  return (stored ?? []).some(
    (other) => isEarlier(other, key) && key.receivedMs - other.receivedMs <= IDEMPOTENCY_WINDOW_MS,
  )
}

function isEarlier(a: RequestKey, b: RequestKey): boolean {
  return a.offset < b.offset || (a.offset === b.offset && a.request < b.request)
}

/**
 * Says for sure that an identity was never added, or that it may have been: two filters, the older
 * half forgotten in turn. Halves change when both times have gone on by the window: of receipt,
 * since a writer may be days behind; of this process, since the time of day may be wrong for a
 * while.
 */
export class IdentityFilter {
  readonly #bits: number
  #young: Uint32Array | undefined
  #old: Uint32Array | undefined
  /** By the time of receipt, and by the clock of this process. */
  #youngSince = { receivedMs: 0, elapsedMs: 0 }

  /** 2^27 bits are 16 MiB; about 1 % of strange identities are held for known at 12 million. */
  constructor(bits = 27) {
    this.#bits = bits
  }

  /** `elapsedMs`: the time of this process, which never jumps. */
  add(identity: string, at: { readonly receivedMs: number; readonly elapsedMs: number }): void {
    // Both halves together must cover the window, so a full young half stays until it is old
    // enough.
    if (this.#young === undefined || this.#isOver(at)) {
      this.#old = this.#young
      this.#young = new Uint32Array(2 ** this.#bits / 32)
      this.#youngSince = at
    }
    for (let i = 0; i < 4; i += 1) {
      const bit = this.#bitOf(identity, i)
      const word = bit >>> 5
      this.#young[word] = (this.#young[word] ?? 0) | (1 << (bit & 31))
    }
  }

  mayHave(identity: string): boolean {
    return this.#isIn(this.#young, identity) || this.#isIn(this.#old, identity)
  }

  #isOver({ receivedMs, elapsedMs }: { receivedMs: number; elapsedMs: number }): boolean {
    const since = this.#youngSince
    return (
      receivedMs - since.receivedMs > IDEMPOTENCY_WINDOW_MS &&
      elapsedMs - since.elapsedMs > IDEMPOTENCY_WINDOW_MS
    )
  }

  #isIn(filter: Uint32Array | undefined, identity: string): boolean {
    if (filter === undefined) return false
    for (let i = 0; i < 4; i += 1) {
      const bit = this.#bitOf(identity, i)
      if (((filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false
    }
    return true
  }

  /** Four bytes of the identity, which is a hash already. */
  #bitOf(identity: string, i: number): number {
    const at = i * 4
    const word =
      (identity.charCodeAt(at) << 24) |
      (identity.charCodeAt(at + 1) << 16) |
      (identity.charCodeAt(at + 2) << 8) |
      identity.charCodeAt(at + 3)
    return (word >>> 0) >>> (32 - this.#bits)
  }
}
