// One POST with a limit for the whole of it. node:http, since fetch takes no trust store.
import { type Agent, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { SecureContextOptions } from 'node:tls'

const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/** How the product is reached. */
export type Connection = {
  readonly trust: SecureContextOptions
  readonly isInsecure: boolean
  readonly timeoutMs: number
  /** Keeps connections; absent: each request has its own. */
  readonly agent?: Agent
  /** Default POST. */
  readonly method?: 'DELETE'
}

export type Posted =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly text: string
      /** Seconds, as the product asks; 0: it does not. */
      readonly retryAfter: number
      /** `name=value` of each that it sets. */
      readonly cookies: readonly string[]
    }
  | { readonly kind: 'unreachable'; readonly reason: string }

export async function postBody(
  url: URL,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  connection: Connection,
): Promise<Posted> {
  try {
    return await post(url, body, headers, connection)
  } catch (error) {
    return { kind: 'unreachable', reason: describe(error, connection.timeoutMs) }
  }
}

function post(
  url: URL,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  { trust, isInsecure, timeoutMs, agent, method }: Connection,
): Promise<Posted> {
  const options = {
    method: method ?? 'POST',
    agent: agent ?? (false as const),
    signal: AbortSignal.timeout(timeoutMs),
    headers: { ...headers, 'content-length': body.length },
  }
  const isTls = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const outgoing = isTls
      ? requestHttps(url, { ...options, ...trust, rejectUnauthorized: !isInsecure })
      : requestHttp(url, options)
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      let bytes = 0
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_ANSWER_BYTES) incoming.destroy(new Error('the answer is too large'))
        else chunks.push(chunk)
      })
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({
          kind: 'answered',
          status: incoming.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          retryAfter: Number(incoming.headers['retry-after'] ?? 0) || 0,
          cookies: (incoming.headers['set-cookie'] ?? []).map((it) => it.split(';')[0] ?? ''),
        }),
      )
    })
    outgoing.end(body)
  })
}

/** undefined: it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ECONNREFUSED: 'nothing answers at this address',
    ENOTFOUND: 'the host name is not known',
    EAI_AGAIN: 'the host name cannot be looked up now',
    ECONNRESET: 'the connection was cut',
    EPROTO: 'this is no HTTPS address',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not trusted, put it into .keystore',
    SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not trusted, put its issuer into .keystore',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      'the certificate is not trusted, put its issuer into .keystore',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
      'the certificate is not trusted, put its issuer into .keystore',
    ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
    CERT_HAS_EXPIRED: 'the certificate has expired',
  }),
)

function describe(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'the call failed'
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `no answer within ${timeoutMs / 1000} s`
  const code = 'code' in error ? String(error.code) : ''
  return REASONS.get(code) ?? (code === '' ? error.message : `the call failed (${code})`)
}
