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

/** Archives (docs/decisions/0108). `number`: of listArchives. */
export const ARCHIVE_FAILURES = {
  'archive.not_whole': {
    status: 409,
    retriable: true,
    message: 'archive {number} is not written yet: listArchives shows its state',
  },
  'archive.not_dropped': {
    status: 409,
    message: 'the events of archive {number} are still in the store: there is nothing to thaw',
  },
  'archive.is_thawed': {
    status: 409,
    message: 'archive {number} is thawed: end the thaw first',
  },
  /** `what`: which object, and what is wrong with it. */
  'archive.damaged': { status: 500, message: 'the archive is damaged: {what}' },
  /** `policy`: its name. */
  'archive.no_place': {
    status: 409,
    message:
      'the collection policy {policy} has no archive: give it archiveDirectory or archiveAccount',
  },
  /** `log`: its path. */
  'archive.no_log': {
    status: 409,
    message: 'there is no log {log} here, which the archive has events of: make it first',
  },
} as const satisfies FailuresOf<'archive'>
