// Logs of the product that an operation opens, and no list of viewers: for others they are not
// there. A search reads them only where it names them (docs/decisions/0046, 0091).
import type { Operation } from '../users.ts'
import { ALERTS_LOG, AUDIT_LOG, SYSTEM_FOLDER } from './log-path.ts'

export const GUARDED_LOGS = {
  [AUDIT_LOG]: 'system.audit',
  [ALERTS_LOG]: 'system.alerts',
} as const satisfies Readonly<Record<string, Operation>>

export type GuardedLog = keyof typeof GUARDED_LOGS

export const GUARDED_LOG_NAMES: readonly GuardedLog[] = [AUDIT_LOG, ALERTS_LOG]

/** Undefined: an ordinary log. */
export function guardedLogOf(log: {
  readonly folder: readonly string[]
  readonly name: string
}): GuardedLog | undefined {
  if (log.folder.length !== 1 || log.folder[0] !== SYSTEM_FOLDER) return undefined
  return GUARDED_LOG_NAMES.find((name) => name === log.name)
}
