// Reads a body of CloudEvents in the JSON format: the scanner of JSON cuts it, then each event's
// attributes are looked at once. An event that is none is rejected by itself, as in an array of
// logger.jsp; the others stay.
import type { EventOrigins, Rejection } from '../../../../schemas/block/schema.ts'
import { byteAt, OPEN_OBJECT } from '../../scan/json-tokens.ts'
import { type ScanLimits, type Scanned, Scanner } from '../../scan/scan.ts'
import type { BodyScanner } from '../../scan/scan-queue.ts'
import type { ReadBody } from '../input.ts'
import { AttributeReader } from './read-attributes.ts'

/** Sources of one request together: with those of more a block could outgrow the event log. */
const MAX_CHARACTERS = 1024 * 1024

type Events = Extract<Scanned, { kind: 'events' }>

export const readCloudEvents: ReadBody = (body, limits) => ({
  body,
  scanner: new CloudEventScanner(body, limits),
})

class CloudEventScanner implements BodyScanner {
  readonly #body: Buffer
  readonly #scanner: Scanner
  readonly #attributes: AttributeReader
  readonly #ranges: number[] = []
  readonly #rejections: Rejection[] = []
  readonly #sources = new Sources()
  #cut: Scanned | undefined
  /** Of the cut events: how many are looked at, and how many of those that the scanner rejected
   *  stand before the next. */
  #looked = 0
  #passed = 0

  constructor(body: Buffer, limits: ScanLimits) {
    this.#body = body
    this.#scanner = new Scanner(body, limits)
    this.#attributes = new AttributeReader(body)
  }

  run(maxBytes: number): boolean {
    if (this.#cut === undefined) {
      if (!this.#scanner.run(maxBytes)) return false
      this.#cut = this.#scanner.result()
      // The other half of the work is the next turn's, where that matters.
      if (maxBytes < this.#body.length) return false
    }
    return this.#cut.kind === 'refused' || this.#look(this.#cut, maxBytes)
  }

  result(): Scanned {
    if (this.#cut?.kind === 'refused') return this.#cut
    const ranges = Uint32Array.from(this.#ranges)
    const rejections = this.#rejections
    return { kind: 'events', ranges, rejections, origins: this.#sources.origins() }
  }

  #look({ ranges, rejections }: Events, maxBytes: number): boolean {
    let bytes = 0
    while (bytes < maxBytes && this.#looked * 2 < ranges.length) {
      const start = ranges[this.#looked * 2] ?? 0
      const end = ranges[this.#looked * 2 + 1] ?? 0
      this.#passRejections(rejections, this.#looked + this.#passed)
      this.#lookAt(start, end, this.#looked + this.#passed)
      this.#looked += 1
      bytes += end - start
    }
    if (this.#looked * 2 < ranges.length) return false
    this.#passRejections(rejections, Number.POSITIVE_INFINITY)
    return true
  }

  /** Takes over those at `index` and directly after it. */
  #passRejections(rejections: readonly Rejection[], index: number): void {
    for (let next = index; ; next += 1) {
      const rejection = rejections[this.#passed]
      if (rejection === undefined || rejection.index > next) return
      this.#rejections.push(rejection)
      this.#passed += 1
    }
  }

  #lookAt(start: number, end: number, index: number): void {
    const isObject = byteAt(this.#body, start) === OPEN_OBJECT
    const code = isObject ? this.#attributes.read(start, end) : 'not_an_object'
    if (code !== undefined) this.#rejections.push({ index, code, start, end })
    else {
      this.#ranges.push(start, end)
      this.#sources.add(this.#attributes.source)
    }
  }
}

/** The distinct sources of a request, and whose each event is. */
class Sources {
  readonly #places: { host: string; source: string }[] = []
  readonly #known = new Map<string, number>()
  readonly #placeOf: number[] = []
  #characters = 0

  add(found: string): void {
    // What is beyond has the account's name; its own stays in its bytes.
    const isNew = !this.#known.has(found)
    const source = isNew && this.#characters + found.length > MAX_CHARACTERS ? '' : found
    let place = this.#known.get(source)
    if (place === undefined) {
      this.#characters += source.length
      place = this.#places.length
      this.#places.push({ host: '', source })
      this.#known.set(source, place)
    }
    this.#placeOf.push(place)
  }

  origins(): EventOrigins {
    const placeOf = Uint32Array.from(this.#placeOf)
    return { places: this.#places, placeOf, times: new Float64Array() }
  }
}
