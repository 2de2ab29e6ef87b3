// The database of accounts, users, folders and settings.
import type { FailuresOf } from './failure-entry.ts'

export const DATABASE_FAILURES = {
  'database.unavailable': {
    status: 503,
    search: 1,
    retriable: true,
    message: 'the database does not answer',
  },
  'database.conflict': { status: 409, message: 'this name is already taken' },
  'database.no_space': {
    status: 503,
    search: 1,
    retriable: true,
    message: 'the database has no room on disk',
  },
  'database.damaged': {
    status: 503,
    search: 1,
    message: 'the database file is damaged: an operator must restore it from a copy',
  },
  'database.newer': {
    status: 500,
    message: 'the database was written by a newer version of the product',
  },
  'database.unsupported_url': {
    status: 500,
    message:
      'this database address is not supported: give postgres://…, or nothing for the embedded database',
  },
  'database.bad_url': {
    status: 500,
    message: 'the address LOGEYE_DATABASE_URL cannot be used: {reason}',
  },
  'database.refused': { status: 500, message: 'the database at {server} cannot be used: {reason}' },
  'database.unreachable': {
    status: 503,
    search: 1,
    retriable: true,
    message: 'no database answers at {server}: {reason}, check LOGEYE_DATABASE_URL',
  },
  'database.lease_lost': {
    status: 503,
    retriable: true,
    message: 'another process has taken over this work',
  },
  'database.failed': { status: 500, search: 1, message: 'the database failed' },
} as const satisfies FailuresOf<'database'>
