// Splitters by account version: what ingest/split needs is read from an account once.
import type { BlockRequest, EventOrigins } from '../../../schemas/block/schema.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { EVENT_FORMS } from '../../listener/inputs/event-forms.ts'
import { type AccountSplitter, makeAccountSplitter } from '../../split/account-splitter.ts'
import type { GivenTime } from '../../split/event-form.ts'
import type { SplitEvent } from '../../split/split-event.ts'

/** Versions kept; more than these at once are many accounts, which are read anew as they come. */
const MAX_SPLITTERS = 1000

/** An event's own bytes; `isLine`: text (split/line-span.ts), not JSON. */
export type EventSpan = {
  readonly body: Buffer
  readonly start: number
  readonly end: number
  readonly isLine: boolean
  /** Among the accepted ones of its request. */
  readonly position: number
}

export class EventSplitter {
  readonly #timeZone: string
  readonly #splitters = new Map<string, AccountSplitter>()
  readonly #given: GivenTime = { ms: 0, nanos: 0 }
  #lastAccount: ListenerAccount | undefined
  #lastForm = ''
  #last: AccountSplitter | undefined

  /** `timeZone`: the system's. */
  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  /** Fills `into` from the bytes `start` to `end` of `body`, the request's; of a line without its
   *  line end. */
  split(
    account: ListenerAccount,
    request: Pick<BlockRequest, 'receivedMs' | 'hostName' | 'peer' | 'form' | 'origins'>,
    event: EventSpan,
    into: SplitEvent,
  ): void {
    const { body, start, end, isLine } = event
    const { receivedMs, peer, origins } = request
    const splitter = this.#of(account, request.form)
    const isPlain = origins === undefined
    const hostName = isPlain ? request.hostName : hostOf(origins, event) || request.hostName
    const given = isPlain ? undefined : this.#timeOf(origins, event)
    if (isLine) splitter.splitLine(into, body, start, end, receivedMs, hostName, peer, given)
    else splitter.split(into, body, start, end, receivedMs, hostName, peer, given)
  }

  #timeOf({ times }: EventOrigins, { position }: EventSpan): GivenTime | undefined {
    const ms = times[2 * position] ?? Number.NaN
    if (Number.isNaN(ms)) return undefined
    this.#given.ms = ms
    this.#given.nanos = times[2 * position + 1] ?? 0
    return this.#given
  }

  #of(account: ListenerAccount, form: string): AccountSplitter {
    const isLast = account === this.#lastAccount && form === this.#lastForm
    if (isLast && this.#last !== undefined) return this.#last
    const key = `${account.id}:${account.version}:${form}`
    let splitter = this.#splitters.get(key)
    if (splitter === undefined) {
      splitter = makeAccountSplitter(account, this.#timeZone, EVENT_FORMS.get(form))
      if (this.#splitters.size >= MAX_SPLITTERS) this.#splitters.clear()
      this.#splitters.set(key, splitter)
    }
    this.#lastAccount = account
    this.#lastForm = form
    this.#last = splitter
    return splitter
  }
}

/** '' where the input says none. */
export function sourceOf({ places, placeOf }: EventOrigins, position: number): string {
  return places[placeOf[position] ?? 0]?.source ?? ''
}

function hostOf({ places, placeOf }: EventOrigins, { position }: EventSpan): string {
  return places[placeOf[position] ?? 0]?.host ?? ''
}
