// Answers of a search (decisions 4.2-4.8).
import type { FailuresOf } from './failure-entry.ts'

export const SEARCH_FAILURES = {
  'search.parameter': { status: 200, search: 1, message: '{parameter}: {reason}' },
  'search.query': { status: 200, search: 1, message: 'query error at {position}: {reason}' },
  'search.too_many_results': {
    status: 200,
    search: 2,
    message: 'the search gives more than {maxResults} results',
  },
  'search.too_large': {
    status: 200,
    search: 2,
    message: 'the result is larger than {maxBytes} bytes, ask for less or export it',
  },
  'search.result_lost': {
    status: 200,
    search: 1,
    message: 'the stored result is gone, search again',
  },
  'search.timeout': {
    status: 200,
    search: 3,
    message: 'the search ran longer than {timeoutMs} ms',
  },
  'search.cancelled': { status: 200, search: 4, message: 'the search was cancelled' },
  'search.resources': { status: 200, search: 5, message: '{reason}' },
  'search.quota': {
    status: 200,
    search: 5,
    message:
      'your stored results have reached {limit}: cancel the tokens of pages that you no longer need, or wait until your files are a day old',
  },
  'search.no_room': {
    status: 200,
    search: 5,
    message:
      'the disk has no room for what this search would write: ask for less, or try again later',
  },
  'search.busy': { status: 200, search: 5, message: 'too many searches run at once' },
  'search.not_found': {
    status: 200,
    search: 1,
    message: 'no running search or page token of this name: it may have ended',
  },
  'search.internal': {
    status: 500,
    search: 1,
    message: 'internal error, try again and then contact support',
  },
} as const satisfies FailuresOf<'search'>
