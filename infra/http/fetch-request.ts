// What both adapters' bridges to fetch have in common: the limits, the request, and what of an
// answer is theirs to write.
export const MAX_FETCH_BODY_BYTES = 1024 * 1024
/** What is drained of a body that is too large, before the connection is cut. */
export const MAX_FETCH_DRAINED_BYTES = 16 * 1024 * 1024
export const TOO_LARGE = 'the body is larger than 1 MiB'
/** Methods that a fetch Request cannot carry, and nothing here serves. The application is asked for
 *  OPTIONS in their place: its refusal says what is allowed there. */
const REFUSED_METHODS = new Set(['CONNECT', 'TRACE', 'TRACK'])
const BODILESS_STATUS = new Set([101, 204, 205, 304])
/** Written by the engine itself or meaningless behind it. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
])

export type FetchHead = {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly address: string
}

/** Whole, or as it comes. */
export type FetchBody = Buffer | ReadableStream<Uint8Array>

type Refusal = { readonly status: number; readonly text: string }

export function makeFetchRequest(
  head: FetchHead,
  body: FetchBody,
  signal: AbortSignal,
): Request | Refusal {
  const hasBody = head.method !== 'GET' && head.method !== 'HEAD'
  const isStream = body instanceof ReadableStream
  try {
    return new Request(head.url, {
      method: isRefusedMethod(head.method) ? 'OPTIONS' : head.method,
      headers: head.headers,
      signal,
      ...(hasBody && isStream ? { body, duplex: 'half' } : {}),
      ...(hasBody && !isStream && body.length > 0 ? { body: new Uint8Array(body) } : {}),
    })
  } catch {
    return { status: 400, text: 'the address cannot be read' }
  }
}

export function isRefusedMethod(method: string): boolean {
  return REFUSED_METHODS.has(method)
}

/** What a host and a port never hold: with it the path that runs would be another than the one that
 *  was routed, logged and, by a proxy, allowed. */
const NO_AUTHORITY = /[/?#\\@\s]/

/** '' where the authority is none, which no request can be made of. */
export function formatUrl(
  scheme: string,
  authority: string,
  { path, query }: { path: string; query: string },
): string {
  if (NO_AUTHORITY.test(authority)) return ''
  return `${scheme}://${authority}${path}${query === '' ? '' : `?${query}`}`
}

/** A header that fetch refuses (control characters in it) is dropped: the application sees the
 *  request without it. */
export function appendHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.append(name, value)
  } catch {
    // nothing to do
  }
}

export function answerHeaders(response: Response): [string, string][] {
  return [...response.headers].filter(([name]) => !OWN_HEADERS.has(name))
}

export function isBodiless(status: number): boolean {
  return BODILESS_STATUS.has(status)
}

/** The declared Content-Length of an answer. */
export function declaredLength(response: Response): number | undefined {
  const text = response.headers.get('content-length')
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
