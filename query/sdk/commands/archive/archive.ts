// archive: the row in the database; the scheduler writes it.
import { addArchive } from '../../../../infra/metastore/archive/archives.ts'
import { requirePolicy } from '../../../../infra/metastore/policies/collection-policies.ts'
import { readUnits } from '../../../../infra/store/read-units.ts'
import { isArchiving } from '../../../../schemas/collection-policy.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { printDay } from '../../../../schemas/keep/store-damage.ts'
import { archive as published } from '../../../../schemas/sdk/archive/archive.ts'
import { describeArchive } from '../../server/keep/archives.ts'
import { serveCommand } from '../../server/serve-command.ts'

const LIMIT_MS = 30_000
const DAY_MS = 86_400_000
const UNIQUE_BYTES = 6

export const archive = serveCommand(published, async ({ policy: name, day }, tools) => {
  const { clock, store, caller } = tools
  const nowMs = clock.nowMs()
  if (day >= Math.floor(nowMs / DAY_MS))
    throw new Failure('sdk.argument', { argument: 'day', reason: 'is not over yet' })
  const units = await readUnits(store, AbortSignal.timeout(LIMIT_MS))
  const unique = clock.randomBytes(UNIQUE_BYTES).toString('hex')
  return async (transaction) => {
    const { id, name: kept, policy } = await requirePolicy(transaction, name)
    if (!isArchiving(policy)) throw new Failure('archive.no_place', { policy: kept })
    if (!units.some((unit) => unit.policyId === id && unit.day === day)) {
      const kind = `day ${printDay(day) ?? ''} in the store`
      throw new Failure('object.not_found', { kind, name: kept })
    }
    const place = { account: policy.archiveAccount, directory: policy.archiveDirectory }
    const asked = { askedBy: caller.user.name, askedMs: nowMs }
    const given = { ...place, ...asked, policyId: id, policy: kept, day }
    return await describeArchive(transaction, await addArchive(transaction, given, unique), tools)
  }
})
