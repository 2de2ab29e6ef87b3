// The body of a request as a stream: read no faster than it is taken, and broken off with an error
// when the client goes away, so that nobody takes half a body for a whole one.
import type { IncomingMessage } from 'node:http'
import type { BridgeExchange } from './bridge-exchange.ts'

/** Memory that a body may wait in. */
const WAITING_BYTES = 256 * 1024

export function streamBody(
  req: IncomingMessage,
  exchange: BridgeExchange,
): ReadableStream<Uint8Array> {
  let isOver = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        req.on('data', (chunk: Buffer) => {
          exchange.receivedBytes += chunk.length
          // Nobody takes it any more: drained, until the exchange has answered and cuts.
          if (isOver) return
          controller.enqueue(new Uint8Array(chunk))
          if ((controller.desiredSize ?? 0) <= 0) req.pause()
        })
        req.on('end', () => {
          if (!isOver) controller.close()
          isOver = true
        })
        const breakOff = () => {
          if (!isOver) controller.error(new Error('the body was cut off'))
          isOver = true
        }
        exchange.signal.addEventListener('abort', breakOff, { once: true })
        // What the connection meets is told by the connection.
        req.on('error', () => undefined)
      },
      pull() {
        req.resume()
      },
      cancel() {
        isOver = true
        req.resume()
      },
    },
    { highWaterMark: WAITING_BYTES, size: (chunk) => chunk.length },
  )
}
