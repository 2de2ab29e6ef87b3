import { describe, expect, it } from 'vitest'
import {
  endsConnection,
  isUndone,
  toPostgresFailure,
} from '../../../../../infra/database/postgres/failure.ts'
import { Failure } from '../../../../../schemas/failures.ts'

const serverError = (code: string, severity = 'ERROR') =>
  Object.assign(new Error('row text'), { code, severity })
const socketError = (code: string) => Object.assign(new Error('text'), { code })

describe('toPostgresFailure', () => {
  it.each([
    ['23505', 'database.conflict'],
    ['23503', 'database.failed'],
    ['42601', 'database.failed'],
    ['42501', 'database.failed'],
    ['53100', 'database.no_space'],
    ['XX001', 'database.damaged'],
    ['08006', 'database.unavailable'],
    ['28P01', 'database.unavailable'],
    ['40001', 'database.unavailable'],
    ['53300', 'database.unavailable'],
    ['55P03', 'database.unavailable'],
    ['57014', 'database.unavailable'],
    ['57P01', 'database.unavailable'],
    ['25006', 'database.unavailable'],
  ])('names %s %s, and says nothing of the text', (state, code) => {
    const failure = toPostgresFailure(serverError(state))
    expect(failure.code).toBe(code)
    expect(failure.message).not.toContain('row text')
  })

  it('names what is no answer of the server unavailable, also codes of five letters', () => {
    for (const error of [socketError('EPIPE'), socketError('ECONNRESET'), new Error('timeout')]) {
      expect(toPostgresFailure(error).code).toBe('database.unavailable')
      expect(endsConnection(error)).toBe(true)
    }
  })

  it('keeps a failure as it is', () => {
    const failure = new Failure('object.not_found', { kind: 'user', name: 'x' })
    expect(toPostgresFailure(failure)).toBe(failure)
  })
})

describe('isUndone', () => {
  it('lets run again what met another, or lost its connection before the commit', () => {
    for (const error of [
      serverError('40001'),
      serverError('40P01'),
      serverError('57P01', 'FATAL'),
      socketError('EPIPE'),
    ])
      expect(isUndone(toPostgresFailure(error))).toBe(true)
    expect(isUndone(toPostgresFailure(serverError('40001'), 'commit'))).toBe(true)
  })

  it('does not when nobody knows whether the commit was done, nor for anything else', () => {
    expect(isUndone(toPostgresFailure(socketError('EPIPE'), 'commit'))).toBe(false)
    expect(isUndone(toPostgresFailure(serverError('57P01', 'FATAL'), 'commit'))).toBe(false)
    for (const state of ['23505', '55P03', '57014', '42601', '53100'])
      expect(isUndone(toPostgresFailure(serverError(state)))).toBe(false)
    expect(isUndone(new Error('of the work'))).toBe(false)
  })
})
