// Splitters by account version: what ingest/split needs is read from an account once.
import type { BlockRequest, EventOrigins } from '../../../schemas/block/schema.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { EVENT_FORMS } from '../../listener/inputs/event-forms.ts'
import { type AccountSplitter, makeAccountSplitter } from '../../split/account-splitter.ts'
import type { GivenTime } from '../../split/event-form.ts'
import type { EventInput } from '../../split/event-input.ts'
import type { SplitEvent } from '../../split/split-event.ts'
import type { Locate } from '../../split/template/locator.ts'

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
  readonly #locate: Locate | undefined
  readonly #splitters = new Map<string, AccountSplitter>()
  readonly #given: GivenTime = { ms: 0, nanos: 0 }
  /** One for all events: an object for each would be garbage a million times. */
  readonly #input: EventInput = {
    body: Buffer.alloc(0),
    start: 0,
    end: 0,
    isLine: false,
    receivedMs: 0,
    hostName: '',
    peer: '',
    given: undefined,
  }
  #lastAccount: ListenerAccount | undefined
  #lastForm = ''
  #last: AccountSplitter | undefined

  /** `timeZone`: the system's. `locate`: for `{geoip}` of templates. */
  constructor(timeZone: string, locate?: Locate) {
    this.#timeZone = timeZone
    this.#locate = locate
  }

  /** Fills `into` from the bytes `start` to `end` of `body`, the request's; of a line without its
   *  line end. */
  split(
    account: ListenerAccount,
    request: Pick<BlockRequest, 'receivedMs' | 'hostName' | 'peer' | 'form' | 'origins'>,
    event: EventSpan,
    into: SplitEvent,
  ): void {
    const { hostName, origins } = request
    const isPlain = origins === undefined
    const input = this.#input
    input.body = event.body
    input.start = event.start
    input.end = event.end
    input.isLine = event.isLine
    input.receivedMs = request.receivedMs
    input.hostName = isPlain ? hostName : hostOf(origins, event) || hostName
    input.peer = request.peer
    input.given = isPlain ? undefined : this.#timeOf(origins, event)
    this.#of(account, request.form).split(into, input)
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
      splitter = makeAccountSplitter(account, this.#timeZone, EVENT_FORMS.get(form), this.#locate)
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
