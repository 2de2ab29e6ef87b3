// From anything thrown to the answer of the JSON interface: the envelope's own fields, and what
// went wrong in detail.
import { jsonContent, type Refusal } from '../../infra/http/routes/route.ts'
import { type Failure, isFailure } from '../../schemas/failures.ts'
import {
  ERROR_CODES,
  type ErrorCode,
  type ErrorEnvelope,
  errorEnvelope as errorEnvelopeSchema,
} from '../../schemas/search-json/answers.ts'
import { JSON_TYPE, makeAnswer } from '../edge/answer.ts'
import { describeRefusal, type FailureShape } from '../edge/failure-shape.ts'

const INTERNAL = 'internal error, try again and then contact support'

export const ERROR_ENVELOPE: FailureShape = {
  answer: (error, timeoutMs) => answerError(toErrorEnvelope(error, timeoutMs)),
  refuse: (refusal) => answerError(errorEnvelope(codeOfRefusal(refusal), describeRefusal(refusal))),
  refusalContent: jsonContent(errorEnvelopeSchema),
}

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

function errorEnvelope(
  code: ErrorCode,
  message: string,
  details: Partial<Pick<ErrorEnvelope['error'], 'parameter' | 'position' | 'isRetriable'>> = {},
): ErrorEnvelope {
  const error = { code, message, parameter: null, position: null, isRetriable: false, ...details }
  const httpStatusCode = ERROR_CODES[code]
  return { success: false, errorMessage: message, response: null, httpStatusCode, error }
}

function answerError(envelope: ErrorEnvelope): Response {
  const status = envelope.httpStatusCode
  return makeAnswer(`${JSON.stringify(envelope)}\n`, { status, type: JSON_TYPE })
}

function codeOfRefusal({ kind }: Refusal): ErrorCode {
  switch (kind) {
    case 'unknown_path':
      return 'not_found'
    case 'other_method':
      return 'method_not_allowed'
    case 'too_large':
      return 'invalid_parameter'
  }
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
  if (entry.status === 409) return 'conflict'
  if (entry.status === 400) return 'invalid_parameter'
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
