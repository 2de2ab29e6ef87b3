// A look at the embedded database before anything opens it: opening makes a file where there is
// none, and SQLite throws away a log (logeye.db-wal) whose database is empty.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { Failure } from '../../schemas/failures.ts'
import { toDatabaseFailure } from './database-failure.ts'
import { DATABASE_FILE } from './database-file.ts'

/**
 * missing: no file, or an empty one. log alone: so, beside a log that is not empty. empty: a file
 * without the tables of a product (most often its log is gone). filled: first accounts were made.
 */
export type DatabaseLook = 'missing' | 'log alone' | 'empty' | 'filled'

/** Changes nothing. Fails with database.damaged, database.unavailable. */
export function lookAtSqlite(dataDir: string): DatabaseLook {
  const path = join(dataDir, DATABASE_FILE)
  if (bytesOf(path) === 0) return bytesOf(`${path}-wal`) === 0 ? 'missing' : 'log alone'
  try {
    const libsql = new Libsql(path, { timeout: 5000 })
    try {
      const tables = "select count(*) as n from sqlite_master where name = 'users'"
      if (countOf(libsql.prepare(tables).get([])) === 0) return 'empty'
      const users = 'select count(*) as n from (select 1 from users limit 1)'
      return countOf(libsql.prepare(users).get([])) === 0 ? 'empty' : 'filled'
    } finally {
      libsql.close()
    }
  } catch (error) {
    throw toDatabaseFailure(error)
  }
}

/** Settings of a product that has begun; none where there is no database yet. Changes nothing. */
export function readSqliteSettings(
  dataDir: string,
  names: readonly string[],
): ReadonlyMap<string, string> {
  const settings = new Map<string, string>()
  if (lookAtSqlite(dataDir) !== 'filled') return settings
  const libsql = new Libsql(join(dataDir, DATABASE_FILE), { timeout: 5000 })
  try {
    const statement = libsql.prepare('select value from settings where name = ?')
    for (const name of names) {
      const row: unknown = statement.get([name])
      if (typeof row === 'object' && row !== null && 'value' in row)
        settings.set(name, String(row.value))
    }
    return settings
  } finally {
    libsql.close()
  }
}

function countOf(row: unknown): number {
  if (typeof row === 'object' && row !== null && 'n' in row) return Number(row.n)
  throw new Failure('database.failed')
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
