// Slots for the slow password hashes, in four classes by what happened lately. Each class runs its
// own hashes and has its own queue, so guesses, from however many addresses, never take the slot of
// a name and network without failures. A name that signed in from a network before goes first
// there. Whether a user exists plays no part: otherwise a flood would show which names exist.

import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import { FairQueue } from '../fair-queue.ts'
import type { HashUrgency } from '../metastore/users/password.ts'
import { networkOf } from './attempts.ts'
import { nameKey } from './name-key.ts'
import { RecentKeys } from './recent-keys.ts'

/** The hashes themselves run two at a time; those of the class `known` go first there. */
const CLASSES = {
  known: { maxRunning: 2, maxWaiting: 200 },
  untouched: { maxRunning: 2, maxWaiting: 400 },
  failedName: { maxRunning: 1, maxWaiting: 200 },
  failedAddress: { maxRunning: 1, maxWaiting: 100 },
} as const

const FAILURE_MS = 15 * 60_000
/** How long a name is known at a network that it signed in from. */
export const KNOWN_SOURCE_MS = 30 * 24 * 3_600_000

export type SignInSource = { readonly name: string; readonly address: string }

export class HashPlaces {
  readonly #failedNames: RecentKeys
  readonly #failedNetworks: RecentKeys
  readonly #known: RecentKeys
  readonly #recentSignIns: () => Promise<readonly SignInSource[]>
  #loading: Promise<void> | undefined
  // Fair by address within a class.
  readonly #queues = {
    known: new FairQueue(CLASSES.known),
    untouched: new FairQueue(CLASSES.untouched),
    failedName: new FairQueue(CLASSES.failedName),
    failedAddress: new FairQueue(CLASSES.failedAddress),
  }

  /** `recentSignIns`: those that the database knows, read once, oldest first. */
  constructor(
    clock: Pick<Clock, 'elapsedMs'>,
    recentSignIns: () => Promise<readonly SignInSource[]>,
  ) {
    this.#failedNames = new RecentKeys(clock, FAILURE_MS)
    this.#failedNetworks = new RecentKeys(clock, FAILURE_MS)
    this.#known = new RecentKeys(clock, KNOWN_SOURCE_MS)
    this.#recentSignIns = recentSignIns
  }

  /** Waits for a slot; `leave` gives it back. Fails with sign_in.busy when the queue is full too,
   *  and with the reason of the signal. */
  async enter(
    name: string,
    address: string,
    signal?: AbortSignal,
  ): Promise<{ readonly leave: () => void; readonly urgency: HashUrgency }> {
    await this.#load()
    const kind = this.#classOf(name, address)
    const leave = await this.#queues[kind].enter(networkOf(address), signal)
    if (leave === 'aborted') throw signal?.reason
    if (typeof leave === 'string') throw new Failure('sign_in.busy')
    return { leave, urgency: kind === 'known' ? 'first' : 'usual' }
  }

  fail(name: string, address: string): void {
    this.#failedNames.add(nameKey(name))
    this.#failedNetworks.add(networkOf(address))
  }

  /** The address keeps its failures: otherwise one known password would reset it for guessing
   *  others. */
  succeed(name: string, address: string): void {
    this.#failedNames.forget(nameKey(name))
    this.#known.add(sourceKey(name, address))
  }

  #load(): Promise<void> {
    this.#loading ??= this.#recentSignIns().then(
      (sources) => {
        for (const { name, address } of sources) this.#known.add(sourceKey(name, address))
      },
      () => {
        // Without the database nobody signs in; the next attempt reads it again.
        this.#loading = undefined
      },
    )
    return this.#loading
  }

  #classOf(name: string, address: string): keyof typeof CLASSES {
    if (this.#known.has(sourceKey(name, address))) return 'known'
    if (this.#failedNetworks.has(networkOf(address))) return 'failedAddress'
    return this.#failedNames.has(nameKey(name)) ? 'failedName' : 'untouched'
  }
}

function sourceKey(name: string, address: string): string {
  return `${networkOf(address)} ${nameKey(name)}`
}
