// Calls of the product's own interfaces: one envelope, one kind of error, and a call that finds the
// session ended waits for the sign-in and goes on as if nothing had been.

import type { SessionTold } from '../../../schemas/public-calls/session.ts'
import { renewSession } from './renewal.ts'
import { begin, SESSION_PATH, session } from './session.ts'

/** `pointer`: JSON pointer into what was sent. */
export type Fault = { readonly pointer: string; readonly message: string }

export class CallError extends Error {
  override readonly name = 'CallError'
  /** 0: no answer came. */
  readonly status: number
  /** Of the JSON interface of searches; elsewhere ''. */
  readonly code: string
  readonly parameter: string | undefined
  /** In the query, from 1. */
  readonly position: number | undefined
  readonly isRetriable: boolean
  /** Each fault of the request, of the portal alone. */
  readonly faults: readonly Fault[]

  constructor(message: string, told: Partial<Omit<CallError, 'message' | 'name'>>) {
    super(message)
    this.status = told.status ?? 0
    this.code = told.code ?? ''
    this.parameter = told.parameter
    this.position = told.position
    this.isRetriable = told.isRetriable ?? this.status === 0
    this.faults = told.faults ?? []
  }
}

export type CallOptions = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Sent in JSON; makes it a POST. */
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** A sign-in that failed is its answer, not the end of a session. */
  readonly isSignIn?: boolean
  /** The session was asked for anew: what is refused now is refused. */
  readonly isAgain?: boolean
}

type Envelope<Answer> = {
  readonly success: boolean
  readonly errorMessage: string | null
  readonly response: Answer
  readonly error?: {
    readonly code: string
    readonly parameter: string | null
    readonly position: number | null
    readonly isRetriable: boolean
  }
}

/** `response` of the answer. Throws CallError, and AbortError when `signal` says so. */
export async function call<Answer>(path: string, options: CallOptions = {}): Promise<Answer> {
  const { body, signal, isSignIn = false, isAgain = false } = options
  const headers = new Headers({ accept: 'application/json' })
  if (body !== undefined) headers.set('content-type', 'application/json')
  const csrf = session.value?.csrfToken
  if (csrf) headers.set('x-csrf-token', csrf)
  const request: RequestInit = {
    headers,
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
  }
  if (body !== undefined) request.body = JSON.stringify(body)
  if (signal !== undefined) request.signal = signal
  let answer: Response
  try {
    answer = await fetch(path, request)
  } catch (error) {
    if (signal?.aborted) throw error
    throw new CallError('', { status: 0 })
  }
  const envelope = await readEnvelope<Answer>(answer, signal)
  if (answer.ok && envelope?.success) return envelope.response
  if (answer.status === 401 && !isSignIn && session.value !== undefined) {
    // Another session has begun since it was asked: the refusal is of the one before.
    if (session.value.csrfToken === csrf) await renewSession(signal)
    return await call(path, options)
  }
  if (answer.status === 403 && csrf && !isAgain && (await hasOtherSession(csrf, signal)))
    return await call(path, { ...options, isAgain: true })
  const { error } = envelope ?? {}
  throw new CallError(envelope?.errorMessage ?? statusTextOf(answer), {
    status: answer.status,
    code: error?.code ?? '',
    parameter: error?.parameter ?? undefined,
    position: error?.position ?? undefined,
    isRetriable: error?.isRetriable ?? answer.status >= 500,
  })
}

/** Another tab has signed out and in again: this page goes on with the session of its own user. */
async function hasOtherSession(csrf: string, signal: AbortSignal | undefined): Promise<boolean> {
  const told = await call<SessionTold>(SESSION_PATH, { isSignIn: true }).catch(() => undefined)
  if (told === undefined || told.csrfToken === csrf) return false
  if (told.user === session.value?.user) begin(told)
  else await renewSession(signal)
  return true
}

/** Throws as `readJson`. */
async function readEnvelope<Answer>(
  answer: Response,
  signal: AbortSignal | undefined,
): Promise<Envelope<Answer> | undefined> {
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  return isJson ? await readJson(answer, signal) : undefined
}

/** Throws CallError for a body that ends in its middle, and AbortError. */
export async function readJson<Body>(
  answer: Response,
  signal: AbortSignal | undefined,
): Promise<Body> {
  try {
    return await answer.json()
  } catch (error) {
    if (signal?.aborted) throw error
    throw new CallError('', { status: 0 })
  }
}

/** HTTP/2 has only the number. */
export function statusTextOf({ status, statusText }: Response): string {
  return statusText === '' ? `status ${status}` : statusText
}

/** Ending a session that has ended is no failure. */
export function passIfEnded(error: unknown): void {
  if (!(error instanceof CallError && error.status === 401)) throw error
}

export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
