// Customers of the portal of a test, and what it knows of their usage.
import type { Clock } from '../../../infra/clock.ts'
import type { TestPortal } from './portal-place.ts'

const DAY_MS = 86_400_000

export function customersOf(portal: TestPortal, clock: Pick<Clock, 'nowMs'>) {
  let number = 0

  async function makeCustomer() {
    number += 1
    const as = portal.operator
    const made = await portal.ask({ path: '/organizations', as, body: { name: `C${number}` } })
    const organizationId: string = made.body.id
    return { organizationId, ...(await makeLicense(organizationId)) }
  }

  async function makeLicense(organizationId: string) {
    number += 1
    const plan = { name: 'Team', volumeBytesPerDay: 1000 }
    const body = { organizationId, name: `L${number}`, plan, validTo: '2045-01-01T00:00:00Z' }
    const made = await portal.ask({ path: '/licenses', as: portal.operator, body })
    const { license, licenseKey } = made.body
    const keyId: string = license.keys[0].id
    const licenseId: string = license.id
    const key: string = licenseKey
    return { licenseId, licenseKey: key, keyId }
  }

  /** As the portal tells: `[time, events, bytes]`, the oldest first. */
  async function usage(organizationId: string, granularity = 'hour'): Promise<unknown[]> {
    const from = new Date(clock.nowMs() - 400 * DAY_MS).toISOString()
    const answered = await portal.ask({
      path: `/usage?granularity=${granularity}&from=${from}`,
      as: portal.operator,
      headers: { accept: 'application/x-ndjson', 'x-organization-id': organizationId },
    })
    const rows = answered.text.split('\n').filter((line) => line !== '')
    return rows
      .map((line) => JSON.parse(line))
      .map(({ time, events, bytes }) => [time, events, bytes])
      .sort()
  }

  async function deploymentsOf(organizationId: string) {
    const headers = { 'x-organization-id': organizationId }
    const listed = await portal.ask({ path: '/deployments', as: portal.operator, headers })
    return listed.body.data
  }

  async function bytesOfDays(organizationId: string): Promise<number> {
    const rows = await portal.database.read
      .selectFrom('usage_days')
      .select('bytes')
      .where('organization_id', '=', organizationId)
      .execute()
    return rows.reduce((sum, { bytes }) => sum + Number(bytes), 0)
  }

  return { makeCustomer, makeLicense, usage, deploymentsOf, bytesOfDays }
}
