// Who a monitor runs as, and the time that it reads.
import { mayDo } from '../../../infra/access/may-do.ts'
import type { Monitor } from '../../../infra/metastore/monitors/monitors.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import { Failure } from '../../../schemas/failures.ts'
import { type MonitorSettings, NEW_EVENTS } from '../../../schemas/monitors/monitor.ts'
import type { TimeWindow } from '../../../schemas/time/time-window.ts'
import { ANONYMOUS_USER, type UserRecord } from '../../../schemas/users.ts'

const ALL_TIME: TimeWindow = { startMs: null, endMs: null }

export function windowOf({ window }: Pick<MonitorSettings, 'window'>, dueMs: number): TimeWindow {
  return window === NEW_EVENTS ? ALL_TIME : { startMs: dueMs - window, endMs: dueMs }
}

/** Fails with monitor.owner. */
export async function requireOwner(
  { ownerId }: Pick<Monitor, 'ownerId'>,
  metastore: OpenedMetastore,
): Promise<UserRecord> {
  await metastore.refresh()
  const refuse = (reason: string) => new Failure('monitor.owner', { reason })
  if (ownerId === ANONYMOUS_USER.id) {
    if (metastore.isSecurityOn())
      throw refuse('it was made while security was off, and runs as nobody: give it an owner')
    return ANONYMOUS_USER
  }
  const owner = metastore.users.byId(ownerId)
  if (owner === undefined) throw refuse('its owner was removed: give it another one')
  if (!owner.isEnabled) throw refuse(`its owner ${owner.name} is disabled`)
  if (!mayDo(owner, 'data.monitors'))
    throw refuse(`its owner ${owner.name} may not have monitors any more`)
  return owner
}
