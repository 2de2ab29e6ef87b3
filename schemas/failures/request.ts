// Everything else that answers over HTTP.
import type { FailuresOf } from './failure-entry.ts'

export const REQUEST_FAILURES = {
  'request.invalid': { status: 400, message: '{reason}' },
  'request.not_found': { status: 404, message: '{what} not found' },
  'request.cross_site': {
    status: 403,
    search: 1,
    message:
      'a page of another site may not do this for its visitor: open the address directly, or sign in with autoLogin=true, username and password',
  },
  'request.csrf': {
    status: 403,
    message: 'the header X-CSRF-Token must hold the token that came with the session',
  },
  'request.internal': { status: 500, message: 'internal error' },
} as const satisfies FailuresOf<'request'>
