// How calls of apps and dashboards are read and answered: a JSON body, the envelope, failures with
// details.
import type { z } from 'zod'
import { jsonContent, type RouteAnswer, type RouteCall } from '../../../infra/http/routes/route.ts'
import { Failure } from '../../../schemas/failures.ts'
import { ERROR_CODES, errorEnvelope } from '../../../schemas/search-json/answers.ts'
import { readAddress } from '../../configuration/read-given.ts'
import { envelope } from '../../edge/envelope.ts'
import type { Given, Surface } from '../../edge/surface.ts'
import { ERROR_ENVELOPE } from '../../search-json/failed-answer.ts'

export const DASHBOARD_SURFACE: Surface<Given, object> = {
  read: readAddress,
  answer: envelope,
  failures: ERROR_ENVELOPE,
  bug: { phrase: 'dashboard call failed', code: 'request.internal' },
  isCounted: false,
}
/** It shows the CSRF token of its session. */
export const WRITE_SURFACE: Surface<Given, object> = { ...DASHBOARD_SURFACE, isWrite: true }

/** Fails with dashboard.parameter, which names the place in the body. */
export function readBody<T>(
  schema: z.ZodType<T>,
  { request, body }: Pick<RouteCall, 'request' | 'body'>,
): T {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw refuse('Content-Type', 'must be application/json')
  const parsed = schema.safeParse(parseJson(new TextDecoder().decode(body)))
  if (parsed.success) return parsed.data
  throw refuseIssue(parsed.error)
}

export function refuseIssue({ issues }: z.ZodError): Failure {
  const [issue] = issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const path = [...(issue?.path ?? []), ...unknown].join('.')
  const reason = unknown.length > 0 ? 'is not known here' : (issue?.message ?? 'cannot be read')
  return refuse(path === '' ? 'body' : path, reason)
}

/** Of the path. Fails with object.not_found. */
export function readId({ pathValues }: RouteCall, kind: 'app' | 'dashboard'): number {
  const text = pathValues[kind] ?? ''
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Failure('object.not_found', { kind, name: text })
  return Number(text)
}

/** Of the address; undefined: whatever it is. */
export function readVersion({ pairs }: Given): number | undefined {
  const found = pairs.filter(([name]) => name === 'version').map(([, value]) => value)
  const [text] = found
  if (text === undefined) return undefined
  if (found.length > 1 || !/^[1-9]\d{0,8}$/.test(text))
    throw refuse('version', 'must be one whole number')
  return Number(text)
}

/** Failures with their descriptions, but for those that every call has. */
export function failedAnswers(extra: Readonly<Record<number, string>> = {}) {
  const told: Record<number, string> = {
    400: 'Something in the call is not accepted.',
    401: 'Sign-in failed.',
    403: 'The user may not do that, or the call has no CSRF token.',
    404: 'There is none, or the user may not view it.',
    500: 'An internal error.',
    503: 'The database or the store is away.',
    ...extra,
  }
  return Object.fromEntries(
    Object.entries(told).map(([status, description]): [string, RouteAnswer] => [
      status,
      { description, content: jsonContent(errorEnvelope) },
    ]),
  )
}

/** Of a search that runs in the call. */
export const SEARCH_FAILED = Object.fromEntries(
  [409, 422, 429, 504].map((status) => [
    status,
    `${Object.entries(ERROR_CODES)
      .filter(([, one]) => one === status)
      .map(([code]) => code)
      .join(', ')}.`,
  ]),
)

export const CHANGED = { 409: 'The name is taken, or it was changed by somebody else meanwhile.' }

function refuse(parameter: string, reason: string): Failure {
  return new Failure('dashboard.parameter', { parameter, reason })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
