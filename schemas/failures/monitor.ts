// Monitors and alerts (docs/decisions/0091).
import type { FailuresOf } from './failure-entry.ts'

export const MONITOR_FAILURES = {
  'monitor.rule': { status: 400, message: 'the rule does not fit: {reason}' },
  'monitor.column': { status: 400, message: 'the result has no column {column}' },
  'monitor.too_much': {
    status: 400,
    message: 'the query gives more than {max} {what}: narrow it, or let it count',
  },
  'monitor.owner': { status: 409, message: 'the monitor does not run: {reason}' },
  'monitor.not_own': {
    status: 403,
    message:
      'the monitor {name} runs with the rights of {owner}: only they and administrators may change it',
  },
} as const satisfies FailuresOf<'monitor'>
