import { describe, expect, it } from 'vitest'
import { toFailure } from '../../../../infra/store/errors.ts'

describe('errors of the store', () => {
  it.each([
    ['159', 'store.timeout'],
    ['394', 'store.cancelled'],
    ['241', 'store.memory'],
    ['396', 'store.too_many_rows'],
    ['243', 'store.no_space'],
    ['252', 'store.unavailable'],
    ['202', 'store.unavailable'],
    ['6', 'store.data'],
    ['27', 'store.data'],
    ['53', 'store.data'],
    ['117', 'store.data'],
    ['427', 'store.regexp'],
    ['306', 'store.too_complex'],
    ['718', 'store.too_complex'],
    ['9001', 'store.poisoned'],
    ['40', 'store.damaged'],
    ['246', 'store.damaged'],
    ['60', 'store.failed'],
    ['ECONNREFUSED', 'store.unavailable'],
    ['ECONNRESET', 'store.unavailable'],
    ['ENOENT', 'store.failed'],
  ])('%s is %s', (code, failure) => {
    const error = Object.assign(new Error("engine text with a user's row"), { code })
    expect(toFailure(error, { timeoutMs: 5 })).toMatchObject({ code: failure, cause: error })
    expect(toFailure(error, {}).message).not.toContain('row')
  })

  it.each([
    ['Query tree is too big. Maximum: 500000', 'store.too_complex'],
    ['The pattern argument is not a valid re2 pattern: missing ): (', 'store.regexp'],
    ["Bad get: a row says 'Query tree is too big'", 'store.failed'],
  ])('36 is told apart by its first words: %s', (text, failure) => {
    const error = Object.assign(new Error(text), { code: '36' })
    expect(toFailure(error, {}).code).toBe(failure)
  })

  it('a bug of ours is no connection error', () => {
    expect(toFailure(new TypeError('x is not a function'), {}).code).toBe('store.failed')
  })
})
