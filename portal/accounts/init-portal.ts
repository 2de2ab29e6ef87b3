// `logeye portal init`: the vendor's own organization and its first operator token. The token is
// printed once; a later call makes one more, for whoever has this machine has the portal.
import type { Clock } from '../../infra/clock.ts'
import { newId } from '../access/ids.ts'
import { makeSecret } from '../access/secrets.ts'
import type { PortalDatabase } from '../database/open.ts'
import { insertCredential } from './credentials.ts'

const VENDOR = 'Vendor'

export async function initPortal(
  database: PortalDatabase,
  { clock, publicUrl }: { readonly clock: Clock; readonly publicUrl: string },
): Promise<string> {
  const token = await makeOperator(database, clock, 'logeye portal init')
  const base = `${publicUrl}/api/portal/v1`
  const authorized = `-H 'Authorization: Bearer ${token}'`
  return `The operator token, shown once:

  ${token}

Try it (the portal runs with 'logeye start'):

  curl '${publicUrl}/api/portal/health' ${authorized}
  curl '${base}/organizations' ${authorized}
  curl -X POST '${base}/organizations' ${authorized} -H 'Content-Type: application/json' -d '{"name":"First customer"}'
`
}

/** Resolves with a new operator token; makes the vendor's organization where it is not there. */
export async function makeOperator(
  database: PortalDatabase,
  clock: Clock,
  name: string,
): Promise<string> {
  const secret = makeSecret('operator', clock)
  const nowMs = clock.nowMs()
  await database.write(async (transaction) => {
    const vendors = transaction.selectFrom('organizations').select('id')
    const vendor = await vendors.where('kind', '=', 'vendor').executeTakeFirst()
    if (vendor === undefined)
      await transaction
        .insertInto('organizations')
        .values({
          ...{ id: newId('org', clock), name: VENDOR, name_folded: VENDOR.toLowerCase() },
          ...{ kind: 'vendor', channel: null, region: 'EU', currency: 'EUR', created_ms: nowMs },
        })
        .execute()
    await insertCredential(transaction, secret, {
      ...{ id: newId('crd', clock), kind: 'operator', name },
      ...{ organizationId: null, ownerId: null, nowMs },
    })
  })
  return secret.text
}
