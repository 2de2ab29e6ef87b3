// Calls of the API of the portal: its problems become CallError, and a call that finds the session
// ended waits for the sign-in and goes on as if nothing had been.
import type { SessionTold } from '../../../schemas/portal/accounts.ts'
import type { Problem } from '../../../schemas/portal/common.ts'
import { CallError, readJson, statusTextOf } from '../../shared/api/call.ts'
import { renewSession } from '../../shared/api/renewal.ts'
import { actingId, begin, session } from './session.ts'

const BASE = '/api/portal/v1'

export type AskOptions = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent in JSON, or as a form; makes it a POST. */
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly accept?: string
  /** A sign-in that failed is its answer, not the end of a session. */
  readonly isSignIn?: boolean
  /** In nobody's name: the portal takes it of those alone who show no credential. */
  readonly isAnonymous?: boolean
  /** In place of the token of the page's own session, which was asked for anew: what is refused
   *  now is refused. */
  readonly csrf?: string
  /** Id of the organization that this call is for; absent: the one that the page acts for. */
  readonly as?: string | undefined
}

/** `path` below /api/portal/v1. Throws CallError, and AbortError when `signal` says so. */
export async function ask<Answer>(path: string, options: AskOptions = {}): Promise<Answer> {
  const answer = await askRaw(path, options)
  return answer.status === 204 || answer.status === 202
    ? await answer.json().catch(() => undefined)
    : await readJson(answer, options.signal)
}

export async function askRaw(path: string, options: AskOptions = {}): Promise<Response> {
  const { body, signal, isSignIn = false, accept = 'application/json' } = options
  const { isAnonymous = false } = options
  const headers = new Headers({ accept })
  const isForm = body instanceof FormData
  if (body !== undefined && !isForm) headers.set('content-type', 'application/json')
  const csrf = isAnonymous ? undefined : (options.csrf ?? session.value?.csrfToken)
  if (csrf) headers.set('x-csrf-token', csrf)
  const acting = isAnonymous ? undefined : (options.as ?? actingId.value)
  if (acting !== undefined) headers.set('x-organization-id', acting)
  const request: RequestInit = {
    headers,
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
  }
  if (body !== undefined) request.body = isForm ? body : JSON.stringify(body)
  if (signal !== undefined) request.signal = signal
  if (isAnonymous) request.credentials = 'omit'
  let answer: Response
  try {
    answer = await fetch(BASE + path, request)
  } catch (error) {
    if (signal?.aborted) throw error
    throw new CallError('', { status: 0 })
  }
  if (answer.ok) return answer
  const problem: Partial<Problem> = await answer.json().catch(() => ({}))
  // A wrong password of the person's own is another code.
  if (problem.code === 'unauthenticated' && !isSignIn && session.value !== undefined) {
    // Another session has begun since it was asked: the refusal is of the one before.
    if (session.value.csrfToken === csrf) await renewSession(signal)
    return await askRaw(path, options)
  }
  if (answer.status === 403 && csrf && options.csrf === undefined) {
    const other = await findOtherToken(csrf, options)
    if (other !== undefined) return await askRaw(path, { ...options, csrf: other })
  }
  throw new CallError(problem.message ?? statusTextOf(answer), {
    status: answer.status,
    code: problem.code ?? '',
    faults: problem.errors ?? [],
    isRetriable: answer.status >= 500 || answer.status === 429,
  })
}

/** Another tab has signed out and in again: this page goes on with the session of its own person,
 *  and a sign-in takes the place of any. */
async function findOtherToken(
  csrf: string,
  { isSignIn, signal }: AskOptions,
): Promise<string | undefined> {
  const told = await ask<SessionTold>('/session', { isSignIn: true }).catch(() => undefined)
  if (told === undefined || told.csrfToken === csrf) return undefined
  if (isSignIn) return told.csrfToken ?? undefined
  if (told.person.id === session.value?.person.id) begin(told)
  else await renewSession(signal)
  return session.value?.csrfToken ?? undefined
}

/** Path with what is given; what is undefined or '' is left out. */
export function withQuery(
  path: string,
  given: Readonly<Record<string, string | number | undefined>>,
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}
