// uWS <-> fetch for a Hono app: a buffered request, a streamed answer. The request's signal aborts when the client goes away.
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { systemClock } from '../clock.ts'
import { BodyCollector } from './body-collector.ts'
import { BridgeExchange } from './bridge-exchange.ts'
import type { TrustedProxies } from './client-address.ts'
import type { OpenExchanges } from './open-exchanges.ts'
import type { HttpServerOptions } from './port.ts'
import { formatStatus, readClient } from './raw-exchange.ts'
import { pumpBody } from './response-pump.ts'
import { UploadPace } from './upload-pace.ts'

const MAX_BODY_BYTES = 1024 * 1024
/** What is drained of a body that is too large, before the connection is cut. */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024
/** Methods that a fetch Request cannot carry. */
const REFUSED_METHODS = new Set(['CONNECT', 'TRACE', 'TRACK'])
const BODILESS_STATUS = new Set([101, 204, 205, 304])
/** Written by uWS itself or meaningless behind it. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
])

export type BridgeContext = {
  fetch: HttpServerOptions['fetch']
  scheme: 'http' | 'https'
  trusted: TrustedProxies
  open: OpenExchanges
  onBug: (error: unknown) => void
}

type Head = { method: string; url: string; headers: Headers; address: string }

export function handleFetch(res: HttpResponse, req: HttpRequest, context: BridgeContext): void {
  const exchange = new BridgeExchange(res, context.open)
  const head = readHead(res, req, context)
  const collector = new BodyCollector(MAX_BODY_BYTES)
  const pace = new UploadPace(res, systemClock)
  let isTooLarge = false
  let drainedBytes = 0
  res.onData((chunk, isLast) => {
    if (isTooLarge) drainedBytes += chunk.byteLength
    else isTooLarge = collector.add(chunk, isLast) !== undefined
    if (drainedBytes > MAX_DRAINED_BYTES) return exchange.cut()
    if (!isLast) {
      pace.heard()
      return
    }
    if (isTooLarge) return answerPlain(exchange, 413, 'the body is larger than 1 MiB')
    // Rejections are handled inside: nothing is left to await.
    void answerByFetch(exchange, head, collector.finish(), context)
  })
}

/** Everything that is needed of `req`, whose memory ends with the turn. */
function readHead(res: HttpResponse, req: HttpRequest, context: BridgeContext): Head {
  const headers = new Headers()
  req.forEach((name, value) => {
    // A header that fetch refuses (control characters in it) is dropped.
    try {
      headers.append(name, value)
    } catch {
      // nothing to do: the application sees the request without it
    }
  })
  // Typed as text, but undefined when there is none.
  const query = req.getQuery() ?? ''
  const path = req.getUrl()
  const address = readClient(res, req, context.trusted)
  const authority = req.getHeader('host') || 'localhost'
  return {
    method: req.getCaseSensitiveMethod(),
    url: `${context.scheme}://${authority}${path}${query === '' ? '' : `?${query}`}`,
    headers,
    address,
  }
}

async function answerByFetch(
  exchange: BridgeExchange,
  head: Head,
  body: Buffer,
  context: BridgeContext,
): Promise<void> {
  if (REFUSED_METHODS.has(head.method)) return answerPlain(exchange, 405, 'method not allowed')
  const request = makeRequest(head, body, exchange.signal)
  if (request === undefined) return answerPlain(exchange, 400, 'the address cannot be read')
  try {
    const response = await context.fetch(request, { address: head.address })
    await sendResponse(exchange, response, head.method === 'HEAD')
  } catch (error) {
    // A client that has gone ends its request with an AbortError: no bug.
    if (exchange.isGone) return
    context.onBug(error)
    answerPlain(exchange, 500, 'internal error')
  }
}

function makeRequest(head: Head, body: Buffer, signal: AbortSignal): Request | undefined {
  const hasBody = body.length > 0 && head.method !== 'GET' && head.method !== 'HEAD'
  try {
    return new Request(head.url, {
      method: head.method,
      headers: head.headers,
      signal,
      ...(hasBody ? { body: new Uint8Array(body) } : {}),
    })
  } catch {
    return undefined
  }
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
  const writeHead = (res: HttpResponse): void => {
    res.writeStatus(formatStatus(response.status))
    for (const [name, value] of response.headers) {
      if (!OWN_HEADERS.has(name)) res.writeHeader(name, value)
    }
  }
  const length = parseLength(response.headers.get('content-length'))
  if (isHead || response.body === null || BODILESS_STATUS.has(response.status)) {
    await response.body?.cancel()
    const isSilent = BODILESS_STATUS.has(response.status)
    // An answer without a body still says 0, or a client would wait for the end of the connection.
    const reported = length ?? (isHead ? undefined : 0)
    exchange.finish((res) => {
      writeHead(res)
      if (exchange.closesConnection) res.writeHeader('connection', 'close')
      // An explicit undefined would be printed as 2^63.
      if (isSilent || reported === undefined) res.endWithoutBody()
      else res.endWithoutBody(reported)
    })
    return
  }
  await pumpBody(exchange, response.body, { writeHead, length })
}

function parseLength(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function answerPlain(exchange: BridgeExchange, status: number, text: string): void {
  exchange.finish((res) => {
    res.writeStatus(formatStatus(status))
    res.writeHeader('content-type', 'text/plain; charset=utf-8')
    res.end(`${text}\n`, exchange.closesConnection)
  })
}
