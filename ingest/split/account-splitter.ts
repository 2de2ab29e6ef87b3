// From the bytes of one event to what is stored (decisions 3.1–3.8): the hot path of the writer,
// and what `debug=1` shows. One splitter an account version; it builds no objects for an event
// whose shape was met before.
import {
  FLAT_LAYOUT_START,
  messagePlaceholder,
  RAW_LAYOUT,
  WHOLE_LAYOUT,
} from '../../schemas/event-layout.ts'
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import type { ParsedTime } from '../../schemas/time/time-date.ts'
import { isTimeZone, timeZone } from '../../schemas/time/time-zone.ts'
import { checkUtf8, INVALID } from '../bytes/utf8.ts'
import { type EventForm, type GivenTime, PLAIN_FORM } from './event-form.ts'
import type { EventInput } from './event-input.ts'
import { EventWalk } from './event-walk.ts'
import { BOOL, EMPTY_TEXT, EXACT_NUMBER, NULL, NUMBER, TEXT } from './leaf-kind.ts'
import { LogRouter } from './log-router.ts'
import type { ShapePlan, ValuePlace } from './shapes/shape.ts'
import { makeShapePlan, type RoutingKeys, routingKeys } from './shapes/shape-plan.ts'
import { SlotWriter } from './slot-writer.ts'
import { cleanHost, normalizeAddress } from './source-address.ts'
import type { SplitEvent } from './split-event.ts'
import { AccountTemplates, type AppliedTemplate } from './template/account-templates.ts'
import type { Locate } from './template/locator.ts'
import { textInBlob } from './text-in-blob.ts'
import { TimeReader } from './time-reader.ts'

const DAY_MS = 86_400_000
const LINE_LAYOUT = FLAT_LAYOUT_START + messagePlaceholder('bare')
const STRING_LAYOUT = FLAT_LAYOUT_START + messagePlaceholder('quoted')

/** One request's sender, as the block carries it. */
export interface AccountSplitter {
  /** Fills `out`. Never throws for what the bytes are: what cannot be read is taken whole. */
  split(out: SplitEvent, input: Readonly<EventInput>): void
}

/** `systemTimeZone`: IANA name; a name that this runtime does not know counts as UTC. `locate`: for
 *  `{geoip}` of templates. */
export function makeAccountSplitter(
  account: ListenerAccount,
  systemTimeZone: string,
  form: EventForm = PLAIN_FORM,
  locate?: Locate,
): AccountSplitter {
  return new Splitter(account, systemTimeZone, form, locate)
}

class Splitter implements AccountSplitter {
  readonly #keys: RoutingKeys
  readonly #times: TimeReader
  readonly #walk: EventWalk
  readonly #router: LogRouter
  readonly #writer: SlotWriter
  readonly #templates: AccountTemplates
  /** Index of the split column with `*`, -1 for none. */
  readonly #hostSplit: number
  readonly #splits: string[]
  readonly #time: ParsedTime = { ms: 0, nanos: 0, formatCode: 0 }
  #lastHostName = ''
  #lastPeer = ''
  #requestHost = ''
  #peerHost = ''

  constructor(
    account: ListenerAccount,
    systemTimeZone: string,
    form: EventForm,
    locate: Locate | undefined,
  ) {
    this.#keys = routingKeys(account, form)
    const zone = timeZone([account.timeZone ?? '', systemTimeZone].find(isTimeZone) ?? 'UTC')
    this.#times = new TimeReader(zone, this.#time)
    this.#walk = new EventWalk(account.jsonParsingLevel, form.reservedKeys)
    this.#router = new LogRouter(account)
    this.#writer = new SlotWriter(this.#walk, this.#time)
    this.#templates = new AccountTemplates(account, zone, locate)
    this.#hostSplit = account.splitColumns.findIndex((column) => column.isHost)
    this.#splits = account.splitColumns.map(() => '')
  }

  split(out: SplitEvent, input: Readonly<EventInput>): void {
    const { body, start, end, receivedMs } = input
    this.#takeSender(input.hostName, input.peer)
    this.#begin(out, start, receivedMs, input.given)
    out.size = end - start
    if (input.isLine) this.#splitLine(out, body, start, end, receivedMs)
    else if (this.#walk.readObject(body, start, end)) this.#splitObject(out, receivedMs)
    else this.#splitOther(out, body, start, end)
  }

  /** Text as it is: the line is the message; several are one of several lines. */
  #splitLine(out: SplitEvent, body: Buffer, start: number, end: number, receivedMs: number): void {
    const { scanner } = this.#walk
    scanner.begin(body, start, end)
    out.isStoredRaw = checkUtf8(body, start, end) === INVALID
    if (out.isStoredRaw) scanner.keepText(scanner.decode(start, end))
    out.messageAt = out.isStoredRaw ? scanner.at : start
    out.messageLength = out.isStoredRaw ? scanner.length : end - start
    out.rest.reset()
    out.names = ''
    out.layout = out.isStoredRaw ? RAW_LAYOUT : LINE_LAYOUT
    this.#splits.fill('')
    this.#route(out, '', '')
    const { ofLines } = this.#templates
    if (ofLines === undefined) return
    out.typeWords = ofLines.typeWords
    this.#apply(out, ofLines, receivedMs, 'line')
  }

  /** Decision 3.9. */
  #apply(
    out: SplitEvent,
    { name, columns }: AppliedTemplate,
    receivedMs: number,
    has: 'line' | 'no time' | 'time',
  ): void {
    out.template = name
    out.pattern = columns.add(out, receivedMs, has)
  }

  #begin(out: SplitEvent, start: number, receivedMs: number, given: GivenTime | undefined): void {
    const { scanner } = this.#walk
    out.body = scanner.body
    out.made = scanner.made
    out.startAt = start
    out.columnCount = 0
    out.messageAt = 0
    out.messageLength = 0
    out.typeWords = ''
    out.template = ''
    out.pattern = 0
    const isGiven = given !== undefined && given.ms >= 0 && given.ms <= receivedMs + DAY_MS
    out.timestampMs = isGiven ? given.ms : receivedMs
    out.timestampNanos = isGiven ? given.nanos : 0
    out.host = this.#requestHost || this.#peerHost
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
    if (isText) this.#setMessage(out, 0)
    out.rest.reset()
    out.names = ''
    out.isStoredRaw = !isText || !this.#walk.areExact
    out.layout = isText ? (out.isStoredRaw ? RAW_LAYOUT : STRING_LAYOUT) : WHOLE_LAYOUT
    this.#splits.fill('')
    this.#route(out, '', '')
  }

  #splitObject(out: SplitEvent, receivedMs: number): void {
    const plan = this.#plan()
    const writer = this.#writer
    writer.begin()

    this.#findMessage(plan, out)
    this.#findSplits(plan, out)
    const hasTime = this.#findTime(plan, out, receivedMs)
    if (plan.typeSlot >= 0) out.typeWords = this.#reservedText(plan.typeSlot).trim()
    this.#route(
      out,
      plan.pathSlot < 0 ? '' : this.#reservedText(plan.pathSlot),
      plan.nameSlot < 0 ? '' : this.#reservedText(plan.nameSlot),
    )
    writer.write(out, plan)
    if (out.typeWords === '' || writer.isWhole) return
    const template = this.#templates.ofType(out.typeWords)
    if (template !== undefined) this.#apply(out, template, receivedMs, hasTime ? 'time' : 'no time')
  }

  #plan(): ShapePlan {
    const { end } = this.#walk
    if (end === null) throw new RangeError('the walk has no end')
    if (end.plan !== null) return end.plan
    const { slots, edges } = this.#walk.path()
    end.plan = makeShapePlan(slots, edges, this.#keys)
    this.#walk.chargePlan()
    return end.plan
  }

  /** Decision 3.6: the first key whose value is a string, number or bool; none: taken whole. */
  #findMessage(plan: ShapePlan, out: SplitEvent): void {
    const { messages } = plan
    for (let i = 0; i < messages.length; i++) {
      const place = messages[i]
      if (place === undefined) continue
      if (place.pathInBlob === null) {
        if (!this.#isText(place.slot)) continue
        this.#setMessage(out, place.slot)
        this.#writer.messageSlot = place.slot
      } else {
        const text = this.#textAt(place)
        if (text === null) continue
        const { scanner } = this.#walk
        scanner.keepText(text)
        out.messageAt = scanner.at
        out.messageLength = scanner.length
      }
      this.#writer.isWhole = false
      return
    }
  }

  #setMessage(out: SplitEvent, slot: number): void {
    const { values } = this.#walk
    out.messageAt = values.ats[slot] ?? 0
    out.messageLength = values.lengths[slot] ?? 0
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

  /** Decision 3.7. False: the event says none that can be read. */
  #findTime(plan: ShapePlan, out: SplitEvent, receivedMs: number): boolean {
    const { times } = plan
    const time = this.#time
    const writer = this.#writer
    for (let i = 0; i < times.length; i++) {
      const place = times[i]
      if (place === undefined) continue
      if (!this.#readTime(place)) continue
      const isAhead = time.ms > receivedMs + DAY_MS
      if (isAhead) writer.originalTime = this.#textAt(place)
      else {
        out.timestampMs = time.ms
        out.timestampNanos = time.nanos
      }
      if (place.pathInBlob === null) writer.timeSlot = place.slot
      return true
    }
    return false
  }

  #readTime(place: ValuePlace): boolean {
    const { slot, pathInBlob } = place
    if (pathInBlob !== null) {
      const text = this.#textAt(place)
      return text !== null && this.#times.readText(text)
    }
    const { values, kinds, scanner } = this.#walk
    if (kinds[slot] === BOOL || !this.#isText(slot)) return false
    const at = values.ats[slot] ?? 0
    const length = values.lengths[slot] ?? 0
    return at < 0
      ? this.#times.read(scanner.made, ~at, length)
      : this.#times.read(scanner.body, at, length)
  }

  /** Text of a string, number or bool; null for all else. */
  #textAt({ slot, pathInBlob }: ValuePlace): string | null {
    if (pathInBlob !== null) return textInBlob(this.#walk.text(slot), pathInBlob)
    return this.#isText(slot) ? this.#walk.text(slot) : null
  }

  #isText(slot: number): boolean {
    switch (this.#walk.kinds[slot]) {
      case TEXT:
      case EMPTY_TEXT:
      case NUMBER:
      case EXACT_NUMBER:
      case BOOL:
        return true
      default:
        return false
    }
  }

  /** Decision 3.2: a value that is not text is taken as its JSON text; null and "" are absent. */
  #reservedText(slot: number): string {
    return this.#walk.kinds[slot] === NULL ? '' : this.#walk.text(slot)
  }

  #route(out: SplitEvent, path: string, name: string): void {
    const route = this.#router.route(out.host, path, name, this.#splits)
    out.folder = route.folder
    out.logName = route.logName
  }
}
