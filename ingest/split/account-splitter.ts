// From the bytes of one event to what is stored (decisions 3.1–3.8): the hot path of the writer, and what `debug=1` shows.
// One splitter an account version; it builds no objects for an event whose shape was met before.
import {
  FLAT_LAYOUT_START,
  messagePlaceholder,
  RAW_LAYOUT,
  WHOLE_LAYOUT,
} from '../../schemas/event-layout.ts'
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import type { ParsedTime } from '../../schemas/time-date.ts'
import { parseTime } from '../../schemas/time-text.ts'
import { isTimeZone, type TimeZone, timeZone } from '../../schemas/time-zone.ts'
import { EventWalk } from './event-walk.ts'
import { BOOL, EMPTY_TEXT, EXACT_NUMBER, NULL, NUMBER, TEXT } from './leaf-scanner.ts'
import { LogRouter } from './log-router.ts'
import type { ShapePlan, ValuePlace } from './shape.ts'
import { makeShapePlan, type RoutingKeys, routingKeys } from './shape-plan.ts'
import { SlotWriter } from './slot-writer.ts'
import { cleanHost, normalizeAddress } from './source-address.ts'
import type { SplitEvent } from './split-event.ts'
import { textInBlob } from './text-in-blob.ts'

const DAY_MS = 86_400_000
const STRING_LAYOUT = FLAT_LAYOUT_START + messagePlaceholder('quoted')

/** One request's sender, as the block carries it. */
export interface AccountSplitter {
  /**
   * Fills `out` from the event at body[start, end), checked by the listener. Never throws for what the bytes are: an event that
   * cannot be read is taken whole. `hostName` '' when absent; `peer` any spelling of the address.
   */
  split(
    out: SplitEvent,
    body: Buffer,
    start: number,
    end: number,
    receivedMs: number,
    hostName: string,
    peer: string,
  ): void
}

/** `systemTimeZone`: IANA name; a name that this runtime does not know counts as UTC. */
export function makeAccountSplitter(
  account: ListenerAccount,
  systemTimeZone: string,
): AccountSplitter {
  return new Splitter(account, systemTimeZone)
}

class Splitter implements AccountSplitter {
  readonly #keys: RoutingKeys
  readonly #zone: TimeZone
  readonly #walk: EventWalk
  readonly #router: LogRouter
  readonly #writer: SlotWriter
  /** Index of the split column with `*`, -1 for none. */
  readonly #hostSplit: number
  readonly #splits: string[]
  readonly #time: ParsedTime = { ms: 0, nanos: 0, formatCode: 0 }
  #lastHostName = ''
  #lastPeer = ''
  #requestHost = ''
  #peerHost = ''

  constructor(account: ListenerAccount, systemTimeZone: string) {
    this.#keys = routingKeys(account)
    this.#zone = timeZone([account.timeZone ?? '', systemTimeZone].find(isTimeZone) ?? 'UTC')
    this.#walk = new EventWalk(account.jsonParsingLevel)
    this.#router = new LogRouter(account)
    this.#writer = new SlotWriter(this.#walk, this.#time)
    this.#hostSplit = account.splitColumns.findIndex((column) => column.isHost)
    this.#splits = account.splitColumns.map(() => '')
  }

  split(
    out: SplitEvent,
    body: Buffer,
    start: number,
    end: number,
    receivedMs: number,
    hostName: string,
    peer: string,
  ): void {
    this.#takeSender(hostName, peer)
    out.size = end - start
    out.columnCount = 0
    out.typeWords = ''
    out.timestampMs = receivedMs
    out.timestampNanos = 0
    out.host = this.#requestHost || this.#peerHost
    if (this.#walk.readObject(body, start, end)) this.#splitObject(out, receivedMs)
    else this.#splitOther(out, body, start, end)
  }

  /** Requests carry many events: their host is cleaned once. */
  #takeSender(hostName: string, peer: string): void {
    if (hostName !== this.#lastHostName) {
      this.#lastHostName = hostName
      this.#requestHost = cleanHost(hostName)
    }
    if (peer !== this.#lastPeer) {
      this.#lastPeer = peer
      this.#peerHost = normalizeAddress(peer)
    }
  }

  /** A string is its own message; what cannot be read is kept as its bytes. */
  #splitOther(out: SplitEvent, body: Buffer, start: number, end: number): void {
    const isText = this.#walk.readText(body, start, end)
    out.message = isText ? (this.#walk.values[0] ?? '') : ''
    out.rest = ''
    out.isStoredRaw = !isText || !this.#walk.isExact[0]
    out.layout = isText ? (out.isStoredRaw ? RAW_LAYOUT : STRING_LAYOUT) : WHOLE_LAYOUT
    this.#splits.fill('')
    this.#route(out, '', '')
  }

  #splitObject(out: SplitEvent, receivedMs: number): void {
    const plan = this.#plan()
    const writer = this.#writer
    writer.begin()

    out.message = this.#findMessage(plan)
    this.#findSplits(plan, out)
    this.#findTime(plan, out, receivedMs)
    if (plan.typeSlot >= 0) out.typeWords = this.#reservedText(plan.typeSlot).trim()
    this.#route(
      out,
      plan.pathSlot < 0 ? '' : this.#reservedText(plan.pathSlot),
      plan.nameSlot < 0 ? '' : this.#reservedText(plan.nameSlot),
    )
    writer.write(out, plan)
  }

  #plan(): ShapePlan {
    const { edges, slots, slotCount } = this.#walk
    const end = edges[slotCount]
    if (end === undefined) throw new RangeError('the walk has no end')
    if (end.plan !== null) return end.plan
    end.plan = makeShapePlan(slots.slice(0, slotCount), edges.slice(0, slotCount + 1), this.#keys)
    this.#walk.chargePlan()
    return end.plan
  }

  /** Decision 3.6: the first key whose value is a string, number or bool; none: taken whole. */
  #findMessage(plan: ShapePlan): string {
    const { messages } = plan
    for (let i = 0; i < messages.length; i++) {
      const place = messages[i]
      const text = place === undefined ? null : this.#textAt(place)
      if (place === undefined || text === null) continue
      this.#writer.isWhole = false
      if (place.pathInBlob === null) this.#writer.messageSlot = place.slot
      return text
    }
    return ''
  }

  /** Decision 3.1: the host key of the split columns counts when the request names no host. */
  #findSplits(plan: ShapePlan, out: SplitEvent): void {
    const { splits } = plan
    for (let i = 0; i < splits.length; i++) {
      const place = splits[i] ?? null
      const text = place === null ? '' : (this.#textAt(place) ?? '')
      this.#splits[i] = text
      if (i !== this.#hostSplit || place === null || this.#requestHost !== '') continue
      const host = cleanHost(text)
      if (host === '') continue
      out.host = host
      if (place.pathInBlob === null) this.#writer.hostSlot = place.slot
    }
  }

  /** Decision 3.7. */
  #findTime(plan: ShapePlan, out: SplitEvent, receivedMs: number): void {
    const { times } = plan
    const time = this.#time
    const writer = this.#writer
    for (let i = 0; i < times.length; i++) {
      const place = times[i]
      if (place === undefined) continue
      const text = this.#timeTextAt(place)
      if (text === null || !parseTime(text, this.#zone, time)) continue
      const isAhead = time.ms > receivedMs + DAY_MS
      if (isAhead) writer.originalTime = text
      else {
        out.timestampMs = time.ms
        out.timestampNanos = time.nanos
      }
      if (place.pathInBlob === null) writer.timeSlot = place.slot
      return
    }
  }

  #timeTextAt(place: ValuePlace): string | null {
    if (place.pathInBlob === null && this.#walk.kinds[place.slot] === BOOL) return null
    return this.#textAt(place)
  }

  /** Text of a string, number or bool; null for all else. */
  #textAt({ slot, pathInBlob }: ValuePlace): string | null {
    const value = this.#walk.values[slot] ?? ''
    if (pathInBlob !== null) return textInBlob(value, pathInBlob)
    switch (this.#walk.kinds[slot]) {
      case TEXT:
      case EMPTY_TEXT:
      case NUMBER:
      case EXACT_NUMBER:
      case BOOL:
        return value
      default:
        return null
    }
  }

  /** Decision 3.2: a value that is not text is taken as its JSON text; null and "" are absent. */
  #reservedText(slot: number): string {
    return this.#walk.kinds[slot] === NULL ? '' : (this.#walk.values[slot] ?? '')
  }

  #route(out: SplitEvent, path: string, name: string): void {
    const route = this.#router.route(out.host, path, name, this.#splits)
    out.folder = route.folder
    out.logName = route.logName
  }
}
