// Rights (decision 7.1).
import type { FailuresOf } from './failure-entry.ts'

export const RIGHTS_FAILURES = {
  'rights.missing': { status: 403, search: 1, message: 'this user may not do that' },
} as const satisfies FailuresOf<'rights'>
