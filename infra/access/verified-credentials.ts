// Credentials that were found right, for 60 s, so that 200 calls a second cost no hash (decision
// 7.1). It keeps a keyed hash, whose key is only in the memory of this process. A change of the
// user makes the entry worthless.
import { createHmac } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Credentials } from './credentials.ts'

const REMEMBERED_MS = 60_000
const MAX_ENTRIES = 10_000

type Entry = { readonly userId: number; readonly version: number; readonly untilMs: number }

export class VerifiedCredentials {
  readonly #clock: Clock
  readonly #key: Buffer
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Clock) {
    this.#clock = clock
    this.#key = clock.randomBytes(32)
  }

  /** Stands for the credentials in memory. The length keeps name and password apart. */
  keyOf({ name, password }: Credentials): string {
    return createHmac('sha256', this.#key)
      .update(`${Buffer.byteLength(name)}:${name}:${password}`)
      .digest('base64')
  }

  has(key: string, user: { id: number; version: number }): boolean {
    const entry = this.#entries.get(key)
    if (entry === undefined) return false
    const isGood =
      entry.userId === user.id &&
      entry.version === user.version &&
      this.#clock.elapsedMs() < entry.untilMs
    if (!isGood) this.#entries.delete(key)
    return isGood
  }

  remember(key: string, user: { id: number; version: number }): void {
    // Entries stand in the order of their end: the oldest goes first.
    this.#entries.delete(key)
    const oldest = this.#entries.keys().next()
    if (this.#entries.size >= MAX_ENTRIES && !oldest.done) this.#entries.delete(oldest.value)
    this.#entries.set(key, {
      userId: user.id,
      version: user.version,
      untilMs: this.#clock.elapsedMs() + REMEMBERED_MS,
    })
  }
}
