// Everything else that answers over HTTP.
import type { FailuresOf } from './failure-entry.ts'

export const REQUEST_FAILURES = {
  'request.invalid': { status: 400, message: '{reason}' },
  'request.not_found': { status: 404, message: '{what} not found' },
  'request.internal': { status: 500, message: 'internal error' },
} as const satisfies FailuresOf<'request'>
