// The listener's look at a body of lines (`Content-Type: text/plain`, decision 2.10): where does
// each line begin and end? A line ends with LF; a CR before it belongs to the end. A line without a
// byte is no event. Nothing else is judged: what the bytes mean is the business of whoever reads
// them.
//
// The range of a line holds its LF, that of a value of JSON never does: by this the writer knows a
// line (split/line-span.ts).
import type { Rejection } from '../../../schemas/block/schema.ts'
import { NEWLINE } from './json-tokens.ts'
import type { ScanLimits, Scanned } from './scan.ts'

const CARRIAGE_RETURN = 0x0d
const LINE_END = Buffer.from([NEWLINE])
const BOM = [0xef, 0xbb, 0xbf]

/** The body of a request of lines: its last line is ended, too. */
export function endLastLine(body: Buffer): Buffer {
  return body.length === 0 || body.at(-1) === NEWLINE ? body : Buffer.concat([body, LINE_END])
}

/** After the byte order mark. */
export function lineBegin(body: Buffer): number {
  return BOM.every((byte, at) => body[at] === byte) ? BOM.length : 0
}

/** All of it is one event. */
export function scanWhole(
  body: Buffer,
  { maxEventBytes }: Pick<ScanLimits, 'maxEventBytes'>,
): Scanned {
  const { length } = body
  const isTooLarge = length - 1 > maxEventBytes
  const code = 'too_large' as const
  return {
    kind: 'events',
    ranges: Uint32Array.from(isTooLarge ? [] : [0, length]),
    rejections: isTooLarge ? [{ index: 0, code, start: 0, end: length - 1 }] : [],
  }
}

export class LineScanner {
  readonly #body: Buffer
  readonly #limits: Pick<ScanLimits, 'maxEvents' | 'maxEventBytes'>
  readonly #ranges: number[] = []
  readonly #rejections: Rejection[] = []
  #count = 0
  #at: number
  #isRefused = false

  /** `body` as of endLastLine. */
  constructor(body: Buffer, limits: Pick<ScanLimits, 'maxEvents' | 'maxEventBytes'>) {
    this.#body = body
    this.#limits = limits
    this.#at = lineBegin(body)
  }

  /** Goes on for about `maxBytes` (a line is never cut). True when the body is through. */
  run(maxBytes: number): boolean {
    const body = this.#body
    const pauseAt = Math.min(this.#at + maxBytes, body.length)
    while (this.#at < pauseAt && !this.#isRefused) {
      const lineEnd = body.indexOf(NEWLINE, this.#at)
      this.#endLine(this.#at, lineEnd < 0 ? body.length : lineEnd)
    }
    return this.#isRefused || this.#at >= body.length
  }

  /** After `run` said true. No line at all: no ranges and no rejections. */
  result(): Scanned {
    if (this.#isRefused) return { kind: 'refused', code: 'too_many_events', index: this.#count }
    const ranges = Uint32Array.from(this.#ranges)
    return { kind: 'events', ranges, rejections: this.#rejections }
  }

  #endLine(start: number, lineEnd: number): void {
    this.#at = lineEnd + 1
    const end = this.#body[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd
    if (end <= start) return
    if (this.#count >= this.#limits.maxEvents) {
      this.#isRefused = true
      return
    }
    if (end - start <= this.#limits.maxEventBytes) this.#ranges.push(start, lineEnd + 1)
    else this.#rejections.push({ index: this.#count, code: 'too_large', start, end })
    this.#count += 1
  }
}
