// What of a request is hidden before it becomes durable (docs/decisions/0088): its events, accepted
// or rejected, where they came from, and its key. So neither the event log nor anything behind it
// has ever seen the values.
import type { EventOrigins, Rejection } from '../../../schemas/block/schema.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { AccountMask } from '../../mask/account-masks.ts'
import { type HashValue, kindOfRange, kindOfRejection } from '../../mask/masker.ts'
import type { Scanned } from '../scan/scan.ts'

type Events = Extract<Scanned, { kind: 'events' }>

export type Sender = {
  readonly hostName: string
  readonly peer: string
  readonly idempotencyKey: string
}

const NEWLINE = Buffer.from('\n')

export class Masks {
  readonly #hash: HashValue
  readonly #ofAccounts = new WeakMap<ListenerAccount, AccountMask>()

  constructor(hash: HashValue) {
    this.#hash = hash
  }

  /** undefined: nothing of its events is ever hidden. */
  of(account: ListenerAccount): AccountMask | undefined {
    let mask = this.#ofAccounts.get(account)
    if (mask === undefined) {
      mask = new AccountMask(account, this.#hash)
      this.#ofAccounts.set(account, mask)
    }
    return mask.isEmpty ? undefined : mask
  }

  /** A key may hold a value itself, and belongs to the body as it was sent. */
  sender(mask: AccountMask, sender: Sender, body: Buffer): Sender {
    const { idempotencyKey: key } = sender
    return {
      hostName: mask.plain.host(sender.hostName),
      peer: mask.plain.host(sender.peer),
      idempotencyKey: key === '' ? '' : this.#hash(`${key}\0${body.toString('latin1')}`),
    }
  }
}

/** Hides in steps: `run` goes on for about `maxBytes` and says whether the request is through. */
export class MaskScanner {
  readonly #mask: AccountMask
  readonly #body: Buffer
  readonly #events: Events
  readonly #keepsHashes: boolean
  /** Of all ranges and rejections, in order of their places: their new bytes, where they have
   *  any. */
  readonly #masked: (Buffer | undefined)[] = []
  #range = 0
  #rejection = 0
  #isChanged = false

  constructor(mask: AccountMask, body: Buffer, events: Events, keepsHashes = false) {
    this.#mask = mask
    this.#body = body
    this.#events = events
    this.#keepsHashes = keepsHashes
  }

  run(maxBytes: number): boolean {
    const { ranges, rejections } = this.#events
    let bytes = 0
    while (bytes < maxBytes) {
      const rejection = rejections[this.#rejection]
      const start = ranges[2 * this.#range]
      if (rejection !== undefined && (start === undefined || rejection.start < start)) {
        this.#rejection += 1
        this.#take(rejection.start, rejection.end, kindOfRejection(rejection))
        bytes += rejection.end - rejection.start
      } else if (start !== undefined) {
        const end = ranges[2 * this.#range + 1] ?? start
        this.#range += 1
        const event = kindOfRange(this.#body, start, end)
        this.#take(start, event.end, event.kind, this.#body.subarray(event.end, end))
        bytes += end - start
      } else return true
    }
    return false
  }

  /** After `run` said true. `body`: what the ranges count in. */
  result(): Events & { readonly body: Buffer } {
    const { ranges, rejections, origins } = this.#events
    const masked = origins === undefined ? {} : { origins: this.#origins(origins) }
    if (!this.#isChanged) return { ...this.#events, ...masked, body: this.#body }
    const pieces: Buffer[] = []
    let length = 0
    const newRanges = new Uint32Array(ranges.length)
    const newRejections: Rejection[] = []
    let range = 0
    for (const given of this.#masked) {
      const rejection = rejections[newRejections.length]
      const start = ranges[range]
      const isRejection =
        rejection !== undefined && (start === undefined || rejection.start < start)
      const from = isRejection ? rejection.start : (start ?? 0)
      const to = isRejection ? rejection.end : (ranges[range + 1] ?? 0)
      const piece = given ?? this.#body.subarray(from, to)
      if (isRejection)
        newRejections.push({ ...rejection, start: length, end: length + piece.length })
      else {
        newRanges[range] = length
        newRanges[range + 1] = length + piece.length
        range += 2
      }
      // What stands between events says nothing.
      pieces.push(piece, NEWLINE)
      length += piece.length + 1
    }
    const body = Buffer.concat(pieces)
    return { kind: 'events', ranges: newRanges, rejections: newRejections, ...masked, body }
  }

  #take(start: number, end: number, kind: 'json' | 'line' | 'broken', tail?: Buffer): void {
    const masker = this.#mask.of(this.#body, start, end, kind)
    const event = { start, end, kind }
    const masked = masker.mask(this.#body, event, { keepsHashes: this.#keepsHashes })
    if (masked !== undefined) this.#isChanged = true
    const hasTail = masked !== undefined && tail !== undefined && tail.length > 0
    this.#masked.push(hasTail ? Buffer.concat([masked, tail]) : masked)
  }

  #origins(origins: EventOrigins): EventOrigins {
    const { plain } = this.#mask
    const places = origins.places.map(({ host, source }) => ({
      host: plain.host(host),
      source: plain.source(source),
    }))
    return { ...origins, places }
  }
}
