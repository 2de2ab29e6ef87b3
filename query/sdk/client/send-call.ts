// One POST to the product, with a limit for the whole of it. node:http, since fetch takes no trust
// store.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { SecureContextOptions } from 'node:tls'
import { z } from 'zod'

const envelopeSchema = z.object({
  success: z.boolean(),
  errorMessage: z.string().nullable(),
  response: z.unknown(),
  httpStatusCode: z.number(),
})

type Envelope = z.infer<typeof envelopeSchema>

export type Reply =
  | { readonly kind: 'answered'; readonly status: number; readonly envelope: Envelope }
  | { readonly kind: 'unreachable'; readonly reason: string }

const MAX_ANSWER_BYTES = 16 * 1024 * 1024

export async function sendCall(call: {
  readonly url: URL
  readonly body: string
  readonly authorization: string | undefined
  readonly trust: SecureContextOptions
  readonly isInsecure: boolean
  readonly timeoutMs: number
}): Promise<Reply> {
  try {
    const { status, text } = await post(call)
    const parsed = envelopeSchema.safeParse(parseJson(text))
    return parsed.success
      ? { kind: 'answered', status, envelope: parsed.data }
      : { kind: 'unreachable', reason: `something else answers there (HTTP ${status})` }
  } catch (error) {
    return { kind: 'unreachable', reason: describe(error, call.timeoutMs) }
  }
}

function post(call: Parameters<typeof sendCall>[0]): Promise<{ status: number; text: string }> {
  const body = Buffer.from(call.body)
  const options = {
    method: 'POST',
    agent: false as const,
    signal: AbortSignal.timeout(call.timeoutMs),
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      ...(call.authorization === undefined ? {} : { authorization: call.authorization }),
    },
  }
  const isTls = call.url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const outgoing = isTls
      ? requestHttps(call.url, {
          ...options,
          ...call.trust,
          rejectUnauthorized: !call.isInsecure,
        })
      : requestHttp(call.url, options)
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
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    outgoing.end(body)
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at this address',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ECONNRESET: 'the connection was cut',
  EPROTO: 'this is no HTTPS address',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not trusted, put it into .keystore',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not trusted, put its issuer into .keystore',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not trusted, put its issuer into .keystore',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the certificate is not trusted, put its issuer into .keystore',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
  CERT_HAS_EXPIRED: 'the certificate has expired',
}

function describe(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'the call failed'
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `no answer within ${timeoutMs / 1000} s`
  const code = 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? (code === '' ? error.message : `the call failed (${code})`)
}
