// Reports by mail (docs/decisions/0125).
import type { FailuresOf } from './failure-entry.ts'

export const REPORT_FAILURES = {
  'report.owner': { status: 409, message: 'the report is not sent: {reason}' },
  'report.source': { status: 409, message: 'the report cannot be made: {reason}' },
} as const satisfies FailuresOf<'report'>
