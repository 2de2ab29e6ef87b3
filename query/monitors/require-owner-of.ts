// Whose rights a monitor or a report has, as they are now.
import { mayDo } from '../../infra/access/may-do.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { Failure } from '../../schemas/failures.ts'
import { ANONYMOUS_USER, type UserRecord } from '../../schemas/users.ts'

const KINDS = {
  monitor: { code: 'monitor.owner', plural: 'monitors', nobody: ', and runs as nobody' },
  report: { code: 'report.owner', plural: 'reports', nobody: '' },
} as const

/** Fails with monitor.owner, report.owner. */
export async function requireOwnerOf(
  kind: keyof typeof KINDS,
  { ownerId }: { readonly ownerId: number },
  metastore: OpenedMetastore,
): Promise<UserRecord> {
  const { code, plural, nobody } = KINDS[kind]
  await metastore.refresh()
  const refuse = (reason: string) => new Failure(code, { reason })
  if (ownerId === ANONYMOUS_USER.id) {
    if (metastore.isSecurityOn())
      throw refuse(`it was made while security was off${nobody}: give it an owner`)
    return ANONYMOUS_USER
  }
  const owner = metastore.users.byId(ownerId)
  if (owner === undefined) throw refuse('its owner was removed: give it another one')
  if (!owner.isEnabled) throw refuse(`its owner ${owner.name} is disabled`)
  if (!mayDo(owner, 'data.monitors'))
    throw refuse(`its owner ${owner.name} may not have ${plural} any more`)
  return owner
}
