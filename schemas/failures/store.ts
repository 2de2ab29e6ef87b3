// The store, by ClickHouse's error code.
import type { FailuresOf } from './failure-entry.ts'

export const STORE_FAILURES = {
  'store.unavailable': {
    status: 503,
    search: 1,
    retriable: true,
    message: 'the store does not answer',
  },
  'store.memory': {
    status: 200,
    search: 5,
    message: 'the search needs more memory than it may take',
  },
  'store.timeout': { status: 200, search: 3, message: 'the search ran longer than {timeoutMs} ms' },
  'store.cancelled': { status: 200, search: 4, message: 'the search was cancelled' },
  'store.too_many_rows': {
    status: 200,
    search: 2,
    message: 'the search gives more than {maxRows} results',
  },
  'store.no_space': {
    status: 503,
    search: 1,
    retriable: true,
    message: 'the store has no room on disk',
  },
  'store.data': { status: 500, search: 1, message: 'the store refused the data' },
  'store.regexp': {
    status: 200,
    search: 1,
    message: 'a regular expression of the query is too large, or the store cannot use it',
  },
  'store.too_complex': {
    status: 200,
    search: 5,
    message: 'the search is too long or too deeply nested for the store, make it simpler',
  },
  'store.poisoned': {
    status: 200,
    search: 1,
    message:
      'this search crashed the store twice and is refused for ten minutes: ask in another way, and tell the operator',
  },
  'store.too_many_groups': {
    status: 200,
    search: 5,
    message: 'the search gives more than 100000 groups',
  },
  'store.too_many_buckets': {
    status: 200,
    search: 5,
    message: 'the search gives more than 50000 intervals, take longer ones or a shorter time',
  },
  'store.too_many_values': {
    status: 200,
    search: 5,
    message: 'a query in brackets gives more than 10000 values',
  },
  'store.too_many_columns': {
    status: 200,
    search: 5,
    message: 'transpose makes more than 1000 columns',
  },
  'store.several_spellings': {
    status: 500,
    message:
      'equal values are spelled in several ways: the search is repeated with another statement',
  },
  'store.damaged': {
    status: 500,
    search: 1,
    message: 'files of the store are damaged, the log of the store names them',
  },
  'store.failed': { status: 500, search: 1, message: 'the store failed' },
} as const satisfies FailuresOf<'store'>
