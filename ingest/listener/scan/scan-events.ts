// The listener's look at a body of lines whose account has patterns for events of several lines
// (docs/decisions/0041): a line that a pattern fits begins an event, a line that none fits belongs
// to the event before it, if its pattern ends in {string}. What is at the end of a body ends its
// event, and the first line of a body begins one.
//
// Only here a pattern costs the listener; accounts without such patterns have scan-lines.ts.
import type { Rejection } from '../../../schemas/block/schema.ts'
import type { TemplateMatcher } from '../../patterns/match/template-matcher.ts'
import { NEWLINE } from './json-tokens.ts'
import type { ScanLimits, Scanned } from './scan.ts'
import { lineBegin } from './scan-lines.ts'

const CARRIAGE_RETURN = 0x0d
/** A line is tried against the patterns with so much work and no more, beyond it begins no event:
 *  tens of milliseconds. Plain lines need a few hundred. */
const MOST_STEPS = 1_000_000
/** Bytes at a time; a matcher costs some times what a look for line ends does. */
const SLICE_BYTES = 32 * 1024

export class EventScanner {
  readonly #body: Buffer
  readonly #limits: Pick<ScanLimits, 'maxEvents' | 'maxEventBytes'>
  readonly #template: TemplateMatcher
  readonly #ranges: number[] = []
  readonly #rejections: Rejection[] = []
  #count = 0
  #at: number
  #isRefused = false
  /** Where the event at hand begins, whose pattern takes more lines; -1: there is none. */
  #begun = -1

  /** `body` as of endLastLine. */
  constructor(
    body: Buffer,
    limits: Pick<ScanLimits, 'maxEvents' | 'maxEventBytes'>,
    template: TemplateMatcher,
  ) {
    this.#body = body
    this.#limits = limits
    this.#template = template
    this.#at = lineBegin(body)
  }

  /** Goes on for about `maxBytes`, or as much as others can wait for. True when the body is
   *  through. */
  run(maxBytes: number): boolean {
    const body = this.#body
    const pauseAt = Math.min(this.#at + Math.min(maxBytes, SLICE_BYTES), body.length)
    while (this.#at < pauseAt && !this.#isRefused) {
      const newline = body.indexOf(NEWLINE, this.#at)
      this.#takeLine(this.#at, newline < 0 ? body.length : newline)
    }
    return this.#isRefused || this.#at >= body.length
  }

  /** As of LineScanner. */
  result(): Scanned {
    if (this.#isRefused) return { kind: 'refused', code: 'too_many_events', index: this.#count }
    const ranges = Uint32Array.from(this.#ranges)
    return { kind: 'events', ranges, rejections: this.#rejections }
  }

  #takeLine(start: number, newline: number): void {
    const body = this.#body
    this.#at = newline + 1
    const end = body[newline - 1] === CARRIAGE_RETURN ? newline - 1 : newline
    if (end <= start) return
    const { maxEvents, maxEventBytes } = this.#limits
    const isTooLarge = end - start > maxEventBytes
    this.#template.stepsLeft = MOST_STEPS
    const matcher = isTooLarge ? undefined : this.#template.match(body, start, end)
    const isMore = matcher === undefined && this.#begun >= 0
    if (isMore && end - this.#begun <= maxEventBytes) {
      this.#ranges[this.#ranges.length - 1] = newline + 1
      return
    }
    if (this.#count >= maxEvents) {
      this.#isRefused = true
      return
    }
    if (isTooLarge) this.#rejections.push({ index: this.#count, code: 'too_large', start, end })
    else this.#ranges.push(start, newline + 1)
    // What goes beyond the size of an event is kept in further ones.
    const takesMore = isMore || matcher?.program.takesLines === true
    this.#begun = takesMore && !isTooLarge ? start : -1
    this.#count += 1
  }
}
