// SDK commands (decision 8).
import type { FailuresOf } from './failure-entry.ts'

export const SDK_FAILURES = {
  'sdk.unknown_command': { status: 404, message: 'there is no command {command}' },
  /** A part of the product that comes later. */
  'sdk.task_failed': { status: 409, message: 'the task {name} failed: {reason}' },
  'sdk.not_yet': { status: 501, message: '{what} cannot be done yet' },
  'sdk.plan_changed': {
    status: 409,
    message: 'the configuration has changed since the plan was made: nothing was done, plan again',
  },
  'sdk.argument': { status: 400, message: '-{argument}: {reason}' },
} as const satisfies FailuresOf<'sdk'>
