// A piece as requests of which each fits into a block: to say where a short event lies takes more
// than the event, and masking makes values longer. The same piece makes the same requests, so that
// the writer knows after a crash which of them it has (pure).
import type { BlockRequest, Rejection } from '../../schemas/block/schema.ts'

/** Of a request of several events: any block takes 3 MiB, and has more to say of it. */
const MOST_BYTES = 3 * 1024 * 1024 - 64 * 1024
const BLOCK_ROOM_BYTES = 64 * 1024
/** Beside the bytes of an event: its range and its place. */
const EVENT_BYTES = 12
const REJECTION_BYTES = 40

/** An event, or what is kept of one that was rejected. */
type Item = { readonly start: number; readonly end: number; readonly rejection?: Rejection }

export function splitRequest(
  request: BlockRequest,
  { maxBlockBytes }: { readonly maxBlockBytes: number },
): readonly BlockRequest[] {
  const { body, ranges, rejections } = request
  if (bytesOf(body.length, ranges.length / 2, rejections.length) <= MOST_BYTES) return [request]
  const groups: Item[][] = []
  let group: Item[] = []
  let rejected = 0
  for (const item of itemsOf(request)) {
    const [first = item] = group
    const isRejected = item.rejection !== undefined
    const count = group.length + 1
    rejected += isRejected ? 1 : 0
    if (group.length === 0 || bytesOf(item.end - first.start, count, rejected) > MOST_BYTES) {
      group = []
      rejected = isRejected ? 1 : 0
      groups.push(group)
    }
    group.push(item)
  }
  const mostBytes = maxBlockBytes - BLOCK_ROOM_BYTES
  return groups.map((items, number) => partOf(request, { items, number, mostBytes }))
}

function bytesOf(length: number, events: number, rejections: number): number {
  return length + events * EVENT_BYTES + rejections * REJECTION_BYTES
}

function itemsOf({ ranges, rejections }: BlockRequest): Item[] {
  const items: Item[] = rejections.map((rejection) => {
    const { start, end } = rejection
    return { start, end, rejection }
  })
  for (let at = 0; at < ranges.length; at += 2)
    items.push({ start: ranges[at] ?? 0, end: ranges[at + 1] ?? 0 })
  return items.sort((one, other) => one.start - other.start)
}

function partOf(
  request: BlockRequest,
  part: { readonly items: readonly Item[]; readonly number: number; readonly mostBytes: number },
): BlockRequest {
  const { items, number, mostBytes } = part
  const from = items[0]?.start ?? 0
  const ranges: number[] = []
  const rejections: Rejection[] = []
  for (const [index, { start, end, rejection }] of items.entries()) {
    // Alone in its part. What masking has made so large is kept as far as there is room.
    const isTooLarge = end - start > mostBytes
    const range = { start: start - from, end: isTooLarge ? mostBytes : end - from }
    if (rejection === undefined && !isTooLarge) ranges.push(range.start, range.end)
    else rejections.push({ index, code: rejection?.code ?? 'too_large', ...range })
  }
  const to = Math.max(ranges.at(-1) ?? 0, rejections.at(-1)?.end ?? 0)
  return {
    ...request,
    ...{ body: request.body.subarray(from, from + to), rejections },
    ranges: Uint32Array.from(ranges),
    idempotencyKey: `${request.idempotencyKey}-${number}`,
    // All are of one file.
    origins: request.origins && {
      ...request.origins,
      placeOf: new Uint32Array(ranges.length / 2),
    },
  }
}
