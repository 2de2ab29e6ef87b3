// Who sees the logs of the product itself, System->audit and System->alerts: an operation says
// it, no list of viewers (docs/decisions/0046).
import {
  GUARDED_LOG_NAMES,
  GUARDED_LOGS,
  type GuardedLog,
} from '../../../schemas/names/guarded-logs.ts'
import type { Operation } from '../../../schemas/users.ts'
import type { Reader } from './port.ts'
import type { SecurityState } from './security-state.ts'

const NONE = new Set<GuardedLog>()

/** By the rights of now and by those that this way of signing in leaves. */
export function openedLogs({ usersById }: SecurityState, reader: Reader): ReadonlySet<GuardedLog> {
  const now = usersById.get(reader.id)
  if (now === undefined) return NONE
  const own = logsOpenedBy(reader.operations)
  return new Set([...logsOpenedBy(now.operations)].filter((name) => own.has(name)))
}

export function logsOpenedBy(operations: ReadonlySet<Operation>): ReadonlySet<GuardedLog> {
  return new Set(GUARDED_LOG_NAMES.filter((name) => operations.has(GUARDED_LOGS[name])))
}
