// Organizations and people as the tests of the portal have them: two customers, one of which buys
// through a channel, that channel, and the vendor's staff.
import { foldName } from '../../../infra/database/fold-name.ts'
import { newId } from '../../../portal/access/ids.ts'
import type { PersonRole } from '../../../schemas/portal/roles.ts'
import { hashCheaply } from '../database/cheap-hash.ts'
import { testClock } from '../run/test-clock.ts'
import type { TestPortal } from './portal-place.ts'

export const PASSWORD = 'correct horse battery'

/** Verifying it costs nothing from now on. */
export async function cheapenPassword(portal: TestPortal, email: string, password: string) {
  await portal.database.write((transaction) =>
    transaction
      .updateTable('people')
      .set({ password_hash: hashCheaply(password) })
      .where('email_folded', '=', foldName(email))
      .execute(),
  )
}

export type World = {
  /** Ids of organizations. */
  readonly direct: string
  readonly sold: string
  readonly channel: string
  readonly vendor: string
  /** Session tokens. */
  readonly sessions: Readonly<
    Record<'viewer' | 'admin' | 'soldAdmin' | 'reseller' | 'sales' | 'staff', string>
  >
}

export async function makeWorld(portal: TestPortal): Promise<World> {
  const as = portal.operator
  const make = async (body: object): Promise<string> =>
    (await portal.ask({ path: '/organizations', as, body })).body.id
  const direct = await make({ name: 'Direct customer' })
  const sold = await make({ name: 'Sold customer', channel: 'north' })
  const channel = await make({ name: 'North resellers', kind: 'channel', channel: 'north' })
  const all = await portal.ask({ path: '/organizations?kind=vendor', as })
  const vendor: string = all.body.data[0].id
  let from = 0
  const sign = async (of: string, role: PersonRole): Promise<string> => {
    const email = emailOf(of, role)
    from += 1
    const person = { email, name: role, role }
    return await makePerson(portal, { of, person, address: `198.51.100.${from}` })
  }
  return {
    ...{ direct, sold, channel, vendor },
    sessions: {
      viewer: await sign(direct, 'customer_viewer'),
      admin: await sign(direct, 'customer_admin'),
      soldAdmin: await sign(sold, 'customer_admin'),
      reseller: await sign(channel, 'channel'),
      sales: await sign(vendor, 'sales'),
      staff: await sign(vendor, 'operator'),
    },
  }
}

/** New ones, as of people who sign in again. */
export async function renewSessions(
  portal: TestPortal,
  { direct, sold, channel, vendor }: World,
): Promise<World['sessions']> {
  const sign = (of: string, role: PersonRole) =>
    signIn(portal, emailOf(of, role), `203.0.113.${100 + role.length}`)
  return {
    viewer: await sign(direct, 'customer_viewer'),
    admin: await sign(direct, 'customer_admin'),
    soldAdmin: await sign(sold, 'customer_admin'),
    reseller: await sign(channel, 'channel'),
    sales: await sign(vendor, 'sales'),
    staff: await sign(vendor, 'operator'),
  }
}

const emailOf = (of: string, role: PersonRole) => `${role}@${of.slice(-8)}.test`

/** One customer and its administrator, where a test needs no more. */
export async function makeCustomer(portal: TestPortal): Promise<{ id: string; admin: string }> {
  const as = portal.operator
  const made = await portal.ask({ path: '/organizations', as, body: { name: 'Customer' } })
  const { id } = made.body
  const email = 'admin@customer.test'
  const person = { email, name: 'Admin', role: 'customer_admin' } as const
  return { id, admin: await makePerson(portal, { of: id, person }) }
}

/** With a password that is cheap to verify, which a call of the portal would not make; resolves
 * with the token of a session. */
async function makePerson(
  portal: TestPortal,
  {
    of,
    person,
    address,
  }: {
    /** Id of the organization. */
    readonly of: string
    readonly person: { readonly email: string; readonly name: string; readonly role: PersonRole }
    readonly address?: string
  },
): Promise<string> {
  const { email, name, role } = person
  const id = newId('per', testClock)
  await portal.database.write(async (transaction) => {
    await transaction
      .insertInto('people')
      .values({
        ...{ id, email, email_folded: foldName(email), name, password_hash: hashCheaply(PASSWORD) },
        ...{ second_factor: null, totp_step: 0, is_enabled: 1, created_ms: testClock.nowMs() },
        ...{ pending_factor: '', recovery_hashes: '[]' },
      })
      .execute()
    await transaction
      .insertInto('memberships')
      .values({ person_id: id, organization_id: of, role, created_ms: testClock.nowMs() })
      .execute()
  })
  return await signIn(portal, email, address)
}

async function signIn(portal: TestPortal, email: string, address?: string): Promise<string> {
  const signed = await portal.ask({
    ...{ path: '/session', body: { email, password: PASSWORD } },
    ...(address === undefined ? {} : { address }),
  })
  if (signed.status !== 201) throw new Error(signed.text)
  return signed.body.token
}
