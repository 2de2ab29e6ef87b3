// From bytes of a file to a piece: whole events, where they lie, and how far the file is read then.
// The same bytes, form, account and filter make the same piece: it is made again after a crash.
import type { Rejection } from '../../schemas/block/schema.ts'
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import { eventCutter } from '../listener/scan/event-cutters.ts'
import { CLOSE_OBJECT, OPEN_OBJECT } from '../listener/scan/json-tokens.ts'
import { type Scanned, scanBody } from '../listener/scan/scan.ts'
import { EventScanner } from '../listener/scan/scan-events.ts'
import { endLastLine, LineScanner } from '../listener/scan/scan-lines.ts'
import { lineEnd } from '../split/line-span.ts'
import { lineTemplate } from '../split/template/account-templates.ts'
import type { TextForm } from './text-form.ts'

/** Of one event; larger ones are kept in System->rejected. */
const MAX_EVENT_BYTES = 1024 * 1024
/** More than the lines of any piece. */
const MAX_EVENTS = 20_000_000
const NO_LIMIT = Number.MAX_SAFE_INTEGER
/** Of one line that is to be an object; others stay text. As of decision 2.2. */
const OBJECT_LIMITS = {
  ...{ maxEvents: 2, maxEventBytes: MAX_EVENT_BYTES, maxDepth: 32, maxColumns: 1024 },
}
const LF = 0x0a

export type CutPiece = {
  /** Bytes of the file that it takes; 0: no event is whole yet. */
  readonly taken: number
  readonly body: Buffer
  readonly ranges: Uint32Array
  readonly rejections: readonly Rejection[]
}

/** Whether the event in body[start, end) is collected. */
export type KeepsEvent = (body: Buffer, start: number, end: number) => boolean

const NOTHING: CutPiece = {
  ...{ taken: 0, body: Buffer.alloc(0), ranges: new Uint32Array(), rejections: [] },
}

/** `isFinal`: what ends in the bytes ends there, though no line end says so. */
export function cutPiece(
  bytes: Buffer,
  options: {
    readonly form: TextForm
    readonly account: ListenerAccount
    readonly isFinal: boolean
    readonly keeps: KeepsEvent | undefined
  },
): CutPiece {
  const { form, account, isFinal, keeps } = options
  let taken = isFinal ? bytes.length : form.endOfLines(bytes)
  if (taken === 0) return NOTHING
  let body = endLastLine(form.toUtf8(bytes.subarray(0, taken)))
  let { ranges, rejections } = scan(body, account)
  const lastStart = ranges.at(-2)
  if (!isFinal && eventCutter(account) !== undefined && lastStart !== undefined) {
    // Its next lines may still come. What is rejected was one line.
    const isLastEvent = rejections.every(({ start }) => start < lastStart)
    if (isLastEvent) {
      taken = form.endOfLine(bytes, countLines(body, lastStart))
      if (taken === 0) return NOTHING
      // What stands before a line makes the same events without it.
      body = body.subarray(0, lastStart)
      ranges = ranges.subarray(0, -2)
    }
  }
  if (lineTemplate(account) === undefined) markObjects(body, ranges)
  return { taken, body, ranges: filter(body, ranges, keeps), rejections }
}

/** A line that is one object of JSON ends with it: so the writer knows it (split/line-span.ts). */
function markObjects(body: Buffer, ranges: Uint32Array): void {
  for (let at = 0; at < ranges.length; at += 2) {
    const start = ranges[at] ?? 0
    const end = lineEnd(body, start, ranges[at + 1] ?? 0) ?? start
    if (body[start] !== OPEN_OBJECT || body[end - 1] !== CLOSE_OBJECT) continue
    const scanned = scanBody(body.subarray(start, end), OBJECT_LIMITS)
    if (scanned.kind !== 'events' || scanned.rejections.length > 0) continue
    const [from, to] = scanned.ranges
    if (scanned.ranges.length === 2 && from === 0 && to === end - start) ranges[at + 1] = end
  }
}

function scan(body: Buffer, account: ListenerAccount): Scanned & { kind: 'events' } {
  const cutter = eventCutter(account)
  const limits = { maxEvents: MAX_EVENTS, maxEventBytes: MAX_EVENT_BYTES }
  const scanner =
    cutter === undefined ? new LineScanner(body, limits) : new EventScanner(body, limits, cutter)
  while (!scanner.run(NO_LIMIT));
  const scanned = scanner.result()
  if (scanned.kind !== 'events') throw new Error('a piece has too many events')
  return scanned
}

function countLines(body: Buffer, end: number): number {
  let count = 0
  for (let at = body.indexOf(LF); at >= 0 && at < end; at = body.indexOf(LF, at + 1)) count += 1
  return count
}

function filter(body: Buffer, ranges: Uint32Array, keeps: KeepsEvent | undefined): Uint32Array {
  if (keeps === undefined) return ranges
  const kept: number[] = []
  for (let at = 0; at < ranges.length; at += 2) {
    const [start = 0, end = 0] = [ranges[at], ranges[at + 1]]
    if (keeps(body, start, end)) kept.push(start, end)
  }
  return Uint32Array.from(kept)
}
