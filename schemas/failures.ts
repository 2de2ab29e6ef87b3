// Every way a request can fail, once: code, HTTP status, search code, text. Codes never change.
// The wire carries the part after the dot. `retriable` says that the same call may succeed later (infra/retry.ts).
// Engines' texts never stand here and never reach an answer: they quote user rows.

export type FailureEntry = {
  /** HTTP status of the surface's answer. */
  readonly status: number
  /** Failure code 1–5 of a search answer (specification, Errors). */
  readonly search?: 1 | 2 | 3 | 4 | 5
  /** Code of the ingest answer body (decision 2.3). */
  readonly ingest?: 4 | 5 | 6 | 8 | 9
  readonly retriable?: boolean
  /** `{name}` is replaced with `details.name`. Lower case, no full stop. */
  readonly message: string
}

export const FAILURES = {
  // listener (decision 2.3)
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
  'listener.body_too_large': {
    status: 400,
    ingest: 6,
    message: 'the body is larger than {maxBodyBytes} bytes',
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

  // event log
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
    message: 'the topic was made anew while it was in use',
  },
  'event_log.later_block': {
    status: 500,
    message:
      'a block is of version {version}, which this program does not know: it was written by a newer one, start that',
  },
  'event_log.damaged_block': { status: 500, message: 'a block of the event log is damaged' },
  'event_log.damaged': { status: 500, message: 'the event log is damaged: {reason}' },
  'event_log.gone': {
    status: 500,
    retriable: true,
    message: 'the files of the event log are gone or others, which were in use: {path}',
  },
  'event_log.block_too_large': {
    status: 500,
    message: 'the block is larger than {maxBlockBytes} bytes',
  },

  // store: by ClickHouse error code
  'store.unavailable': {
    status: 503,
    search: 1,
    retriable: true,
    message: 'the store does not answer',
  },
  'store.memory': {
    status: 200,
    search: 5,
    message: 'the search needs more memory than it may take',
  },
  'store.timeout': { status: 200, search: 3, message: 'the search ran longer than {timeoutMs} ms' },
  'store.cancelled': { status: 200, search: 4, message: 'the search was cancelled' },
  'store.too_many_rows': {
    status: 200,
    search: 2,
    message: 'the search gives more than {maxRows} results',
  },
  'store.no_space': {
    status: 503,
    search: 1,
    retriable: true,
    message: 'the store has no room on disk',
  },
  'store.data': { status: 500, search: 1, message: 'the store refused the data' },
  'store.regexp': {
    status: 200,
    search: 1,
    message: 'a regular expression of the query is too large, or is none that the store can use',
  },
  'store.too_complex': {
    status: 200,
    search: 5,
    message: 'the search is nested too deeply or too long for the store, make it simpler',
  },
  'store.poisoned': {
    status: 200,
    search: 1,
    message: 'this search crashed the store twice and is refused for ten minutes',
  },
  'store.too_many_groups': {
    status: 200,
    search: 5,
    message: 'the search gives more than 100000 groups',
  },
  'store.too_many_buckets': {
    status: 200,
    search: 5,
    message: 'the search gives more than 50000 intervals, take longer ones or a shorter time',
  },
  'store.too_many_values': {
    status: 200,
    search: 5,
    message: 'a query in brackets gives more than 10000 values',
  },
  'store.too_many_columns': {
    status: 200,
    search: 5,
    message: 'transpose makes more than 1000 columns',
  },
  'store.several_spellings': {
    status: 500,
    message:
      'equal values are spelled in several ways: the search runs once more, with another statement',
  },
  'store.damaged': {
    status: 500,
    search: 1,
    message: 'files of the store are damaged, its log says which',
  },
  'store.failed': { status: 500, search: 1, message: 'the store failed' },

  // database
  'database.unavailable': {
    status: 503,
    search: 1,
    retriable: true,
    message: 'the database does not answer',
  },
  'database.conflict': { status: 409, message: 'there is one of this name already' },
  'database.no_space': {
    status: 503,
    search: 1,
    retriable: true,
    message: 'the database has no room on disk',
  },
  'database.damaged': {
    status: 503,
    search: 1,
    message: 'the database file is damaged: an operator must bring back a copy of it',
  },
  'database.newer': {
    status: 500,
    message: 'the database was written by a newer version of the product',
  },
  'database.unsupported_url': {
    status: 500,
    message:
      'this database address is not supported: give postgres://…, or none for the embedded database',
  },
  'database.bad_url': {
    status: 500,
    message: 'the address LOGEYE_DATABASE_URL cannot be used: {reason}',
  },
  'database.refused': { status: 500, message: 'the database at {server} cannot be used: {reason}' },
  'database.unreachable': {
    status: 503,
    search: 1,
    retriable: true,
    message: 'no database answers at {server}: {reason}',
  },
  'database.lease_lost': {
    status: 503,
    retriable: true,
    message: 'another process does this now',
  },
  'database.failed': { status: 500, search: 1, message: 'the database failed' },

  // sign-in and rights (decision 7.1)
  'sign_in.failed': { status: 401, search: 1, message: 'sign-in failed' },
  'sign_in.slowed': {
    status: 401,
    search: 1,
    message: 'too many failed sign-ins, try again later',
  },
  'sign_in.busy': {
    status: 503,
    search: 1,
    retriable: true,
    message: 'too many sign in at this moment, try again',
  },
  'rights.missing': { status: 403, search: 1, message: 'this user may not do that' },

  // search (decisions 4.2-4.8)
  'search.parameter': { status: 200, search: 1, message: '{parameter}: {reason}' },
  'search.query': { status: 200, search: 1, message: 'query error at {position}: {reason}' },
  'search.too_many_results': {
    status: 200,
    search: 2,
    message: 'the search gives more than {maxResults} results',
  },
  'search.too_large': {
    status: 200,
    search: 2,
    message: 'the result is larger than {maxBytes} bytes, ask for less or export it',
  },
  'search.result_lost': {
    status: 200,
    search: 1,
    message: 'the stored result is not there any more, search again',
  },
  'search.timeout': {
    status: 200,
    search: 3,
    message: 'the search ran longer than {timeoutMs} ms',
  },
  'search.cancelled': { status: 200, search: 4, message: 'the search was cancelled' },
  'search.resources': { status: 200, search: 5, message: '{reason}' },
  'search.quota': {
    status: 200,
    search: 5,
    message:
      'your stored results have reached {limit}: give up pages by a cancel of their token, or wait until files are a day old',
  },
  'search.no_room': {
    status: 200,
    search: 5,
    message: 'the disk has no room for what this search would write, ask for less or later',
  },
  'search.busy': { status: 200, search: 5, message: 'too many searches run at once' },
  'search.not_found': { status: 200, search: 1, message: 'no such search' },
  'search.internal': {
    status: 500,
    search: 1,
    message: 'internal error, try again and then contact support',
  },

  // the frame: HTTP server and start of a process
  'http.port_taken': {
    status: 500,
    message: 'port {port} is already taken: stop the other program or set {setting}',
  },
  'http.cannot_listen': { status: 500, message: 'cannot listen on {address}:{port} ({reason})' },
  'http.certificate': {
    status: 500,
    message: 'the certificate or its key cannot be used: {reason}',
  },
  'start.data_dir_taken': {
    status: 500,
    message: 'the data directory {dataDir} is used by another process ({pid})',
  },
  'start.refused': { status: 500, message: '{reason}' },

  // SDK commands and the command line on the machine (decision 8)
  'sdk.unknown_command': { status: 404, message: 'there is no command {command}' },
  'sdk.argument': { status: 400, message: '-{argument}: {reason}' },
  'sdk.exists': { status: 409, message: '{what} {name} exists already{hint}' },
  'sdk.not_found': { status: 404, message: 'there is no {what} {name}' },
  'sdk.last_administrator': {
    status: 409,
    message: 'the last enabled administrator cannot be taken away',
  },
  'sdk.built_in': { status: 409, message: '{what} {name} is built in and stays as it is' },

  // restapi and SDK envelope
  'request.invalid': { status: 400, message: '{reason}' },
  'request.not_found': { status: 404, message: '{what} not found' },
  'request.internal': { status: 500, message: 'internal error' },
} as const satisfies Record<string, FailureEntry>

export type FailureCode = keyof typeof FAILURES
export type FailureDetails = Readonly<Record<string, string | number>>

/** A failure that somebody could name. Thrown with `new Failure('area.what', details, cause)`. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly details: FailureDetails

  constructor(code: FailureCode, details: FailureDetails = {}, cause?: unknown) {
    super(formatMessage(FAILURES[code].message, details), { cause })
    this.name = 'Failure'
    this.code = code
    this.details = details
  }

  get entry(): FailureEntry {
    return FAILURES[this.code]
  }
}

/** True also for a Failure made by another copy of this module. */
export function isFailure(error: unknown): error is Failure {
  return error instanceof Error && error.name === 'Failure' && 'code' in error
}

function formatMessage(template: string, details: FailureDetails): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(details[name] ?? whole))
}
