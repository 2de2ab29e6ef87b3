// Answers of the ingest endpoint (decision 2.3).
// Rejections of single events carry the part after the dot.
import type { FailuresOf } from './failure-entry.ts'

export const LISTENER_FAILURES = {
  'listener.token_missing': { status: 400, ingest: 4, message: 'the token parameter is missing' },
  'listener.token_invalid': { status: 400, ingest: 4, message: 'the token is not accepted' },
  'listener.no_data': { status: 400, ingest: 5, message: 'the body holds no event' },
  'listener.invalid_json': { status: 400, ingest: 6, message: 'the body is not valid JSON' },
  'listener.not_an_object': { status: 400, ingest: 6, message: 'an event must be a JSON object' },
  'listener.too_large': {
    status: 400,
    ingest: 6,
    message: 'an event is larger than {maxEventBytes} bytes',
  },
  'listener.too_deep': {
    status: 400,
    ingest: 6,
    message: 'an event is nested deeper than {maxDepth} levels',
  },
  'listener.too_many_columns': {
    status: 400,
    ingest: 6,
    message: 'an event has more than {maxColumns} columns',
  },
  'listener.bad_specversion': {
    status: 400,
    ingest: 6,
    message: 'a CloudEvent needs the attribute specversion with the text 1.0',
  },
  'listener.missing_attribute': {
    status: 400,
    ingest: 6,
    message: 'a CloudEvent needs the attributes id, source and type as texts that are not empty',
  },
  'listener.bad_time': {
    status: 400,
    ingest: 6,
    message:
      'the attribute time of a CloudEvent must be absent, or a time of RFC 3339 in the years 1970 to 2199',
  },
  'listener.not_cloudevents': {
    status: 400,
    ingest: 6,
    message:
      'send Content-Type application/cloudevents+json or application/cloudevents-batch+json; binary mode is not supported',
  },
  'listener.body_too_large': {
    status: 400,
    ingest: 6,
    message: 'the body is larger than {maxBodyBytes} bytes',
  },
  'listener.block_too_large': {
    status: 400,
    ingest: 6,
    message:
      'the body and the places of its events need more than {maxBlockBytes} bytes in the event log: send fewer events in one request',
  },
  'listener.too_many_events': {
    status: 400,
    ingest: 6,
    message: 'the body holds more than {maxEvents} events',
  },
  'listener.bad_encoding': { status: 400, ingest: 6, message: 'the body cannot be decompressed' },
  'listener.unsupported_encoding': {
    status: 400,
    ingest: 6,
    message: 'the content encoding is not supported',
  },
  'listener.method_not_allowed': {
    status: 405,
    ingest: 6,
    message: 'the method is not allowed here',
  },
  'listener.receipt_invalid': { status: 400, ingest: 6, message: 'the receipt is not valid' },
  'listener.busy': { status: 500, ingest: 9, retriable: true, message: 'the server is busy' },
  'listener.rate_limited': {
    status: 500,
    ingest: 9,
    retriable: true,
    message: 'the account has sent as much as it may in a second',
  },
  'listener.volume_reached': {
    status: 500,
    ingest: 9,
    retriable: true,
    message: 'the account has sent as much as it may on this day',
  },
  'listener.disk_reserve': {
    status: 500,
    ingest: 9,
    retriable: true,
    message: 'the disk reserve is reached',
  },
  'listener.event_log_full': {
    status: 500,
    ingest: 9,
    retriable: true,
    message: 'the event log has reached its limit',
  },
  'listener.event_log_unavailable': {
    status: 500,
    ingest: 8,
    retriable: true,
    message: 'the event log does not accept data',
  },
  'listener.accounts_unavailable': {
    status: 500,
    ingest: 8,
    retriable: true,
    message: 'the token cannot be checked now',
  },
  'listener.internal': { status: 500, ingest: 8, message: 'internal error' },
} as const satisfies FailuresOf<'listener'>
