// The start of the product.
import type { FailuresOf } from './failure-entry.ts'

export const START_FAILURES = {
  'start.data_dir_taken': {
    status: 500,
    message: 'the data directory {dataDir} is used by another process ({pid})',
  },
  'start.refused': { status: 500, message: '{reason}' },
} as const satisfies FailuresOf<'start'>
