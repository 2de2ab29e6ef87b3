// Whose a monitor is. It runs with his rights, so only he and administrators change it; and what
// becomes of it tells of logs that he may view, so nobody else knows of it but who reads all alerts
// (docs/decisions/0091).
import { mayDo } from '../../../infra/access/may-do.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import { type Monitor, requireMonitor } from '../../../infra/metastore/monitors/monitors.ts'
import { requireUser } from '../../../infra/metastore/users/find-user.ts'
import { Failure } from '../../../schemas/failures.ts'
import { ANONYMOUS_USER, type UserRecord } from '../../../schemas/users.ts'

/** Who asks for monitors. */
export type MonitorViewer = {
  readonly id: number
  readonly isAdministrator: boolean
  /** Administrators do. */
  readonly readsAllAlerts: boolean
}

export function monitorViewer(user: UserRecord): MonitorViewer {
  const { id, isAdministrator } = user
  return { id, isAdministrator, readsAllAlerts: mayDo(user, 'system.alerts') }
}

export function mayKnowMonitor(
  { ownerId }: Pick<Monitor, 'ownerId'>,
  viewer: MonitorViewer,
): boolean {
  return viewer.readsAllAlerts || viewer.id === ownerId
}

/** Fails with object.not_found, also where the viewer may not know of it. */
export async function requireKnownMonitor(
  transaction: DatabaseTransaction,
  name: string,
  viewer: MonitorViewer,
): Promise<Monitor> {
  const monitor = await requireMonitor(transaction, name)
  if (mayKnowMonitor(monitor, viewer)) return monitor
  throw new Failure('object.not_found', { kind: 'monitor', name })
}

/** One that the viewer may change. Fails with object.not_found, monitor.not_own. */
export async function requireOwnMonitor(
  transaction: DatabaseTransaction,
  name: string,
  viewer: MonitorViewer,
): Promise<Monitor> {
  const monitor = await requireKnownMonitor(transaction, name, viewer)
  if (viewer.isAdministrator || viewer.id === monitor.ownerId) return monitor
  const owner = await ownerName(transaction, monitor.ownerId)
  throw new Failure('monitor.not_own', { name: monitor.name, owner })
}

/** '' where there is none any more. */
export async function ownerName(
  transaction: Pick<DatabaseTransaction, 'selectFrom'>,
  ownerId: number,
): Promise<string> {
  if (ownerId === ANONYMOUS_USER.id) return ''
  const row = await transaction
    .selectFrom('users')
    .select('name')
    .where('id', '=', ownerId)
    .where('removed_ms', 'is', null)
    .executeTakeFirst()
  return row?.name ?? ''
}

/** Undefined: as it is. Fails with rights.missing, object.not_found. */
export async function readOwner(
  transaction: DatabaseTransaction,
  owner: string | undefined,
  caller: { readonly id: number; readonly name: string; readonly isAdministrator: boolean },
): Promise<number | undefined> {
  if (owner === undefined) return undefined
  if (owner.trim() === '') return caller.id
  const { id } = await requireUser(transaction, owner.trim())
  if (id !== caller.id && !caller.isAdministrator) throw new Failure('rights.missing')
  return id
}
