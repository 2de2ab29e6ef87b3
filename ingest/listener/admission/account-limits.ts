// What an account may send: from which addresses, how much a second, how much a day (UTC)
// (docs/decisions/0090). Counted by this process of what it made durable or is about to; a request
// that would begin beyond a limit is answered 500 with Retry-After, so that its sender keeps it:
// nothing that was acknowledged is ever left out.
import type { Clock } from '../../../infra/clock.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { isInBlock, parseBlock } from './address-blocks.ts'
import type { ListenerFailureCode } from './outcome.ts'

type Bucket = { left: number; atMs: number }
type Used = {
  readonly events: Bucket
  readonly bytes: Bucket
  day: number
  dayBytes: number
}

const DAY_MS = 86_400_000
const MAX_ACCOUNTS = 10_000

/** Bytes of an account that were taken on a day (from 1970, UTC) by all listeners, as far as it is
 *  known. */
export type DayBytes = (accountId: number, day: number) => number

export class AccountLimits {
  readonly #clock: Pick<Clock, 'nowMs' | 'elapsedMs'>
  readonly #others: DayBytes
  readonly #used = new Map<number, Used>()
  readonly #blocks = new WeakMap<readonly string[], readonly ReturnType<typeof parseBlock>[]>()

  constructor(clock: Pick<Clock, 'nowMs' | 'elapsedMs'>, others: DayBytes = () => 0) {
    this.#clock = clock
    this.#others = others
  }

  /** False: to this sender the account is as if it were not. */
  mayComeFrom({ allowedAddresses = [] }: ListenerAccount, peer: string): boolean {
    if (allowedAddresses.length === 0) return true
    let blocks = this.#blocks.get(allowedAddresses)
    if (blocks === undefined) {
      blocks = allowedAddresses.map(parseBlock)
      this.#blocks.set(allowedAddresses, blocks)
    }
    return blocks.some((block) => block !== undefined && isInBlock(peer, block))
  }

  /** Why a request of the account cannot be taken now. One that may begin may take more than what
   *  is left: the next ones wait for it. */
  refusalOf(account: ListenerAccount): ListenerFailureCode | undefined {
    const { maxEventsPerSecond, maxBytesPerSecond, maxBytesPerDay } = account
    if (maxEventsPerSecond === undefined && maxBytesPerSecond === undefined && !maxBytesPerDay)
      return undefined
    const used = this.#of(account)
    this.#fill(used.events, maxEventsPerSecond)
    this.#fill(used.bytes, maxBytesPerSecond)
    if (used.events.left <= 0 || used.bytes.left <= 0) return 'listener.rate_limited'
    if (!maxBytesPerDay) return undefined
    const taken = used.dayBytes + this.#others(account.id, used.day)
    return taken >= maxBytesPerDay ? 'listener.volume_reached' : undefined
  }

  /** What is about to become durable. */
  take(account: ListenerAccount, events: number, bytes: number): void {
    const { maxEventsPerSecond, maxBytesPerSecond, maxBytesPerDay } = account
    if (maxEventsPerSecond === undefined && maxBytesPerSecond === undefined && !maxBytesPerDay)
      return
    const used = this.#of(account)
    if (maxEventsPerSecond !== undefined) used.events.left -= events
    if (maxBytesPerSecond !== undefined) used.bytes.left -= bytes
    used.dayBytes += bytes
  }

  /** Bytes by account of the day, since the last call: for what is kept beside others'. */
  takeDayBytes(): readonly {
    readonly accountId: number
    readonly day: number
    readonly bytes: number
  }[] {
    const taken = [...this.#used]
      .filter(([, { dayBytes }]) => dayBytes > 0)
      .map(([accountId, { day, dayBytes }]) => ({ accountId, day, bytes: dayBytes }))
    for (const used of this.#used.values()) used.dayBytes = 0
    return taken
  }

  /** They could not be kept. */
  giveBack(taken: ReturnType<AccountLimits['takeDayBytes']>): void {
    for (const { accountId, day, bytes } of taken) {
      const used = this.#used.get(accountId)
      if (used?.day === day) used.dayBytes += bytes
    }
  }

  #of({ id }: ListenerAccount): Used {
    const day = Math.floor(this.#clock.nowMs() / DAY_MS)
    let used = this.#used.get(id)
    if (used === undefined) {
      if (this.#used.size >= MAX_ACCOUNTS) this.#used.clear()
      const atMs = Number.NEGATIVE_INFINITY
      used = { events: { left: 0, atMs }, bytes: { left: 0, atMs }, day, dayBytes: 0 }
      this.#used.set(id, used)
    }
    if (used.day !== day) {
      used.day = day
      used.dayBytes = 0
    }
    return used
  }

  /** As much as comes in a second at most. */
  #fill(bucket: Bucket, perSecond: number | undefined): void {
    const nowMs = this.#clock.elapsedMs()
    if (perSecond === undefined || perSecond === 0) bucket.left = Number.POSITIVE_INFINITY
    else {
      const more = ((nowMs - bucket.atMs) / 1000) * perSecond
      const before = Number.isFinite(bucket.left) ? bucket.left : perSecond
      bucket.left = Math.min(perSecond, before + more)
    }
    bucket.atMs = nowMs
  }
}
