// What lists tell the vendor's staff who act for the vendor itself: what all customers have
// (docs/decisions/0107); and nobody else.
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { makeTestPortal, type TestPortal } from '../../../support/portal/portal-place.ts'
import { makeWorld, type World } from '../../../support/portal/world.ts'
import { makeDocument, makeItem } from '../../../support/pricing/small-book.ts'
import { testClock } from '../../../support/run/test-clock.ts'

const FAR = '2035-01-01T00:00:00Z'
const PLAN = { name: 'P', volumeBytesPerDay: 1 }
const HOUR = new Date(testClock.nowMs() - 3_600_000).toISOString().replace(/:.*/, ':00:00.000Z')
const rows = z.object({ data: z.array(z.object({ organizationId: z.string() })) })
const LISTS = ['/licenses', '/offers', '/deployments'] as const
let portal: TestPortal
let world: World

type Who = keyof World['sessions']

beforeAll(async () => {
  portal = await makeTestPortal()
  world = await makeWorld(portal)
  const model = { kind: 'per_unit', unitPrice: '1' } as const
  await must('/price-books', makeDocument([makeItem('logs', [{ model }])]))
  for (const organizationId of [world.direct, world.sold]) {
    const license = { organizationId, name: 'L', plan: PLAN, validTo: FAR }
    const { licenseKey } = await must('/licenses', license)
    const report = {
      name: 'D',
      version: '1',
      layout: 'X8',
      meters: [{ hour: HOUR, events: 1, bytes: 1 }],
    }
    await must(
      '/deployments/heartbeat',
      { ...report, fingerprint: organizationId },
      { as: licenseKey },
    )
    const content = { lines: [{ item: 'logs', quantity: '1' }] }
    await must(
      '/offers',
      { title: 'O', content, validUntil: FAR, plan: PLAN },
      { headers: { 'x-organization-id': organizationId } },
    )
  }
})

async function must(path: string, body: unknown, options = {}) {
  const {
    status,
    text,
    body: told,
  } = await portal.ask({ path, body, as: portal.operator, ...options })
  expect(status, text).toBeLessThan(300)
  return told
}

const actingFor = (organizationId: string | undefined): Record<string, string> =>
  organizationId === undefined ? {} : { 'x-organization-id': organizationId }

async function ownersOf(path: string, who: Who, organizationId?: string): Promise<string[]> {
  const headers = actingFor(organizationId)
  const answer = await portal.ask({ path, as: world.sessions[who], headers })
  expect(answer.status, answer.text).toBe(200)
  return rows
    .parse(answer.body)
    .data.map((row) => row.organizationId)
    .toSorted()
}

it.each(LISTS)('%s tells the staff of the vendor of all, others of one', async (path) => {
  const both = [world.direct, world.sold].toSorted()
  for (const who of ['staff', 'sales'] as const) {
    expect(await ownersOf(path, who)).toEqual(both)
    expect(await ownersOf(path, who, world.vendor)).toEqual(both)
    expect(await ownersOf(path, who, world.sold)).toEqual([world.sold])
  }
  expect(await ownersOf(path, 'reseller')).toEqual([])
  expect(await ownersOf(path, 'reseller', world.sold)).toEqual([world.sold])
  expect((await ownersOf(path, 'viewer')).filter((id) => id !== world.direct)).toEqual([])
  expect((await ownersOf(path, 'admin')).filter((id) => id !== world.direct)).toEqual([])
})

it('one thing is read and changed for its own organization alone', async () => {
  const listed = await portal.ask({ path: '/licenses', as: world.sessions.staff })
  const { id } = z.object({ id: z.string() }).parse(listed.body.data[0])
  const path = `/licenses/${id}`
  const read = await portal.ask({ path, as: world.sessions.staff })
  expect(read.status).toBe(404)
})

it('a cursor of the list of all is none of a list of one', async () => {
  const first = await portal.ask({ path: '/licenses?limit=1', as: world.sessions.staff })
  const { nextCursor } = z.object({ nextCursor: z.string() }).parse(first.body)
  const path = `/licenses?limit=1&cursor=${nextCursor}`
  const headers = { 'x-organization-id': world.direct }
  expect((await portal.ask({ path, as: world.sessions.staff, headers })).status).toBe(400)
  expect((await portal.ask({ path, as: world.sessions.staff })).status).toBe(200)
})

it('the audit of all is for the operators of the vendor', async () => {
  const read = async (who: Who, organizationId?: string) => {
    const headers = actingFor(organizationId)
    const answer = await portal.ask({ path: '/audit?limit=200', as: world.sessions[who], headers })
    return { status: answer.status, text: answer.text }
  }
  expect((await read('staff')).text).toContain('createOffer')
  expect((await read('sales')).status).toBe(403)
  const own = await read('admin')
  expect(own.text).not.toContain(world.sold)
})
