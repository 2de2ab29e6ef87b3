// Organizations and people as the tests of the portal have them: two customers, one of which buys
// through a channel, that channel, and the vendor's staff.
import { hashCheaply } from '../database/cheap-hash.ts'
import type { TestPortal } from './portal-place.ts'

export const PASSWORD = 'correct horse battery'

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
  const sign = async (organizationId: string, role: string): Promise<string> => {
    const email = `${role}@${organizationId.slice(-8)}.test`
    const headers = { 'x-organization-id': organizationId }
    from += 1
    const person = { email, name: role, role }
    return await makePerson(portal, { person, headers, address: `198.51.100.${from}` })
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

/** One customer and its administrator, where a test needs no more. */
export async function makeCustomer(portal: TestPortal): Promise<{ id: string; admin: string }> {
  const as = portal.operator
  const made = await portal.ask({ path: '/organizations', as, body: { name: 'Customer' } })
  const { id } = made.body
  const headers = { 'x-organization-id': id }
  const email = 'admin@customer.test'
  const person = { email, name: 'Admin', role: 'customer_admin' }
  return { id, admin: await makePerson(portal, { person, headers }) }
}

/** With a password that costs nothing from then on; resolves with the token of a session. */
async function makePerson(
  portal: TestPortal,
  {
    person,
    headers,
    address,
  }: {
    readonly person: { readonly email: string; readonly name: string; readonly role: string }
    readonly headers: Readonly<Record<string, string>>
    readonly address?: string
  },
): Promise<string> {
  const body = { ...person, password: PASSWORD }
  const made = await portal.ask({ path: '/people', as: portal.operator, headers, body })
  if (made.status !== 201) throw new Error(made.text)
  await portal.database.write((transaction) =>
    transaction
      .updateTable('people')
      .set({ password_hash: hashCheaply(PASSWORD) })
      .where('id', '=', made.body.id)
      .execute(),
  )
  const { email } = person
  const signed = await portal.ask({
    ...{ path: '/session', body: { email, password: PASSWORD } },
    ...(address === undefined ? {} : { address }),
  })
  if (signed.status !== 201) throw new Error(signed.text)
  return signed.body.token
}
