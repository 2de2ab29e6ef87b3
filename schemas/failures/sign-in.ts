// Sign-in (decision 7.1).
import type { FailuresOf } from './failure-entry.ts'

export const SIGN_IN_FAILURES = {
  'sign_in.failed': { status: 401, search: 1, message: 'sign-in failed' },
  'sign_in.slowed': {
    status: 401,
    search: 1,
    message: 'too many failed sign-ins, try again later',
  },
  'sign_in.busy': {
    status: 503,
    search: 1,
    retriable: true,
    message: 'too many sign-ins at this moment, try again',
  },
} as const satisfies FailuresOf<'sign_in'>
