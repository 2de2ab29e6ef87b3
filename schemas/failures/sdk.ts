// SDK commands and the command line on the machine (decision 8).
import type { FailuresOf } from './failure-entry.ts'

export const SDK_FAILURES = {
  'sdk.unknown_command': { status: 404, message: 'there is no command {command}' },
  'sdk.argument': { status: 400, message: '-{argument}: {reason}' },
  'sdk.exists': { status: 409, message: '{what} {name} exists already{hint}' },
  'sdk.not_found': { status: 404, message: 'there is no {what} {name}' },
  'sdk.last_administrator': {
    status: 409,
    message: 'the last enabled administrator cannot be taken away',
  },
  'sdk.built_in': { status: 409, message: '{what} {name} is built in and stays as it is' },
} as const satisfies FailuresOf<'sdk'>
