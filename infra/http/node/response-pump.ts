// Sends a body with back-pressure: one piece at a time, the next one when the socket has room.
// A body that fails cuts the connection, so that nobody takes half an answer for a whole one.
import type { BridgeExchange } from './bridge-exchange.ts'

/** Bounds the memory that a slow reader costs. */
const PIECE_BYTES = 64 * 1024

/** `length`: the answer's declared Content-Length; a body that gives another number of bytes is
 *  cut. */
type Plan = {
  readonly writeHead: (length: number | undefined) => void
  readonly length: number | undefined
}

/** Rejects only when nothing was sent yet. */
export async function pumpBody(
  exchange: BridgeExchange,
  body: ReadableStream<Uint8Array>,
  { writeHead, length }: Plan,
): Promise<void> {
  const reader = body.getReader()
  // Also ends a read that waits for its source.
  const cancel = () => void reader.cancel().catch(() => undefined)
  exchange.signal.addEventListener('abort', cancel, { once: true })
  let hasBegun = false
  let sent = 0
  const send = async (chunk: Uint8Array): Promise<void> => {
    sent += chunk.length
    if (length !== undefined && sent > length)
      throw new RangeError('the body is longer than declared')
    for (let at = 0; at < chunk.length && !exchange.isGone; at += PIECE_BYTES)
      await exchange.write(chunk.subarray(at, at + PIECE_BYTES))
  }
  const endWhole = (bytes: Uint8Array): void => {
    if (length !== undefined && length !== bytes.length) {
      exchange.cut()
      return
    }
    writeHead(bytes.length)
    exchange.end(bytes)
  }
  try {
    const first = await reader.read()
    if (first.done) return endWhole(new Uint8Array(0))
    const pending = reader.read()
    // Most bodies are one chunk: such a one goes out whole, with its length.
    const second = await Promise.race([pending, nextTurn()])
    if (second?.done) return endWhole(first.value)
    hasBegun = true
    writeHead(length)
    await send(first.value)
    for (let next = await pending; !next.done; next = await reader.read()) {
      if (exchange.isGone) return
      await send(next.value)
    }
    if (length !== undefined && sent < length) exchange.cut()
    else exchange.end()
  } catch (error) {
    if (!hasBegun) throw error
    exchange.cut()
  } finally {
    exchange.signal.removeEventListener('abort', cancel)
    // Ends a source whose bytes nobody takes any more; nothing to do on one that has ended.
    cancel()
  }
}

function nextTurn(): Promise<undefined> {
  return new Promise((resolve) => setImmediate(() => resolve(undefined)))
}
