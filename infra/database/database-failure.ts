// SQLite's result codes as failures, by code and never by text.
import { Failure, type FailureCode, isFailure } from '../../schemas/failures.ts'

const FAILURE_BY_PRIMARY_CODE: Readonly<Record<string, FailureCode>> = {
  SQLITE_BUSY: 'database.unavailable',
  SQLITE_LOCKED: 'database.unavailable',
  SQLITE_IOERR: 'database.unavailable',
  SQLITE_CANTOPEN: 'database.unavailable',
  SQLITE_READONLY: 'database.unavailable',
  SQLITE_PROTOCOL: 'database.unavailable',
  SQLITE_NOMEM: 'database.unavailable',
  SQLITE_FULL: 'database.no_space',
  SQLITE_CORRUPT: 'database.damaged',
  SQLITE_NOTADB: 'database.damaged',
}

const CONFLICT_CODES: ReadonlySet<string> = new Set([
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
])

export function toDatabaseFailure(error: unknown): Failure {
  if (isFailure(error)) return error
  const code = sqliteCode(error)
  if (code === undefined) return new Failure('database.failed', {}, error)
  if (CONFLICT_CODES.has(code)) return new Failure('database.conflict', {}, error)
  return new Failure(
    FAILURE_BY_PRIMARY_CODE[primaryCode(code)] ?? 'database.failed',
    { cause: code },
    error,
  )
}

/** Somebody else holds the lock: the same statement may succeed in a moment. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error)
  return code !== undefined && ['SQLITE_BUSY', 'SQLITE_LOCKED'].includes(primaryCode(code))
}

function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : undefined
}

/** `SQLITE_IOERR_WRITE` -> `SQLITE_IOERR`. */
function primaryCode(code: string): string {
  return code.split('_').slice(0, 2).join('_')
}
