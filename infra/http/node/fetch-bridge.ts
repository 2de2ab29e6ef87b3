// node:http <-> fetch for a Hono app: a buffered request, a streamed answer. The request's signal
// aborts when the client goes away.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerByFetch } from '../answer-by-fetch.ts'
import { BodyCollector } from '../body-collector.ts'
import {
  answerHeaders,
  appendHeader,
  declaredLength,
  type FetchHead,
  formatUrl,
  isBodiless,
  MAX_FETCH_BODY_BYTES,
  MAX_FETCH_DRAINED_BYTES,
  TOO_LARGE,
} from '../fetch-request.ts'
import type { HttpServerOptions } from '../port.ts'
import { BridgeExchange, type BridgeParts } from './bridge-exchange.ts'
import type { Target } from './request-head.ts'
import { pumpBody } from './response-pump.ts'
import { streamBody } from './streamed-body.ts'

export type BridgeContext = BridgeParts & {
  readonly fetch: HttpServerOptions['fetch']
  /** Its body is handed over as a stream. */
  readonly isStreamed: boolean
  readonly scheme: 'http' | 'https'
  readonly target: Target
  readonly address: string
  readonly onBug: (error: unknown) => void
}

export function handleFetch(
  req: IncomingMessage,
  res: ServerResponse,
  context: BridgeContext,
): void {
  const exchange = new BridgeExchange(res, context)
  const head = readHead(req, context)
  const { fetch, onBug } = context
  const answering = { fetch, onBug, sendResponse, answerPlain }
  if (context.isStreamed) {
    const body = streamBody(req, exchange)
    // Rejections are handled inside: nothing is left to await.
    void answerByFetch({ exchange, head, body, ...answering })
    return
  }
  const collector = new BodyCollector(MAX_FETCH_BODY_BYTES)
  let isTooLarge = false
  let drainedBytes = 0
  req.on('data', (chunk: Buffer) => {
    exchange.receivedBytes += chunk.length
    if (isTooLarge) drainedBytes += chunk.length
    else isTooLarge = collector.add(chunk, false) !== undefined
    if (drainedBytes > MAX_FETCH_DRAINED_BYTES) exchange.cut()
  })
  req.on('end', () => {
    if (isTooLarge) return answerPlain(exchange, 413, TOO_LARGE)
    // Rejections are handled inside: nothing is left to await.
    if (!exchange.isGone)
      void answerByFetch({ exchange, head, body: collector.finish(), ...answering })
  })
  // What the connection meets is told by the connection.
  req.on('error', () => undefined)
}

function readHead(req: IncomingMessage, { target, scheme, address }: BridgeContext): FetchHead {
  const headers = new Headers()
  const { rawHeaders } = req
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    appendHeader(headers, rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  // The address names the host where it is absolute (RFC 9112, 3.2.2).
  const authority = target.authority || req.headers.host || 'localhost'
  const url = formatUrl(scheme, authority, target)
  return { method: req.method ?? 'GET', url, headers, address }
}

async function sendResponse(
  exchange: BridgeExchange,
  response: Response,
  isHead: boolean,
): Promise<void> {
  if (exchange.isGone) {
    await response.body?.cancel()
    return
  }
  const { status } = response
  const length = declaredLength(response)
  const headers = answerHeaders(response)
  if (isHead || response.body === null || isBodiless(status)) {
    await response.body?.cancel()
    // An answer without a body still says 0, or a client would wait for the end of the connection.
    const reported = isBodiless(status) ? undefined : (length ?? (isHead ? undefined : 0))
    exchange.writeHead(status, headers, reported)
    exchange.end()
    return
  }
  const writeHead = (sent: number | undefined) => exchange.writeHead(status, headers, sent)
  await pumpBody(exchange, response.body, { writeHead, length })
}

function answerPlain(exchange: BridgeExchange, status: number, text: string): void {
  const body = `${text}\n`
  exchange.writeHead(status, [['content-type', 'text/plain; charset=utf-8']], body.length)
  exchange.end(body)
}
