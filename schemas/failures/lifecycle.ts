// Restart.
import type { FailuresOf } from './failure-entry.ts'

export const LIFECYCLE_FAILURES = {
  'lifecycle.no_restart': { status: 409, message: 'nothing is restarted: {reason}' },
} as const satisfies FailuresOf<'lifecycle'>
