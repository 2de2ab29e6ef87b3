// Where files are kept: a folder, or a bucket of an object storage.
import type { FailuresOf } from '../failure-entry.ts'

export const OBJECT_STORE_FAILURES = {
  'object_store.missing': { status: 404, message: 'there is no such object' },
  'object_store.unavailable': {
    status: 503,
    retriable: true,
    message: 'the store of objects cannot be used now: {reason}',
  },
  'object_store.refused': {
    status: 502,
    message: 'the store of objects refuses the call with the status {status}: {reason}',
  },
} as const satisfies FailuresOf<'object_store'>
