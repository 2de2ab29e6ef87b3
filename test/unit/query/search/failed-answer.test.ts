import { describe, expect, it } from 'vitest'
import { toFailedAnswer } from '../../../../query/search/failed-answer.ts'
import { FAILURES, Failure, type FailureCode } from '../../../../schemas/failures.ts'

const INTERNAL = 'internal error, try again and then contact support'

describe('what a failed search answers', () => {
  it.each<[FailureCode, Record<string, string | number>, number, number, string]>([
    ['search.parameter', { parameter: 'timeout', reason: 'bad' }, 200, 1, 'timeout: bad'],
    ['search.query', { position: 3, reason: 'no' }, 200, 1, 'query error at 3: no'],
    ['search.too_many_results', { maxResults: 5 }, 200, 2, 'the search gives more than 5 results'],
    ['search.result_lost', {}, 200, 1, 'the stored result is gone, search again'],
    ['search.timeout', { timeoutMs: 7 }, 200, 3, 'the search ran longer than 7 ms'],
    ['store.timeout', {}, 200, 3, 'the search ran longer than 7 ms'],
    ['search.cancelled', {}, 200, 4, 'the search was cancelled'],
    ['store.cancelled', {}, 200, 4, 'the search was cancelled'],
    ['store.memory', {}, 200, 5, 'the search needs more memory than it may take'],
    ['search.busy', {}, 200, 5, 'too many searches run at once'],
    ['sign_in.failed', {}, 401, 1, 'sign-in failed'],
    ['request.cross_site', {}, 403, 1, FAILURES['request.cross_site'].message],
    ['sign_in.busy', {}, 503, 1, 'too many sign-ins at this moment, try again'],
    ['store.unavailable', {}, 503, 1, 'the store does not answer'],
    ['database.unavailable', {}, 503, 1, 'the database does not answer'],
    ['store.failed', {}, 200, 1, INTERNAL],
    ['store.data', {}, 200, 1, INTERNAL],
  ])('%s', (code, details, httpStatus, answerCode, reason) => {
    expect(toFailedAnswer(new Failure(code, details), 7)).toEqual({
      answer: { state: 'Fail', code: answerCode, reason },
      httpStatus,
    })
  })

  it.each([new TypeError('secret of an engine'), 'text', undefined])(
    'says nothing of %s but that it is internal',
    (error) => {
      expect(toFailedAnswer(error, 7)).toEqual({
        answer: { state: 'Fail', code: 1, reason: INTERNAL },
        httpStatus: 200,
      })
    },
  )

  it('has a code from 1 to 5 for every failure there is', () => {
    const isCode = (name: string): name is FailureCode => name in FAILURES
    for (const name of Object.keys(FAILURES).filter(isCode)) {
      const { answer, httpStatus } = toFailedAnswer(new Failure(name), 1)
      expect([1, 2, 3, 4, 5]).toContain(answer.code)
      expect([200, 401, 403, 503]).toContain(httpStatus)
    }
  })
})
