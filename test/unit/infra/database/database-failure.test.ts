import { describe, expect, it } from 'vitest'
import { isBusy, toDatabaseFailure } from '../../../../infra/database/database-failure.ts'
import { Failure } from '../../../../schemas/failures.ts'

const sqliteError = (code: string) => Object.assign(new Error('row text'), { code })

describe('toDatabaseFailure', () => {
  it.each([
    ['SQLITE_BUSY', 'database.unavailable'],
    ['SQLITE_BUSY_SNAPSHOT', 'database.unavailable'],
    ['SQLITE_IOERR_WRITE', 'database.unavailable'],
    ['SQLITE_CANTOPEN', 'database.unavailable'],
    ['SQLITE_FULL', 'database.no_space'],
    ['SQLITE_CORRUPT_INDEX', 'database.damaged'],
    ['SQLITE_NOTADB', 'database.damaged'],
    ['SQLITE_CONSTRAINT_UNIQUE', 'database.conflict'],
    ['SQLITE_CONSTRAINT_PRIMARYKEY', 'database.conflict'],
    ['SQLITE_CONSTRAINT_FOREIGNKEY', 'database.failed'],
    ['SQLITE_ERROR', 'database.failed'],
  ])('names %s %s', (code, failure) => {
    expect(toDatabaseFailure(sqliteError(code)).code).toBe(failure)
  })

  it('keeps a failure as it is and says nothing of the text', () => {
    const failure = new Failure('object.not_found', { kind: 'user', name: 'x' })
    expect(toDatabaseFailure(failure)).toBe(failure)
    expect(toDatabaseFailure(sqliteError('SQLITE_FULL')).message).not.toContain('row text')
  })

  it('waits only for locks', () => {
    expect(isBusy(sqliteError('SQLITE_BUSY_RECOVERY'))).toBe(true)
    expect(isBusy(sqliteError('SQLITE_FULL'))).toBe(false)
    expect(isBusy(new Error('x'))).toBe(false)
  })
})
