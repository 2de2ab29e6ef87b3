// Sending mail.
import type { FailuresOf } from '../failure-entry.ts'

export const MAIL_FAILURES = {
  'mail.refused': { status: 502, message: 'the mail server refuses the mail with {code}' },
  'mail.unreachable': {
    status: 503,
    retriable: true,
    message: 'the mail server does not take the mail now',
  },
} as const satisfies FailuresOf<'mail'>
