// With whose rights a report is made, as they are now.
import { mayDo } from '../../infra/access/may-do.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import type { Report } from '../../infra/metastore/reports/reports.ts'
import { Failure } from '../../schemas/failures.ts'
import { ANONYMOUS_USER, type UserRecord } from '../../schemas/users.ts'

/** Fails with report.owner. */
export async function requireReportOwner(
  { ownerId }: Pick<Report, 'ownerId'>,
  metastore: OpenedMetastore,
): Promise<UserRecord> {
  await metastore.refresh()
  const refuse = (reason: string) => new Failure('report.owner', { reason })
  if (ownerId === ANONYMOUS_USER.id) {
    if (metastore.isSecurityOn())
      throw refuse('it was made while security was off: give it an owner')
    return ANONYMOUS_USER
  }
  const owner = metastore.users.byId(ownerId)
  if (owner === undefined) throw refuse('its owner was removed: give it another one')
  if (!owner.isEnabled) throw refuse(`its owner ${owner.name} is disabled`)
  if (!mayDo(owner, 'data.monitors'))
    throw refuse(`its owner ${owner.name} may not have reports any more`)
  return owner
}
