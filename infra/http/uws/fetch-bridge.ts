// uWS <-> fetch for a Hono app: a buffered request, a streamed answer. The request's signal aborts
// when the client goes away.
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { systemClock } from '../../clock.ts'
import type { AccessLog } from '../access-log.ts'
import { answerByFetch } from '../answer-by-fetch.ts'
import { BodyCollector } from '../body-collector.ts'
import type { TrustedProxies } from '../client-address.ts'
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
import type { OpenExchanges } from '../open-exchanges.ts'
import type { HttpServerOptions } from '../port.ts'
import { afterPacket } from './after-packet.ts'
import { BridgeExchange } from './bridge-exchange.ts'
import { isAmbiguous } from './is-ambiguous.ts'
import { formatStatus, readClient } from './raw-exchange.ts'
import { refuse } from './refuse.ts'
import { pumpBody } from './response-pump.ts'
import { UploadPace } from './upload-pace.ts'

export type BridgeContext = {
  fetch: HttpServerOptions['fetch']
  scheme: 'http' | 'https'
  trusted: TrustedProxies
  open: OpenExchanges
  accessLog: AccessLog | undefined
  onBug: (error: unknown) => void
}

export function handleFetch(res: HttpResponse, req: HttpRequest, context: BridgeContext): void {
  const head = readHead(res, req, context)
  const { method, address: peer } = head
  const access = context.accessLog?.({ method, path: req.getUrl(), peer })
  if (isAmbiguous(req)) {
    refuse(res, context.open, access)
    return
  }
  const exchange = new BridgeExchange(res, context.open, access)
  const collector = new BodyCollector(MAX_FETCH_BODY_BYTES)
  const { fetch, onBug } = context
  const answering = { fetch, onBug, sendResponse, answerPlain }
  const pace = new UploadPace(res, systemClock)
  let isTooLarge = false
  let drainedBytes = 0
  res.onData((chunk, isLast) => {
    if (access !== undefined) access.receivedBytes += chunk.byteLength
    if (isTooLarge) drainedBytes += chunk.byteLength
    else isTooLarge = collector.add(chunk, isLast) !== undefined
    if (drainedBytes > MAX_FETCH_DRAINED_BYTES) return exchange.cut()
    if (!isLast) {
      pace.heard()
      return
    }
    if (isTooLarge) return answerPlain(exchange, 413, TOO_LARGE)
    // Rejections are handled inside: nothing is left to await.
    afterPacket(() => {
      if (!exchange.isGone)
        void answerByFetch({ exchange, head, body: collector.finish(), ...answering })
    })
  })
}

/** Everything that is needed of `req`, whose memory ends with the turn. */
function readHead(res: HttpResponse, req: HttpRequest, context: BridgeContext): FetchHead {
  const headers = new Headers()
  req.forEach((name, value) => {
    appendHeader(headers, name, value)
  })
  // Typed as text, but undefined when there is none.
  const query = req.getQuery() ?? ''
  const path = req.getUrl()
  const address = readClient(res, req, context.trusted)
  const authority = req.getHeader('host') || 'localhost'
  return {
    method: req.getCaseSensitiveMethod(),
    url: formatUrl(context.scheme, authority, { path, query }),
    headers,
    address,
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
  exchange.status = response.status
  const writeHead = (res: HttpResponse): void => {
    res.writeStatus(formatStatus(response.status))
    for (const [name, value] of answerHeaders(response)) res.writeHeader(name, value)
  }
  const length = declaredLength(response)
  if (isHead || response.body === null || isBodiless(response.status)) {
    await response.body?.cancel()
    const isSilent = isBodiless(response.status)
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

function answerPlain(exchange: BridgeExchange, status: number, text: string): void {
  exchange.status = status
  exchange.finish((res) => {
    res.writeStatus(formatStatus(status))
    res.writeHeader('content-type', 'text/plain; charset=utf-8')
    exchange.sentBytes = text.length + 1
    res.end(`${text}\n`, exchange.closesConnection)
  })
}
