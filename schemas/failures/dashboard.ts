// Apps and dashboards (decisions 6.1-6.4).
import type { FailuresOf } from './failure-entry.ts'

export const DASHBOARD_FAILURES = {
  'dashboard.variable': { status: 400, message: 'variable {variable}: {reason}' },
  'dashboard.parameter': { status: 400, message: '{parameter}: {reason}' },
  /** Decision 6.2. */
  'dashboard.late': {
    status: 503,
    retriable: true,
    message: 'the result was not ready within {seconds} seconds: try again, or ask for less',
  },
  'dashboard.busy': {
    status: 503,
    retriable: true,
    message: 'too many documents are being made at once: try again',
  },
} as const satisfies FailuresOf<'dashboard'>
