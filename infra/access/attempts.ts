// Slows guessing, per user name and address, so that a stranger elsewhere never delays the real one
// (decision 7.1). Nobody is locked out: after some failures each attempt waits for its turn, the
// right password too, and turns come at growing distances.
import type { Clock } from '../clock.ts'
import { nameKey } from './name-key.ts'

const FREE_FAILURES = 4
const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 4000
/** An attempt that would wait longer is refused at once. */
const MAX_WAIT_MS = 10_000
const FORGET_MS = 15 * 60_000
const MAX_PAIRS = 10_000

type Pair = { attempts: number; nextTurnMs: number }

export class Attempts {
  readonly #clock: Clock
  readonly #pairs = new Map<string, Pair>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts an attempt as failed until `succeed` says otherwise. Milliseconds to wait before
   *  looking at the password; 'refused' when too many wait already. */
  begin(name: string, address: string): number | 'refused' {
    const nowMs = this.#clock.elapsedMs()
    const key = keyOf(name, address)
    const known = this.#pairs.get(key)
    const pair =
      known !== undefined && nowMs < known.nextTurnMs + FORGET_MS
        ? known
        : { attempts: 0, nextTurnMs: nowMs }
    const turnMs = Math.max(nowMs, pair.nextTurnMs)
    if (turnMs - nowMs > MAX_WAIT_MS) return 'refused'
    pair.attempts += 1
    pair.nextTurnMs = turnMs + delayAfter(pair.attempts)
    this.#pairs.delete(key)
    const oldest = this.#pairs.keys().next()
    if (this.#pairs.size >= MAX_PAIRS && !oldest.done) this.#pairs.delete(oldest.value)
    this.#pairs.set(key, pair)
    return turnMs - nowMs
  }

  /** The attempt that began last was none: its password was not looked at. */
  takeBack(name: string, address: string): void {
    const pair = this.#pairs.get(keyOf(name, address))
    if (pair === undefined) return
    pair.attempts -= 1
    if (pair.attempts <= 0) this.#pairs.delete(keyOf(name, address))
  }

  succeed(name: string, address: string): void {
    this.#pairs.delete(keyOf(name, address))
  }
}

function delayAfter(attempts: number): number {
  if (attempts < FREE_FAILURES) return 0
  return Math.min(FIRST_DELAY_MS * 2 ** (attempts - FREE_FAILURES), MAX_DELAY_MS)
}

function keyOf(name: string, address: string): string {
  return `${networkOf(address)} ${nameKey(name)}`
}

/** A caller with one IPv6 address has all addresses of its /64 network. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
