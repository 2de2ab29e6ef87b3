// What a policy hides from somebody stays hidden in what his monitors and reports tell
// (docs/decisions/0089).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../infra/database/port.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { basic } from '../../support/clients/access-client.ts'
import { type MonitorWorld, openMonitorWorld } from '../../support/monitors/monitor-world.ts'
import { type MailSink, startMailSink } from '../../support/portal/mail-sink.ts'

const PASSWORD = 'a good password'
const ADDRESS = 'anna@example.org'
const ALL = { interval: 'allData' }
const TOLD_ROWS = `${'$'}{rows}`

let pipeline: SearchPipeline
let world: MonitorWorld
let mails: MailSink
let directory: string

beforeAll(async () => {
  ;[pipeline, mails] = await Promise.all([openSearchPipeline(), startMailSink()])
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-hidden-'))
  world = openMonitorWorld(pipeline, {
    ...{ keyFile: join(directory, 'secrets.key'), mailUrl: mails.url },
  })
  await world.run('addAlertTarget', { name: 'desk', type: 'mail', to: 'desk@example.com' })
  await world.run('securityPolicies', {
    ...{ action: 'add', policyName: 'masked', operations: 'data.monitors', masks: 'email' },
  })
  await pipeline.db.addUser('rita', PASSWORD)
  await world.run('securityUsers', { action: 'edit', userName: 'rita', policy: 'masked' })
})
afterAll(async () => {
  await world?.app.app.stop()
  await pipeline?.stop()
  await mails?.close()
  rmSync(directory, { recursive: true, force: true })
})

async function send(): Promise<void> {
  const timestamp = new Date(world.clock.nowMs()).toISOString()
  await pipeline.ingest(
    [{ timestamp, productPath: 'Shop', productName: 'pay', message: `failed for ${ADDRESS}` }],
    { receivedMs: world.clock.nowMs() },
  )
}

async function saveSearch(user: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', ...basic(user, PASSWORD) }
  const saved = { method: 'POST', headers, body: JSON.stringify(body) }
  expect((await world.app.call('/logeye/api/saved-searches', saved)).status).toBe(200)
}

describe('what a policy hides', () => {
  test('is not in an alert of its user, and fires none', async () => {
    const rita = world.as('rita', PASSWORD)
    const add = (name: string, query: string, given: Record<string, string> = {}) =>
      world.run(
        'addMonitor',
        { name, query, schedule: 'every 1m', actions: 'desk', ...given },
        rita,
      )
    await add('rows', 'failed in log.pay')
    await add('guess', `"${ADDRESS}" in log.pay`)
    await add('cells', '* in log.pay | count | group by message', { rule: 'column count >= 1' })
    await send()
    await world.tick()
    await world.deliver()
    const { alerts } = await world.alerts({ state: 'all' })
    expect(alerts.map(({ monitor }) => monitor).sort()).toEqual(['cells', 'rows'])
    expect(mails.mails).toHaveLength(2)
    for (const { id } of alerts)
      expect(JSON.stringify(await world.alerts({ id: String(id) }))).not.toContain(ADDRESS)
    for (const { raw } of mails.mails) expect(raw.replace(/=\r\n/g, '')).not.toContain(ADDRESS)
  })

  test('is not in a report of its user, whose cells are no formulas', async () => {
    const before = mails.mails.length
    await send()
    await pipeline.ingest([{ productName: 'pay', message: '=1+1 failed', n: -5 }])
    await world.run('addApp', { name: 'Web' })
    const widget = { id: 'a', title: 'Rows', query: 'failed', type: 'table' }
    await world.run('addDashboard', {
      ...{ app: 'Web', name: 'Rows' },
      file: JSON.stringify({
        timeFrame: ALL,
        widgets: [{ ...widget, place: { column: 0, row: 0, width: 12, height: 6 } }],
      }),
    })
    await saveSearch('rita', { name: 'All', search: { query: 'failed', time: ALL } })
    const rita = world.as('rita', PASSWORD)
    await world.run('addReport', { name: 'rows', search: 'All', targets: 'desk' }, rita)
    await world.run('reports', { name: 'rows', runNow: 'true' }, rita)
    await world.sendReports()
    const [mail] = mails.mails.slice(before)
    const [, base64 = ''] =
      /base64\r\n(?:[^\r\n]+\r\n)*\r\n([A-Za-z0-9+/=\r\n]+)/.exec(mail?.raw ?? '') ?? []
    const csv = Buffer.from(base64, 'base64').toString()
    expect(csv).toContain('failed for ***')
    expect(csv).toContain(",'=1+1 failed,")
    expect(csv).toMatch(/,-5\b/)
    expect(csv).not.toContain(ADDRESS)
  })

  test('is in no mail of a report that leaves after it is hidden from the owner', async () => {
    const { database } = pipeline.db
    await world.run('addAlertTarget', { name: 'boss', type: 'mail', to: 'boss@example.com' })
    const policy = { action: 'add', policyName: 'reporting', operations: 'data.monitors' }
    await world.run('securityPolicies', policy)
    await pipeline.db.addUser('lea', PASSWORD)
    const have = (policyName: string) =>
      world.run('securityUsers', { action: 'edit', userName: 'lea', policy: policyName })
    await pipeline.ingest([{ productName: 'bills', message: `billed to ${ADDRESS}` }])
    await saveSearch('lea', { name: 'Bills', search: { query: 'billed', time: ALL } })
    const ways = {
      masked: () => have('masked'),
      unseen: () =>
        world.run('setPermissions', { path: 'Events->bills', type: 'log', viewGroups: '' }),
    }
    for (const [name, lose] of Object.entries(ways)) {
      await have('reporting')
      const lea = world.as('lea', PASSWORD)
      await world.run('addReport', { name, search: 'Bills', targets: 'desk,boss' }, lea)
      await world.run('reports', { name, runNow: 'true' }, lea)
      const before = mails.mails.length
      let hasLost = false
      // The right is lost once the first mail has left.
      const losing: Database = {
        ...{ read: database.read, close: () => database.close() },
        snapshot: (work) => database.snapshot(work),
        write: async (work) => {
          const done = await database.write(work)
          if (mails.mails.length > before && !hasLost) {
            hasLost = true
            await lose()
          }
          return done
        },
      }
      await world.runJob(world.reportRuns(), await world.takeLease(), losing)
      expect([name, mails.mails.length - before]).toEqual([name, 1])
      expect((await world.reports(name)).runs).toMatchObject([
        { state: 'failed', reason: expect.stringContaining('lea may see less now') },
      ])
    }
  })

  test('is not in rows of past alerts once the value or its log is hidden', async () => {
    const { db } = pipeline
    const group = { action: 'add', groupName: 'viewers' }
    await world.run('securityGroups', group)
    await db.addUser('otto', PASSWORD)
    await world.run('securityPolicies', {
      ...{ action: 'add', policyName: 'open', operations: 'data.monitors' },
    })
    const otto = world.as('otto', PASSWORD)
    await world.run('securityUsers', { action: 'edit', userName: 'otto', policy: 'open' })
    await db.addUser('alma', PASSWORD)
    await world.run('securityPolicies', {
      ...{ action: 'add', policyName: 'watching', operations: 'system.alerts' },
    })
    const alma = world.as('alma', PASSWORD)
    await world.run('securityUsers', { action: 'edit', userName: 'alma', policy: 'watching' })
    const monitor = { name: 'old', query: 'failed in log.pay', schedule: 'every 1m' }
    const column = { rule: 'column count >= 1', groupBy: 'message' }
    const later = { name: 'later', type: 'mail', to: 'later@example.com', digest: 'every 1h' }
    await world.run('addAlertTarget', later)
    await world.run('addMonitor', { ...monitor, actions: 'desk,later', subject: TOLD_ROWS }, otto)
    const query = '* in log.pay | count | group by message'
    await world.run('addMonitor', { ...monitor, ...column, name: 'groups', query }, otto)
    await send()
    await world.tick()
    const ids = (await world.alerts({ state: 'all' }, otto)).alerts.map(({ id }) => String(id))
    expect(ids).toHaveLength(2)
    const read = async (client: typeof otto) =>
      JSON.stringify([
        await world.alerts({ state: 'all' }, client),
        ...(await Promise.all(ids.map((id) => world.alerts({ id }, client)))),
      ])
    for (const client of [otto, alma, undefined])
      expect(await read(client ?? world.as('admin', db.adminPassword))).toContain(ADDRESS)

    // Before its mail leaves.
    const before = mails.mails.length
    await world.run('securityUsers', { action: 'edit', userName: 'otto', policy: 'masked' })
    await world.deliver()
    world.clock.shift(3_600_000)
    await world.gather()
    await world.deliver()
    const sent = mails.mails.slice(before).map(({ raw }) => raw.replace(/=\r\n/g, ''))
    expect(sent).toHaveLength(2)
    expect(sent[0]).toContain('may not see all of them any more')
    expect(sent[1]).toContain('[digest] 1 alert')
    for (const mail of sent) expect(mail).not.toContain(ADDRESS)

    expect(await read(otto)).not.toContain(ADDRESS)
    expect(await world.alerts({ id: ids[0] ?? '' }, otto)).toMatchObject({
      alerts: [{ isHidden: true, group: '', count: null }],
      rows: [],
    })
    expect(await read(alma)).toContain(ADDRESS)
    await world.run('securityUsers', { action: 'edit', userName: 'otto', policy: 'open' })
    expect(await read(otto)).toContain(ADDRESS)

    const view = { path: 'Events->Shop->pay', type: 'log' }
    await world.run('setPermissions', { ...view, viewGroups: 'viewers' })
    for (const client of [otto, alma]) expect(await read(client)).not.toContain(ADDRESS)
    expect(await read(world.as('admin', db.adminPassword))).toContain(ADDRESS)
    await pipeline.db.database.write(async (transaction) => {
      await transaction.updateTable('alerts').set({ seen: null }).execute()
    })
    expect(await read(otto)).not.toContain(ADDRESS)
    expect(await read(world.as('admin', db.adminPassword))).toContain(ADDRESS)
  })
})
