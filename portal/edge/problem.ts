// How the portal says that something failed (decision 9.1, RFC 9457).
import { BodyTooLarge } from '../../infra/http/routes/limited-body.ts'
import type { Contents, Refusal } from '../../infra/http/routes/route.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import { type Problem, problem } from '../../schemas/portal/common.ts'
import { InvalidRequest } from './invalid-request.ts'

export const PROBLEM_TYPE = 'application/problem+json'
export const PROBLEM_CONTENT: Contents = { [PROBLEM_TYPE]: problem }

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported media type',
  416: 'Range not satisfiable',
  422: 'Cannot be done',
  429: 'Too many calls',
  500: 'Internal error',
  503: 'Not available',
}

export type ProblemPlace = {
  readonly path: string
  readonly requestId: string
  /** Address of the page with all codes; `#<code>` leads to one. */
  readonly registry: string
}

/** Of anything thrown: what nobody could name is told as such. */
export function toPortalFailure(error: unknown): Failure {
  if (error instanceof BodyTooLarge)
    return new Failure('portal.too_large', { limit: error.maxBytes })
  if (!isFailure(error)) return new Failure('portal.internal')
  if (error.code.startsWith('portal.')) return error
  if (error.code.startsWith('database.')) return new Failure('portal.unavailable')
  if (error.code.startsWith('object_store.')) return new Failure('portal.files_unavailable')
  if (error.code === 'sign_in.busy' || error.code === 'sign_in.slowed')
    return new Failure('portal.rate_limited', { seconds: 10 })
  return new Failure('portal.internal')
}

export function describeProblem(failure: Failure, place: ProblemPlace): Problem {
  const { status } = failure.entry
  const code = failure.code.slice(failure.code.indexOf('.') + 1)
  return {
    type: `${place.registry}#${code}`,
    title: TITLES[status] ?? 'Failed',
    status,
    code,
    message: failure.message,
    detail: failure.message,
    instance: place.path,
    requestId: place.requestId,
    errors: failure instanceof InvalidRequest ? [...failure.faults] : [],
  }
}

export function answerProblem(failure: Failure, place: ProblemPlace): Response {
  const { status } = failure.entry
  const { seconds, methods, bytes } = failure.details
  const headers = new Headers({ 'content-type': PROBLEM_TYPE })
  if (status === 401) headers.set('www-authenticate', 'Bearer realm="logeye portal"')
  if (seconds !== undefined) headers.set('retry-after', String(seconds))
  else if (status === 503) headers.set('retry-after', '5')
  if (status === 416) headers.set('content-range', `bytes */${bytes}`)
  if (methods !== undefined) headers.set('allow', String(methods))
  return new Response(`${JSON.stringify(describeProblem(failure, place))}\n`, { status, headers })
}

/** What the route table refuses before any call is made. */
export function failureOfRefusal(refusal: Refusal): Failure {
  switch (refusal.kind) {
    case 'unknown_path':
      return new Failure('portal.not_found', { what: 'path' })
    case 'other_method':
      return new Failure('portal.method_not_allowed', { methods: refusal.allowed.join(', ') })
    case 'too_large':
      return new Failure('portal.too_large', { limit: refusal.maxBytes })
  }
}
