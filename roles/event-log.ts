// The event log, open in each process that has database and store: it takes, stores or answers
// events, or copies the audit log into it.
import type { Config } from '../infra/config-schema.ts'
import { openEventLog } from '../infra/event-log/open.ts'
import type { EventLog } from '../infra/event-log/port.ts'
import { recognizeEventLog } from '../infra/metastore/ledger/known-event-log.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import type { Engines } from './engines.ts'

export type EnginesWithLog = Engines & { readonly eventLog: EventLog }

export async function openRoleEventLog(
  { clock, logger, lifecycle }: RoleContext,
  { eventLogUrl, dataDir, eventLog: limits }: Config,
  engines: Engines,
): Promise<EnginesWithLog> {
  const { database } = engines.metastore
  const eventLog = await openEventLog({
    url: eventLogUrl?.reveal(),
    dataDir,
    ...limits,
    clock,
    logger,
    recognize: (identity) => recognizeEventLog(database, identity, clock),
  })
  lifecycle.add('event log', () => eventLog.close(), 500)
  return { ...engines, eventLog }
}
