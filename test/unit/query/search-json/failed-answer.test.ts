import { describe, expect, it } from 'vitest'
import { ERROR_ENVELOPE, toErrorEnvelope } from '../../../../query/search-json/failed-answer.ts'
import { FAILURES, Failure, type FailureCode } from '../../../../schemas/failures.ts'
import { errorEnvelope } from '../../../../schemas/search-json/answers.ts'

const CODES = Object.keys(FAILURES).filter((code): code is FailureCode => code in FAILURES)

describe('an error of the JSON interface', () => {
  it.each(CODES)('%s is what the schema says, with a status that is an error', (code) => {
    const envelope = toErrorEnvelope(new Failure(code, { parameter: 'p', reason: 'r' }), 1000)
    expect(errorEnvelope.parse(envelope)).toEqual(envelope)
    expect(envelope.httpStatusCode).toBeGreaterThanOrEqual(400)
    if (FAILURES[code].status === 500) expect(envelope.errorMessage).toMatch(/^internal error/)
  })

  it('names the parameter, or the place in the query', () => {
    const wrong = new Failure('search.parameter', { parameter: 'limit', reason: 'x' })
    expect(toErrorEnvelope(wrong, 1).error).toMatchObject({
      code: 'invalid_parameter',
      parameter: 'limit',
      position: null,
    })
    const query = new Failure('search.query', { position: 7, reason: 'x' })
    expect(toErrorEnvelope(query, 1).error).toMatchObject({
      code: 'invalid_query',
      parameter: 'query',
      position: 7,
    })
  })

  it('says nothing of a bug', () => {
    const text = JSON.stringify(toErrorEnvelope(new TypeError('secret row'), 1))
    expect(text).not.toContain('secret')
    expect(text).toContain('"httpStatusCode":500')
  })

  it('tells when to try again, and how to sign in', () => {
    const headers = (code: FailureCode) => ERROR_ENVELOPE.answer(new Failure(code), 1).headers
    expect(headers('search.busy').get('retry-after')).toBe('1')
    expect(headers('store.unavailable').get('retry-after')).toBe('1')
    expect(headers('sign_in.busy').get('retry-after')).toBe('1')
    expect(headers('sign_in.failed').get('www-authenticate')).toContain('Basic')
  })
})
