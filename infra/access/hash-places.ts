// Places for the slow hashes, in three classes by what failed lately. Each class runs a hash of its
// own and has its own room to wait: so guesses, from however many addresses, never take the place
// of a name and address without failures. Whether a user exists plays no part: otherwise a flood
// would tell which names exist.

import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import { FairQueue } from '../fair-queue.ts'
import { networkOf } from './attempts.ts'
import { nameKey } from './name-key.ts'
import { RecentFailures } from './recent-failures.ts'

/** The hashes themselves run two at a time, first come, first served: each class that waits has its
 *  share. */
const CLASSES = {
  untouched: { maxRunning: 2, maxWaiting: 400 },
  failedName: { maxRunning: 1, maxWaiting: 200 },
  failedAddress: { maxRunning: 1, maxWaiting: 100 },
} as const

export class HashPlaces {
  readonly #names: RecentFailures
  readonly #networks: RecentFailures
  // Fair by address within a class.
  readonly #queues = {
    untouched: new FairQueue(CLASSES.untouched),
    failedName: new FairQueue(CLASSES.failedName),
    failedAddress: new FairQueue(CLASSES.failedAddress),
  }

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#names = new RecentFailures(clock)
    this.#networks = new RecentFailures(clock)
  }

  /** Waits for a place; the answer gives it back. Fails with sign_in.busy when there is no room to
   *  wait either, and with the reason of the signal. */
  async enter(name: string, address: string, signal?: AbortSignal): Promise<() => void> {
    const queue = this.#queues[this.#classOf(name, address)]
    const leave = await queue.enter(networkOf(address), signal)
    if (leave === 'aborted') throw signal?.reason
    if (typeof leave === 'string') throw new Failure('sign_in.busy')
    return leave
  }

  fail(name: string, address: string): void {
    this.#names.add(nameKey(name))
    this.#networks.add(networkOf(address))
  }

  /** The address keeps its failures: otherwise one known password would reset it for guessing
   *  others. */
  succeed(name: string): void {
    this.#names.forget(nameKey(name))
  }

  #classOf(name: string, address: string): keyof typeof CLASSES {
    if (this.#networks.has(networkOf(address))) return 'failedAddress'
    return this.#names.has(nameKey(name)) ? 'failedName' : 'untouched'
  }
}
