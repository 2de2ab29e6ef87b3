// Splitters by account version: what ingest/split needs is read from an account once.
import type { BlockRequest } from '../../../schemas/block/schema.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { type AccountSplitter, makeAccountSplitter } from '../../split/account-splitter.ts'
import type { SplitEvent } from '../../split/split-event.ts'

/** Versions kept; more than these at once are many accounts, which are read anew as they come. */
const MAX_SPLITTERS = 1000

/** An event's own bytes; `isLine`: text (split/line-span.ts), not JSON. */
export type EventSpan = {
  readonly body: Buffer
  readonly start: number
  readonly end: number
  readonly isLine: boolean
}

export class EventSplitter {
  readonly #timeZone: string
  readonly #splitters = new Map<string, AccountSplitter>()
  #lastAccount: ListenerAccount | undefined
  #last: AccountSplitter | undefined

  /** `timeZone`: the system's. */
  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  /** Fills `into` from the bytes `start` to `end` of `body`, the request's; of a line without its
   *  line end. */
  split(
    account: ListenerAccount,
    request: Pick<BlockRequest, 'receivedMs' | 'hostName' | 'peer'>,
    event: EventSpan,
    into: SplitEvent,
  ): void {
    const { body, start, end, isLine } = event
    const { receivedMs, hostName, peer } = request
    const splitter = this.#of(account)
    if (isLine) splitter.splitLine(into, body, start, end, receivedMs, hostName, peer)
    else splitter.split(into, body, start, end, receivedMs, hostName, peer)
  }

  #of(account: ListenerAccount): AccountSplitter {
    if (account === this.#lastAccount && this.#last !== undefined) return this.#last
    const key = `${account.id}:${account.version}`
    let splitter = this.#splitters.get(key)
    if (splitter === undefined) {
      splitter = makeAccountSplitter(account, this.#timeZone)
      if (this.#splitters.size >= MAX_SPLITTERS) this.#splitters.clear()
      this.#splitters.set(key, splitter)
    }
    this.#lastAccount = account
    this.#last = splitter
    return splitter
  }
}
