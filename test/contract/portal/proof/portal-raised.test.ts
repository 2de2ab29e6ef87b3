import { beforeAll, expect, it } from 'vitest'
import { makeTestPortal, type TestPortal } from '../../../support/portal/portal-place.ts'
import { cheapenPassword } from '../../../support/portal/world.ts'

const KNOWN = 'known to the customer'
const OWN = 'known to the vendor'
let portal: TestPortal
let customer = ''
let vendor = ''

beforeAll(async () => {
  portal = await makeTestPortal()
  const as = portal.operator
  customer = (await portal.ask({ path: '/organizations', as, body: { name: 'Customer' } })).body.id
  vendor = (await portal.ask({ path: '/organizations?kind=vendor', as })).body.data[0].id
})

const make = (organization: string, email: string, role: string, password: string, as?: string) =>
  portal.ask({
    path: '/people',
    as: as ?? portal.operator,
    headers: { 'x-organization-id': organization },
    body: { name: 'Somebody', email, role, password },
  })
/** Somebody who is there before. */
const begin = async (organization: string, email: string, role: string, password: string) => {
  const made = await make(organization, email, role, password)
  expect(made.status, made.text).toBe(201)
  await cheapenPassword(portal, email, password)
}
const signIn = (email: string, password: string) =>
  portal.ask({ path: '/session', body: { email, password } })

it('lets nobody into the staff by a password that a customer chose before', async () => {
  await begin(customer, 'admin@customer.test', 'customer_admin', KNOWN)
  const admin = (await signIn('admin@customer.test', KNOWN)).body.token
  const email = 'sales@vendor.test'
  expect((await make(customer, email, 'customer_viewer', KNOWN, admin)).status).toBe(201)
  const before = (await signIn(email, KNOWN)).body.token
  expect((await make(vendor, email, 'sales', OWN)).status).toBe(201)
  expect((await signIn(email, KNOWN)).status).toBe(401)
  expect((await portal.ask({ path: '/offers', as: before })).status).toBe(401)
  expect((await signIn(email, OWN)).status).toBe(201)
})

it('leaves the password of the staff as it is where they join another organization', async () => {
  const email = 'senior@vendor.test'
  await begin(vendor, email, 'sales', OWN)
  expect((await make(customer, email, 'customer_viewer', KNOWN)).status).toBe(201)
  expect((await signIn(email, KNOWN)).status).toBe(401)
  expect((await signIn(email, OWN)).status).toBe(201)
})

it('lets nobody into another customer by a password that a customer chose', async () => {
  const as = portal.operator
  const other = (await portal.ask({ path: '/organizations', as, body: { name: 'Other' } })).body.id
  await begin(other, 'admin@other.test', 'customer_admin', OWN)
  const otherAdmin = (await signIn('admin@other.test', OWN)).body.token
  const email = 'shared@customer.test'
  await begin(customer, email, 'customer_viewer', KNOWN)
  const refused = await make(other, email, 'customer_viewer', OWN, otherAdmin)
  expect([refused.status, refused.text.includes('Somebody')]).toEqual([409, false])
  expect((await signIn(email, OWN)).status).toBe(401)
  expect((await make(other, email, 'customer_viewer', OWN)).status).toBe(201)
  expect((await signIn(email, KNOWN)).status).toBe(401)
  expect((await signIn(email, OWN)).status).toBe(201)
})

it('takes no text that one of its databases cannot keep', async () => {
  const ask = (name: string) =>
    portal.ask({ path: '/organizations', as: portal.operator, body: { name } })
  const refused = await ask('a\u0000b')
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
  expect((await ask('a\\u0000b')).body.name).toBe('a\\u0000b')
})
