// From a request's head and body to its answer by the fetch handler, the same for both engines.
import {
  type FetchBody,
  type FetchHead,
  isRefusedMethod,
  makeFetchRequest,
} from './fetch-request.ts'
import type { HttpServerOptions } from './port.ts'

/** `exchange`: of the engine; its signal aborts when the client goes away. */
export async function answerByFetch<
  Exchange extends { readonly isGone: boolean; readonly signal: AbortSignal },
>(options: {
  readonly exchange: Exchange
  readonly head: FetchHead
  readonly body: FetchBody
  readonly fetch: HttpServerOptions['fetch']
  readonly onBug: (error: unknown) => void
  readonly sendResponse: (exchange: Exchange, response: Response, isHead: boolean) => Promise<void>
  readonly answerPlain: (exchange: Exchange, status: number, text: string) => void
}): Promise<void> {
  const { exchange, head, body, fetch, onBug, sendResponse, answerPlain } = options
  const request = makeFetchRequest(head, body, exchange.signal)
  if (!(request instanceof Request)) return answerPlain(exchange, request.status, request.text)
  try {
    const response = await fetch(request, { address: head.address })
    if (isRefusedMethod(head.method) && response.status < 400) {
      await response.body?.cancel().catch(() => undefined)
      return answerPlain(exchange, 405, 'method not allowed')
    }
    await sendResponse(exchange, response, head.method === 'HEAD')
  } catch (error) {
    // A client that has gone ends its request with an AbortError: no bug.
    if (exchange.isGone) return
    onBug(error)
    answerPlain(exchange, 500, 'internal error')
  }
}
