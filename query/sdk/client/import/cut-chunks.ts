// Cuts a stream of bytes into chunks of whole lines. The same stream from the same place gives the
// same chunks, so that a chunk that is sent again is the same.
import type { Readable } from 'node:stream'

export const CHUNK_BYTES = 1024 * 1024
/** Larger than the largest event that is taken. */
const MAX_LINE_BYTES = 8 * 1024 * 1024
/** Of lines that go on with the event before them: those that begin with a space or a tab. */
const MAX_LOOK_BACK_BYTES = 256 * 1024
/** Fewer than a request may have. */
const CHUNK_LINES = 50_000
const NEWLINE = 10
const SPACE = 32
const TAB = 9

export type Chunk = {
  /** In the bytes after decompression. */
  readonly offset: number
  readonly bytes: Buffer
}

export class LineTooLong extends Error {}

/**
 * From `from` on. The first chunk has `firstBytes` where that is given: it was cut before. A chunk
 * does not end before a line that begins with a space or a tab, which mostly belongs to the event
 * before it.
 */
export async function* cutChunks(
  stream: Readable,
  { from, firstBytes }: { from: number; firstBytes?: number | undefined },
): AsyncGenerator<Chunk> {
  let skip = from
  let offset = from
  let wanted = firstBytes
  let kept = Buffer.alloc(0)
  /** After `kept`, and not looked at: what is looked at anew with each piece costs too much. */
  let pending: Buffer[] = []
  let pendingBytes = 0

  function* cut(): Generator<Chunk> {
    kept = Buffer.concat([kept, ...pending])
    pending = []
    pendingBytes = 0
    for (;;) {
      const length = wanted ?? findEnd(kept)
      if (length === undefined || length > kept.length) return
      yield { offset, bytes: kept.subarray(0, length) }
      kept = kept.subarray(length)
      offset += length
      wanted = undefined
    }
  }

  for await (const piece of stream) {
    const bytes: Buffer = piece
    const skipped = Math.min(skip, bytes.length)
    skip -= skipped
    pending.push(bytes.subarray(skipped))
    pendingBytes += bytes.length - skipped
    if (pendingBytes <= CHUNK_BYTES) continue
    yield* cut()
    if (kept.length > MAX_LINE_BYTES) throw new LineTooLong()
  }
  yield* cut()
  if (kept.length > MAX_LINE_BYTES) throw new LineTooLong()
  if (kept.length > 0) yield { offset, bytes: kept }
}

/** Undefined: more is needed to know. */
function findEnd(bytes: Buffer): number | undefined {
  // What the next line begins with must be known.
  const most = endOfLines(bytes.subarray(0, Math.min(CHUNK_BYTES, bytes.length - 1)))
  if (most === undefined && bytes.length <= CHUNK_BYTES) return undefined
  const last = most ?? bytes.lastIndexOf(NEWLINE, CHUNK_BYTES - 1)
  // One long line: up to its end.
  if (last < 0) return afterNext(bytes, CHUNK_BYTES)
  for (let end = last; end > last - MAX_LOOK_BACK_BYTES && end >= 0; ) {
    const next = bytes[end + 1]
    if (next !== SPACE && next !== TAB) return end + 1
    end = end === 0 ? -1 : bytes.lastIndexOf(NEWLINE, end - 1)
  }
  return last + 1
}

function afterNext(bytes: Buffer, from: number): number | undefined {
  const next = bytes.indexOf(NEWLINE, from)
  return next < 0 ? undefined : next + 1
}

/** Place of the newline after as many lines as a chunk may have; undefined: there are fewer. */
function endOfLines(bytes: Buffer): number | undefined {
  let at = -1
  for (let lines = 0; lines < CHUNK_LINES; lines += 1) {
    at = bytes.indexOf(NEWLINE, at + 1)
    if (at < 0) return undefined
  }
  return at
}
