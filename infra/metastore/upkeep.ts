// What one process of all on the database does now and then; which one, the lease `scheduler` says.
import { runAsHolder } from '../database/run-as-holder.ts'
import type { RoleContext } from '../supervisor/role-process.ts'
import { keepAuditShort } from './audit/audit-retention.ts'
import type { OpenedMetastore } from './open.ts'

/** What is done now and then by one process of all on the database, whatever else the process does. */
export function startUpkeep(
  {
    clock,
    logger,
    metrics,
    lifecycle,
  }: Pick<RoleContext, 'clock' | 'logger' | 'metrics' | 'lifecycle'>,
  metastore: OpenedMetastore,
): void {
  const { database } = metastore
  const stopping = new AbortController()
  const leads = metrics.gauge(
    'logeye_scheduler_leader',
    '1 in the process that leads the scheduler',
  )
  leads.set(0)
  const ended = runAsHolder(
    {
      database,
      clock,
      logger,
      name: 'scheduler',
      signal: stopping.signal,
      onChange: (isHeld) => leads.set(isHeld ? 1 : 0),
    },
    (held) =>
      keepAuditShort({ database, metastore, clock, logger, signal: held.signal, fence: held }),
  )
  lifecycle.add(
    'upkeep',
    () => {
      stopping.abort()
      return ended
    },
    300,
  )
}
