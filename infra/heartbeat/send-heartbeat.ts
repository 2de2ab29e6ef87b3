// One call of the portal (decision 9.6), through the guard of what goes out. Gives what came of it;
// never throws.

import { z } from 'zod'
import { trimEnd } from '../../schemas/names/trim-end.ts'
import { joinSignals } from '../join-signals.ts'
import { describeConnection } from '../outbound/describe-connection.ts'
import { type OutboundAnswer, sendRequest } from '../outbound/request.ts'
import { parsePublicKey } from '../signed-documents/signed-document.ts'

const BASE = '/api/portal/v1'
const CALL_MS = 30_000
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

/** Fields that a newer portal adds are ignored. */
const answerSchema = z.object({
  deploymentId: z.string().max(200),
  deploymentToken: z.string().max(500).optional(),
  nextHeartbeatSeconds: z.number().min(0),
  license: z.object({ state: z.string().max(100) }),
  entitlement: z.string().max(100_000),
  serverTime: z.iso.datetime(),
  errors: z
    .array(z.object({ index: z.int().min(0), code: z.string(), message: z.string() }))
    .default([]),
})
export type PortalAnswer = z.infer<typeof answerSchema>

const problemSchema = z.object({ code: z.string().max(100) })
const keySchema = z.object({ publicKey: z.string().max(200) })

/** Why nothing came of a call. */
export type PortalFailure = {
  readonly kind: 'failed'
  readonly failure:
    | 'unreachable'
    | 'unauthenticated'
    | 'license_revoked'
    | 'busy'
    | 'refused'
    | 'no_portal'
    | 'other_key'
  /** For an operator: nothing of it was said by the other side but codes. */
  readonly reason: string
  /** What the portal asks to wait; 0: it does not say. */
  readonly waitMs: number
}

export type Called = { readonly kind: 'answered'; readonly answer: PortalAnswer } | PortalFailure

type Around = { readonly portalUrl: string; readonly signal: AbortSignal }

export async function sendHeartbeat(
  around: Around,
  credential: string,
  report: object,
): Promise<Called> {
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
  const got = await call(around, '/deployments/heartbeat', headers, JSON.stringify(report))
  if (got.kind === 'failed') return got
  const answer = answerSchema.safeParse(parse(got.body))
  return answer.success ? { kind: 'answered', answer: answer.data } : noPortal()
}

/** The key that its entitlements are signed with: 32 bytes as base64. */
export async function readPortalKey(
  around: Around,
): Promise<{ readonly kind: 'key'; readonly publicKey: string } | PortalFailure> {
  const got = await call(around, '/license/entitlement-key', {})
  if (got.kind === 'failed') return got
  const read = keySchema.safeParse(parse(got.body))
  if (!read.success || parsePublicKey(read.data.publicKey) === undefined) return noPortal()
  return { kind: 'key', publicKey: read.data.publicKey }
}

/** The body of a good answer. */
export async function call(
  { portalUrl, signal }: Around,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<{ readonly kind: 'body'; readonly body: string } | PortalFailure> {
  const { signal: limited, leave } = joinSignals([signal, AbortSignal.timeout(CALL_MS)])
  try {
    const answer = await sendRequest({
      url: new URL(`${trimEnd(portalUrl, '/')}${BASE}${path}`),
      headers,
      ...(body === undefined ? {} : { body }),
      certificate: '',
      maxBytes: MAX_ANSWER_BYTES,
      signal: limited,
    })
    const { status } = answer
    return status >= 200 && status < 300 ? { kind: 'body', body: answer.body } : judge(answer)
  } catch (error) {
    const reason = describeConnection(error, limited).replace(
      ': give -certificateFile',
      ': NODE_EXTRA_CA_CERTS names a file with its authority',
    )
    return fail('unreachable', reason)
  } finally {
    leave()
  }
}

function judge({ status, headers, body }: OutboundAnswer): PortalFailure {
  const problem = problemSchema.safeParse(parse(body))
  const code = problem.success ? problem.data.code : ''
  const retryAfter = headers['retry-after'] ?? ''
  const waitMs = /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : 0
  if (status === 401 && code !== '') return fail('unauthenticated', 'the licence key is not known')
  if (code === 'license_revoked') return fail('license_revoked', 'the licence was revoked')
  if (status === 429 || status >= 500)
    return { ...fail('busy', `the portal answers ${status}`), waitMs }
  if (code === '' || status === 404) return noPortal()
  const said = /^[a-z_]{1,60}$/.test(code) ? ` ${code}` : ''
  return fail('refused', `the portal refuses the report: ${status}${said}`)
}

function noPortal(): PortalFailure {
  return fail('no_portal', 'what answers there is no portal')
}

export function fail(failure: PortalFailure['failure'], reason: string): PortalFailure {
  return { kind: 'failed', failure, reason, waitMs: 0 }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
