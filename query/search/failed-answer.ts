// From anything thrown to the answer of a search (decisions 4.3, 4.4). Pure.
import { type Failure, isFailure } from '../../schemas/failures.ts'
import type { Answer } from './print/xml.ts'

export type FailedAnswer = {
  readonly answer: Extract<Answer, { state: 'Fail' }>
  /** 200 for a search that failed, 401 for a failed sign-in, 403 for a page of another site, 503
   *  when the service cannot answer at all. */
  readonly httpStatus: 200 | 401 | 403 | 503
}

const INTERNAL = 'internal error, try again and then contact support'

/** `timeoutMs` is what the caller was given, for the text of code 3. */
export function toFailedAnswer(error: unknown, timeoutMs: number): FailedAnswer {
  if (!isFailure(error))
    return { answer: { state: 'Fail', code: 1, reason: INTERNAL }, httpStatus: 200 }
  const { status, search = 1 } = error.entry
  return {
    answer: { state: 'Fail', code: search, reason: reasonOf(error, timeoutMs) },
    httpStatus: error.code === 'request.cross_site' ? 403 : httpStatusOf(status),
  }
}

function httpStatusOf(status: number): 200 | 401 | 503 {
  return status === 401 || status === 503 ? status : 200
}

function reasonOf(failure: Failure, timeoutMs: number): string {
  if (failure.code === 'store.timeout') return `the search ran longer than ${timeoutMs} ms`
  // Failures of other areas than search, sign-in and rights are ours to repair; 500 says nothing to
  // the caller.
  return failure.entry.status === 500 ? INTERNAL : failure.message
}
