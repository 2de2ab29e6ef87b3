// Undoes the content encoding of a body (decision 2.1). The size is bounded while decompressing: a
// bomb stops at the limit (decision 2.2). What follows the compressed data: more gzip members and
// zstd frames are joined, zero padding after gzip is dropped, anything else is
// listener.bad_encoding, since dropping it could drop events.
import * as zlib from 'node:zlib'
import { Failure } from '../../../schemas/failures.ts'
import { findZstdFrames } from './zstd-frames.ts'

export type ContentEncoding = 'gzip' | 'deflate' | 'zstd'

/** Bodies up to this are decompressed on the event loop: 0.1 ms there against 0.3 ms through a
 *  thread. */
const MAX_COMPRESSED_BYTES_AT_ONCE = 16 * 1024
const MAX_BYTES_AT_ONCE = 256 * 1024
/** Each may hold a whole body more than what is counted as in flight. */
const MAX_RUNNING = 2
const MIN_CHUNK_BYTES = 4 * 1024
const MAX_CHUNK_BYTES = 1024 * 1024
const DEFAULT_CHUNK_BYTES = 64 * 1024
const MAX_ZSTD_FRAMES = 100
/** ZSTD_d_windowLogMax: 16 MiB, above what a body within its limit can use; a frame that claims
 *  more is refused. */
const ZSTD_LIMITS = { 100: 24 }

// Node has it from 22.15 on; the types are those of Node 20.
const zstdDecompress: unknown = Reflect.get(zlib, 'zstdDecompress')

type Options = { readonly maxOutputLength: number; readonly chunkSize: number; readonly info: true }
type Done = (error: unknown, result: unknown) => void

/** undefined: the body is as it is. Fails with listener.unsupported_encoding, also for several
 *  encodings at once. */
export function parseContentEncoding(header: string): ContentEncoding | undefined {
  if (header === '') return undefined
  const names = header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  const [name, ...more] = names
  if (name === undefined) return undefined
  if (more.length > 0) throw new Failure('listener.unsupported_encoding')
  if (name === 'gzip' || name === 'x-gzip') return 'gzip'
  if (name === 'deflate') return 'deflate'
  if (name === 'zstd' && typeof zstdDecompress === 'function') return 'zstd'
  throw new Failure('listener.unsupported_encoding')
}

export class Decompressor {
  readonly #maxBytes: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The body when it is small; undefined: call `decompress`. Fails with listener.bad_encoding. */
  decompressSmall(encoding: ContentEncoding, bytes: Buffer): Buffer | undefined {
    if (encoding === 'zstd' || bytes.length > MAX_COMPRESSED_BYTES_AT_ONCE) return undefined
    const options = optionsFor(encoding, bytes, Math.min(this.#maxBytes, MAX_BYTES_AT_ONCE))
    try {
      return readResult(bytes, runAtOnce(encoding, bytes, options))
    } catch (error) {
      if (isTooLarge(error)) return undefined
      throw new Failure('listener.bad_encoding', {}, error)
    }
  }

  /** On a thread. Fails with listener.bad_encoding and listener.body_too_large. */
  async decompress(encoding: ContentEncoding, bytes: Buffer): Promise<Buffer> {
    if (this.#running >= MAX_RUNNING) await new Promise<void>((go) => this.#waiting.push(go))
    else this.#running += 1
    try {
      if (encoding === 'zstd') return await this.#decompressFrames(bytes)
      const options = optionsFor(encoding, bytes, this.#maxBytes)
      return readResult(bytes, await callback((done) => runLater(encoding, bytes, options, done)))
    } catch (error) {
      if (isTooLarge(error)) throw tooLarge(this.#maxBytes)
      throw new Failure('listener.bad_encoding', {}, error)
    } finally {
      // The place goes to the next one without being free in between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }

  async #decompressFrames(bytes: Buffer): Promise<Buffer> {
    const frames = findZstdFrames(bytes, MAX_ZSTD_FRAMES)
    if (!frames) throw new Error('not whole zstd frames')
    if (typeof zstdDecompress !== 'function') throw new Error('this Node has no zstd')
    const parts: Buffer[] = []
    let left = this.#maxBytes
    for (const [start, end] of frames) {
      const frame = bytes.subarray(start, end)
      // One byte more than is left: with none left an empty frame must still pass.
      const options = { ...optionsFor('zstd', frame, left + 1), params: ZSTD_LIMITS }
      const result = await callback((done) => zstdDecompress(frame, options, done))
      const part = readResult(frame, result)
      left -= part.length
      if (left < 0) throw tooLarge(this.#maxBytes)
      parts.push(part)
    }
    return Buffer.concat(parts)
  }
}

function runAtOnce(encoding: ContentEncoding, bytes: Buffer, options: Options): unknown {
  if (encoding === 'gzip') return zlib.gunzipSync(bytes, options)
  return isZlib(bytes) ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options)
}

function runLater(encoding: ContentEncoding, bytes: Buffer, options: Options, done: Done): void {
  if (encoding === 'gzip') zlib.gunzip(bytes, options, done)
  else if (isZlib(bytes)) zlib.inflate(bytes, options, done)
  else zlib.inflateRaw(bytes, options, done)
}

/** "deflate" is the zlib form (RFC 9110, 8.4.1.2), but many clients send the bare one. */
function isZlib(bytes: Buffer): boolean {
  const first = bytes[0] ?? 0
  return (first & 0x0f) === 8 && ((first << 8) | (bytes[1] ?? 0)) % 31 === 0
}

function optionsFor(encoding: ContentEncoding, bytes: Buffer, maxOutputLength: number): Options {
  return { maxOutputLength, chunkSize: chunkBytes(encoding, bytes), info: true }
}

/** The last four bytes of gzip say the size: output that fits one piece needs one turn of a thread.
 *  A wrong size costs turns only. */
function chunkBytes(encoding: ContentEncoding, bytes: Buffer): number {
  if (encoding !== 'gzip' || bytes.length < 18) return DEFAULT_CHUNK_BYTES
  const said = bytes.readUInt32LE(bytes.length - 4) + 64
  return Math.max(MIN_CHUNK_BYTES, Math.min(said, MAX_CHUNK_BYTES))
}

/** `info: true` gives the output together with the engine, which knows how far it read. */
function readResult(input: Buffer, result: unknown): Buffer {
  if (typeof result !== 'object' || result === null) throw new Error('no result')
  if (!('buffer' in result && Buffer.isBuffer(result.buffer) && 'engine' in result)) {
    throw new Error('a result of another form')
  }
  const { buffer, engine } = result
  const isObject = typeof engine === 'object' && engine !== null && 'bytesWritten' in engine
  const read = isObject ? Number(engine.bytesWritten) : 0
  for (let at = read; at < input.length; at += 1) {
    if (input[at] !== 0) throw new Error('bytes after the compressed data')
  }
  return buffer
}

function callback(start: (done: Done) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    start((error, result) => (error ? reject(error) : resolve(result)))
  })
}

function isTooLarge(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  return error.code === 'ERR_BUFFER_TOO_LARGE' || error.code === 'listener.body_too_large'
}

function tooLarge(maxBodyBytes: number): Failure {
  return new Failure('listener.body_too_large', { maxBodyBytes })
}
