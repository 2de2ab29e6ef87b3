// From anything thrown to the answer of the JSON interface: the envelope's own fields, and what went wrong in detail.
import { type Failure, isFailure } from '../../schemas/failures.ts'
import {
  ERROR_CODES,
  type ErrorCode,
  type ErrorEnvelope,
} from '../../schemas/search-json/answers.ts'
import { BASIC_CHALLENGE } from '../envelope.ts'

const INTERNAL = 'internal error, try again and then contact support'

/** `timeoutMs`: what the caller was given. */
export function toErrorEnvelope(error: unknown, timeoutMs: number): ErrorEnvelope {
  if (!isFailure(error)) return errorEnvelope('internal', INTERNAL)
  const code = codeOf(error)
  if (code === 'internal') return errorEnvelope('internal', INTERNAL)
  const { parameter, position } = error.details
  const message =
    error.code === 'store.timeout' ? `the search ran longer than ${timeoutMs} ms` : error.message
  return errorEnvelope(code, message, {
    parameter: code === 'invalid_query' ? 'query' : asText(parameter),
    position: typeof position === 'number' ? position : null,
    isRetriable: code === 'busy' || error.entry.retriable === true,
  })
}

export function errorEnvelope(
  code: ErrorCode,
  message: string,
  details: Partial<Pick<ErrorEnvelope['error'], 'parameter' | 'position' | 'isRetriable'>> = {},
): ErrorEnvelope {
  const error = { code, message, parameter: null, position: null, isRetriable: false, ...details }
  const httpStatusCode = ERROR_CODES[code]
  return { success: false, errorMessage: message, response: null, httpStatusCode, error }
}

export function answerError(envelope: ErrorEnvelope): Response {
  const { httpStatusCode: status } = envelope
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8' })
  if (status === 401) headers.set('www-authenticate', BASIC_CHALLENGE)
  if (status === 429 || status === 503) headers.set('retry-after', '1')
  return new Response(`${JSON.stringify(envelope)}\n`, { status, headers })
}

function codeOf(failure: Failure): ErrorCode {
  switch (failure.code) {
    case 'search.parameter':
    case 'request.invalid':
      return 'invalid_parameter'
    case 'search.query':
      return 'invalid_query'
    case 'search.not_found':
    case 'request.not_found':
      return 'not_found'
    case 'search.busy':
      return 'busy'
    default:
      return codeOfEntry(failure)
  }
}

function codeOfEntry({ entry }: Failure): ErrorCode {
  if (entry.status === 401) return 'sign_in_failed'
  if (entry.status === 403) return 'forbidden'
  if (entry.status === 404) return 'not_found'
  if (entry.status === 503) return 'unavailable'
  if (entry.status !== 200) return 'internal'
  switch (entry.search) {
    case 2:
      return 'too_many_results'
    case 3:
      return 'timeout'
    case 4:
      return 'cancelled'
    default:
      return 'resources_exceeded'
  }
}

function asText(value: string | number | undefined): string | null {
  return typeof value === 'string' ? value : null
}
