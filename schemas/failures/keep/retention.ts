// What ends the life of events, and what keeps it from that (docs/decisions/0084).
import type { FailuresOf } from '../failure-entry.ts'

export const RETENTION_FAILURES = {
  'retention.busy': {
    status: 409,
    retriable: true,
    message: 'events are being removed right now: try again in a minute',
  },
  /** `holds`: numbers. */
  'retention.held': {
    status: 409,
    message: 'events of it are under a legal hold, which listHolds shows: {holds}',
  },
  'retention.being_removed': {
    status: 503,
    retriable: true,
    message: 'the day of these events is being removed from the store',
  },
} as const satisfies FailuresOf<'retention'>
