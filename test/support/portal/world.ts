// Organizations and people as the tests of the portal have them: two customers, one of which buys
// through a channel, that channel, and the vendor's staff.
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
    const body = { email, name: role, role, password: PASSWORD }
    const made = await portal.ask({ path: '/people', as, headers, body })
    if (made.status !== 201) throw new Error(made.text)
    from += 1
    const signed = await portal.ask({
      ...{ path: '/session', body: { email, password: PASSWORD } },
      address: `198.51.100.${from}`,
    })
    if (signed.status !== 201) throw new Error(signed.text)
    return signed.body.token
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
  const person = { email, name: 'Admin', role: 'customer_admin', password: PASSWORD }
  await portal.ask({ path: '/people', as, headers, body: person })
  const signed = await portal.ask({ path: '/session', body: { email, password: PASSWORD } })
  if (signed.status !== 201) throw new Error(signed.text)
  return { id, admin: signed.body.token }
}
