// Patches of the product (docs/decisions/0112).
import type { FailuresOf } from '../failure-entry.ts'

export const PATCH_FAILURES = {
  'patch.refused': { status: 400, message: 'the patch is not taken: {reason}' },
} as const satisfies FailuresOf<'patch'>
