// Sends a Response's body over uWS with back-pressure: one chunk at a time, the next one when the
// socket has taken it. A body that fails cuts the connection, so that nobody takes half an answer
// for a whole one.
import type { HttpResponse } from 'uWebSockets.js'
import type { BridgeExchange } from './bridge-exchange.ts'

/** Pieces given to uWS; it buffers what the socket does not take, so this bounds the memory that a
 *  slow reader costs. */
const PIECE_BYTES = 64 * 1024

/** `length`: the answer's declared Content-Length; a body that gives another number of bytes is
 *  cut. */
type Plan = { writeHead: (res: HttpResponse) => void; length: number | undefined }

/** Rejects only when nothing was sent yet. */
export async function pumpBody(
  exchange: BridgeExchange,
  body: ReadableStream<Uint8Array>,
  plan: Plan,
): Promise<void> {
  const reader = body.getReader()
  // Also ends a read that waits for its source.
  const cancel = () => void reader.cancel().catch(() => undefined)
  exchange.signal.addEventListener('abort', cancel, { once: true })
  let hasBegun = false
  try {
    const first = await reader.read()
    if (first.done) return endWhole(exchange, plan, new Uint8Array(0))
    const pending = reader.read()
    // Most bodies are one chunk: such a one goes out whole, with its length.
    const second = await Promise.race([pending, nextTurn()])
    if (second?.done) return endWhole(exchange, plan, first.value)
    hasBegun = true
    const sender =
      plan.length === undefined
        ? startChunked(exchange, plan)
        : startSized(exchange, plan, plan.length)
    await sender.send(first.value)
    for (let next = await pending; !next.done; next = await reader.read()) {
      if (exchange.isGone) return
      await sender.send(next.value)
    }
    sender.end()
  } catch (error) {
    if (!hasBegun) throw error
    exchange.cut()
  } finally {
    exchange.signal.removeEventListener('abort', cancel)
    // Ends a source whose bytes nobody takes any more; nothing to do on one that has ended.
    cancel()
  }
}

type Sender = { send(chunk: Uint8Array): Promise<void>; end(): void }

function endWhole(exchange: BridgeExchange, plan: Plan, bytes: Uint8Array): void {
  if (plan.length !== undefined && plan.length !== bytes.length) {
    exchange.cut()
    return
  }
  exchange.sentBytes = bytes.length
  exchange.finish((res) => {
    plan.writeHead(res)
    res.end(bytes, exchange.closesConnection)
  })
}

function startChunked(exchange: BridgeExchange, plan: Plan): Sender {
  exchange.write((res) => {
    plan.writeHead(res)
    // uWS would write this header into the body when told at the end.
    if (exchange.closesConnection) res.writeHeader('connection', 'close')
  })
  return {
    async send(chunk) {
      exchange.sentBytes += chunk.length
      for (let at = 0; at < chunk.length && !exchange.isGone; at += PIECE_BYTES) {
        let hasRoom = true
        exchange.write((res) => {
          hasRoom = res.write(chunk.subarray(at, at + PIECE_BYTES))
        })
        if (!hasRoom) await exchange.untilWritable(() => true)
      }
    },
    end: () => exchange.finish((res) => void res.end()),
  }
}

function startSized(exchange: BridgeExchange, plan: Plan, length: number): Sender {
  let sent = 0
  exchange.write((res) => {
    plan.writeHead(res)
    if (exchange.closesConnection) res.writeHeader('connection', 'close')
  })
  const offer = (res: HttpResponse, bytes: Uint8Array): boolean => {
    const [hasRoom, isOver] = res.tryEnd(bytes, length)
    if (isOver) exchange.leave()
    return hasRoom || isOver
  }
  return {
    async send(chunk) {
      if (sent + chunk.length > length) throw new RangeError('the body is longer than declared')
      if (chunk.length === 0 || exchange.isGone) return
      const begin = sent
      sent += chunk.length
      exchange.sentBytes = sent
      let hasRoom = false
      exchange.write((res) => {
        hasRoom = offer(res, chunk)
      })
      if (hasRoom) return
      await exchange.untilWritable((res, offset) => offer(res, chunk.subarray(offset - begin)))
    },
    end: () => {
      if (sent < length) exchange.cut()
    },
  }
}

function nextTurn(): Promise<undefined> {
  return new Promise((resolve) => setImmediate(() => resolve(undefined)))
}
