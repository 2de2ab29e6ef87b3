// One HTTP request to the outside: to addresses that the guard found, no redirect followed, of
// the answer no more than asked for.
import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { rootCertificates } from 'node:tls'
import { findAddresses, OutboundError, type Reach } from './find-address.ts'

const NAME_MS = 30_000

/** Before the next address of a name is tried. */
const ATTEMPT_MS = 2000

export type OutboundAnswer = {
  readonly status: number
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly body: string
}

type Sent = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** PEM, trusted beside the usual ones; '' for none. */
  readonly certificate: string
  /** Default: inner networks, too. */
  readonly reach?: Reach
}

/** Rejects with OutboundError, or with an error of the system; `describeConnection` says both. */
export async function sendRequest(
  options: Sent & {
    readonly maxBytes: number
    /** A larger answer is cut off there, and not refused. */
    readonly isCut?: boolean
    /** Posted; absent: GET. */
    readonly body?: string
    readonly signal: AbortSignal
  },
): Promise<OutboundAnswer> {
  const { maxBytes, isCut = false, ...sent } = options
  const answer = await openRequest({ ...sent, method: sent.body === undefined ? 'GET' : 'POST' })
  const body = await readText(answer, maxBytes, isCut)
  return { status: answer.statusCode ?? 0, headers: answer.headers, body }
}

/** Resolves with the head of the answer; read its body to the end, or destroy it. A stream as
 *  `body` has its length in the headers. `quietMs`: both ends are given up when nothing moves for
 *  so long. Rejects as `sendRequest` does. */
export async function openRequest(
  options: Sent & {
    readonly method: string
    readonly body?: Readable | string
    readonly quietMs?: number
    readonly signal?: AbortSignal
  },
): Promise<IncomingMessage> {
  const { url, headers, certificate, reach, method, body, quietMs, signal } = options
  try {
    const quiet = signal ?? AbortSignal.timeout(quietMs ?? NAME_MS)
    const found = await findAddresses(url.hostname, quiet, reach)
    const [{ address, family }] = found
    const isTls = url.protocol === 'https:'
    const send = isTls ? tlsRequest : plainRequest
    return await new Promise((resolve, reject) => {
      const sent = send(url, {
        ...{ method, headers, agent: false, ...(signal ? { signal } : {}) },
        // Whatever the name means by now. Several at once is how Node asks.
        lookup: (_, { all }, done) =>
          all === true ? done(null, [...found]) : done(null, address, family),
        ...{ autoSelectFamilyAttemptTimeout: ATTEMPT_MS },
        ...(isTls && certificate !== '' ? { ca: [...rootCertificates, certificate] } : {}),
      })
      if (quietMs !== undefined)
        sent.setTimeout(quietMs, () => sent.destroy(new OutboundError('no answer in time')))
      sent.on('response', resolve)
      sent.on('error', reject)
      if (body === undefined || typeof body === 'string') sent.end(body)
      // A body that cannot be read ends the request with its error.
      else pipeline(body, sent).catch((error: unknown) => sent.destroy(toError(error)))
    })
  } catch (error) {
    if (typeof body === 'object') body.destroy()
    throw error
  }
}

/** Where it is larger: cut off, or rejects with OutboundError. */
export async function readText(
  answer: IncomingMessage,
  maxBytes: number,
  isCut = false,
): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer) {
    bytes += part.length
    parts.push(part)
    if (bytes <= maxBytes) continue
    if (isCut) break
    throw new OutboundError('its answer is too large')
  }
  return Buffer.concat(parts).subarray(0, maxBytes).toString('utf8')
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('the body cannot be read')
}
