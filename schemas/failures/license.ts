// The licence.
import type { FailuresOf } from './failure-entry.ts'

export const LICENSE_FAILURES = {
  'license.refused': {
    status: 409,
    message: 'the licence is refused: {reason}; what was installed before stays',
  },
} as const satisfies FailuresOf<'license'>
