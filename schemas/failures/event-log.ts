// The event log; senders meet it as a failure of the listener.
import type { FailuresOf } from './failure-entry.ts'

export const EVENT_LOG_FAILURES = {
  'event_log.full': { status: 500, retriable: true, message: 'the event log has no room' },
  'event_log.unavailable': {
    status: 500,
    retriable: true,
    message: 'the event log does not answer',
  },
  'event_log.bad_url': {
    status: 500,
    message: 'the address LOGEYE_EVENT_LOG_URL cannot be used: {reason}',
  },
  'event_log.not_owner': {
    status: 500,
    retriable: true,
    message: 'the partition belongs to another writer',
  },
  'event_log.unsound': {
    status: 500,
    retriable: true,
    message: 'the event log contradicts itself: {reason}',
  },
  'event_log.another': {
    status: 500,
    message: 'the topic was deleted and created again while it was in use',
  },
  'event_log.later_block': {
    status: 500,
    message:
      'a block has version {version}, which this program does not know: start the newer program that wrote it',
  },
  'event_log.damaged_block': { status: 500, message: 'a block of the event log is damaged' },
  'event_log.damaged': { status: 500, message: 'the event log is damaged: {reason}' },
  'event_log.gone': {
    status: 500,
    retriable: true,
    message: 'the files of the event log were removed or replaced while they were in use: {path}',
  },
  'event_log.block_too_large': {
    status: 500,
    message: 'the block is larger than {maxBlockBytes} bytes',
  },
} as const satisfies FailuresOf<'event_log'>
