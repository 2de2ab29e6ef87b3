// What PostgreSQL and its client throw, as failures: by SQLSTATE and by codes of the network, never
// by text.
import { Failure, type FailureCode, isFailure } from '../../../schemas/failures.ts'

/** A transaction that met another one, or was silent for too long: it was undone, and may be run
 *  again from its start. */
const UNDONE: ReadonlySet<string> = new Set(['40001', '40P01', '25P03'])

const FAILURE_BY_STATE: ReadonlyMap<string, FailureCode> = new Map(
  Object.entries({
    '23505': 'database.conflict',
    '53100': 'database.no_space',
    XX001: 'database.damaged',
    XX002: 'database.damaged',
    '40001': 'database.unavailable',
    '40P01': 'database.unavailable',
    '55P03': 'database.unavailable',
    '57014': 'database.unavailable',
    // The server has become a standby: its successor may take the next connection.
    '25006': 'database.unavailable',
    '25P03': 'database.unavailable',
    '58030': 'database.unavailable',
    '3D000': 'database.unavailable',
  }),
)
/** Connection, authorization, resources, shutdown. */
const UNAVAILABLE_CLASSES: ReadonlySet<string> = new Set(['08', '28', '53', '57'])

export type Moment = 'statement' | 'commit'

/** An error of a commit says in its details that nobody knows whether it was done. */
export function toPostgresFailure(error: unknown, moment: Moment = 'statement'): Failure {
  if (isFailure(error)) return error
  const state = sqlState(error)
  if (state === undefined) {
    const cause = moment === 'commit' ? 'commit' : 'connection'
    return new Failure('database.unavailable', { cause }, error)
  }
  const isLost = moment === 'commit' && endsConnection(error)
  const code =
    FAILURE_BY_STATE.get(state) ??
    (isOfUnavailableClass(state) ? 'database.unavailable' : 'database.failed')
  return new Failure(code, { cause: isLost ? 'commit' : state }, error)
}

/** Nothing of the transaction was done, and the same may succeed at once. */
export function isUndone(error: unknown): boolean {
  if (!isFailure(error) || error.code !== 'database.unavailable') return false
  const cause = String(error.details.cause)
  return UNDONE.has(cause) || cause === 'connection' || cause.startsWith('57P')
}

/** The connection is of no more use: it is closed, or nobody knows what still runs in it. */
export function endsConnection(error: unknown): boolean {
  const state = sqlState(error)
  if (state === undefined) return true
  const isFatal =
    error instanceof Error && 'severity' in error && /^(FATAL|PANIC)$/.test(String(error.severity))
  return isFatal || state === '25006' || state.startsWith('57P') || state.startsWith('08')
}

/** Undefined: no answer of the server, but trouble of the client or the network. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

function isOfUnavailableClass(state: string): boolean {
  return UNAVAILABLE_CLASSES.has(state.slice(0, 2))
}
