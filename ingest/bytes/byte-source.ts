// Bytes to be read and copied four at a time: a loop over single bytes takes four times as long,
// and a call into the engine costs more than most values are long.

/** `view` shows the same bytes. */
export type ByteSource = { readonly bytes: Buffer; readonly view: DataView }

/** From this many bytes on the engine's own copy is quicker. */
const ENGINE_BYTES = 256

/** `body` as it comes, without a copy; one view for all events of a request. */
export class BodySource implements ByteSource {
  bytes: Buffer = Buffer.alloc(0)
  view = viewOf(this.bytes)

  take(body: Buffer): void {
    if (body === this.bytes) return
    this.bytes = body
    this.view = viewOf(body)
  }
}

export function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length)
}

/** Both ranges must lie within their bytes. */
export function copyBytes(
  source: ByteSource,
  start: number,
  target: ByteSource,
  at: number,
  length: number,
): void {
  if (length >= ENGINE_BYTES) {
    target.bytes.set(source.bytes.subarray(start, start + length), at)
  } else if (length >= 4) {
    const from = source.view
    const to = target.view
    // The last four bytes overlap the four before them.
    const last = length - 4
    for (let i = 0; i < last; i += 4) to.setInt32(at + i, from.getInt32(start + i, true), true)
    to.setInt32(at + last, from.getInt32(start + last, true), true)
  } else {
    for (let i = 0; i < length; i += 1) target.bytes[at + i] = source.bytes[start + i] ?? 0
  }
}

export function areEqual(
  a: ByteSource,
  startA: number,
  b: ByteSource,
  startB: number,
  length: number,
): boolean {
  if (length >= 4) {
    const last = length - 4
    for (let i = 0; i < last; i += 4) {
      if (a.view.getInt32(startA + i, true) !== b.view.getInt32(startB + i, true)) return false
    }
    return a.view.getInt32(startA + last, true) === b.view.getInt32(startB + last, true)
  }
  for (let i = 0; i < length; i += 1) {
    if (a.bytes[startA + i] !== b.bytes[startB + i]) return false
  }
  return true
}

/** Hash of all bytes. It is not secret: callers bound what equal hashes can cost. */
export function hashOf(source: ByteSource, start: number, length: number): number {
  const { bytes, view } = source
  let hash = length
  if (length >= 4) {
    const last = length - 4
    for (let i = 0; i < last; i += 4) hash = mix(hash, view.getInt32(start + i, true))
    hash = mix(hash, view.getInt32(start + last, true))
  } else {
    for (let i = 0; i < length; i += 1) hash = mix(hash, bytes[start + i] ?? 0)
  }
  return hash ^ (hash >>> 16)
}

function mix(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}
