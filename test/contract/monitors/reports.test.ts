// Dashboards and saved searches by mail, received by a real server: in their time, once, and with
// the rights that their owner has then.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../infra/database/port.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { basic } from '../../support/clients/access-client.ts'
import { type MonitorWorld, openMonitorWorld } from '../../support/monitors/monitor-world.ts'
import { type MailSink, type Received, startMailSink } from '../../support/portal/mail-sink.ts'

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]
const PASSWORD = 'a good password'
const HOSTILE = 'a\r\nBcc: evil@example.com, "quoted"'

let pipeline: SearchPipeline
let world: MonitorWorld
let mails: MailSink
let directory: string

beforeAll(async () => {
  ;[pipeline, mails] = await Promise.all([openSearchPipeline(), startMailSink()])
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-reports-'))
  world = openMonitorWorld(pipeline, {
    keyFile: join(directory, 'secrets.key'),
    mailUrl: mails.url,
  })
  await world.run('addAlertTarget', { name: 'desk', type: 'mail', to: 'desk@example.com' })
  await world.run('addAlertTarget', { name: 'boss', type: 'mail', to: 'boss@example.com' })
  await world.run('addAlertTarget', {
    ...{ name: 'chat', type: 'slack', targetURL: 'https://chat.example/hook' },
  })
  const policy = { action: 'add', policyName: 'watchers', operations: 'data.monitors' }
  await world.run('securityPolicies', policy)
  for (const userName of ['rita', 'ben']) {
    await pipeline.db.addUser(userName, PASSWORD)
    await world.run('securityUsers', { action: 'edit', userName, policy: 'watchers' })
  }
  await pipeline.ingest(
    ['Open', 'Open', 'Vault'].map((productPath, at) => ({
      timestamp: new Date(world.clock.nowMs() - MINUTE_MS).toISOString(),
      ...{ productPath, productName: 'log', message: `event ${at} ${HOSTILE}`, Status: 200 + at },
    })),
  )
  // To nine o'clock of tomorrow: no small shift of a test goes over eight.
  world.clock.shift(DAY_MS - (world.clock.nowMs() % DAY_MS) + 9 * HOUR_MS)
  await world.run('addApp', { name: 'Web' })
  await world.run('addDashboard', { app: 'Web', name: 'Traffic', file: dashboardOf('By status') })
  const kept = { query: '*', time: { interval: 'allData' } }
  await saveSearch('rita', { name: 'Mine', search: kept })
  await saveSearch('ben', { name: 'Bens', search: kept })
})
afterAll(async () => {
  await world?.app.app.stop()
  await pipeline?.stop()
  await mails?.close()
  rmSync(directory, { recursive: true, force: true })
})

async function saveSearch(user: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', ...basic(user, PASSWORD) }
  const saved = { method: 'POST', headers, body: JSON.stringify(body) }
  expect((await world.app.call('/logeye/api/saved-searches', saved)).status).toBe(200)
}

const dashboardOf = (title: string) =>
  JSON.stringify({
    timeFrame: { interval: 'allData' },
    widgets: [
      {
        ...{ id: 'a', title, query: '* | count | group by Status', type: 'table' },
        place: { column: 0, row: 0, width: 12, height: 6 },
      },
    ],
  })

let before = 0
beforeEach(() => {
  before = mails.mails.length
})
const came = () => mails.mails.slice(before)
const rita = () => world.as('rita', PASSWORD)

/** The parts of a mail, decoded: its text, then the attachment. */
function partsOf(mail: Received | undefined): readonly Buffer[] {
  const boundary = /boundary="?([^"\r\n]+)"?/.exec(mail?.raw ?? '')?.[1]
  if (boundary === undefined) return [Buffer.from(mail?.raw ?? '')]
  return (mail?.raw ?? '')
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = '', ...body] = part.split('\r\n\r\n')
      const text = body.join('\r\n\r\n')
      return /base64/i.test(head)
        ? Buffer.from(text, 'base64')
        : Buffer.from(text.replace(/=\r\n/g, ''))
    })
}

const addReport = (name: string, given: Record<string, string>, client = rita()) =>
  world.run(
    'addReport',
    { name, schedule: 'daily 08:00', timeZone: 'UTC', targets: 'desk', ...given },
    client,
  )

describe('a report', () => {
  test('sends a dashboard as PDF at its hour, once, to each of its targets', async () => {
    await addReport('traffic', { dashboard: 'web->traffic', targets: 'desk,boss' })
    await world.sendReports()
    expect(came()).toEqual([])
    world.clock.shift(DAY_MS)
    await world.sendReports()
    await world.sendReports()
    expect(
      came()
        .map(({ to }) => to.join())
        .sort(),
    ).toEqual(['boss@example.com', 'desk@example.com'])
    const [mail] = came()
    expect(mail?.raw).toMatch(/^subject: Report traffic/im)
    expect(mail?.raw).toMatch(/^message-id: <report-\d+-\d+-\d+@logs\.example>/im)
    const [text, pdf] = partsOf(mail)
    expect(text?.toString()).toContain('https://logs.example/logeye/dashboards/Web/Traffic')
    expect(pdf?.subarray(0, 5).toString()).toBe('%PDF-')
    const { reports, runs } = await world.reports('traffic')
    expect(reports).toMatchObject([{ owner: 'rita', status: 'sent', of: 'dashboard Web->Traffic' }])
    expect(runs).toMatchObject([
      {
        ...{ state: 'sent', bytes: pdf?.byteLength, skipped: 0 },
        deliveries: [
          { target: 'desk', state: 'delivered', tries: 1 },
          { target: 'boss', state: 'delivered', tries: 1 },
        ],
      },
    ])
    // Days in which nobody ran it are counted, and the last is sent.
    world.clock.shift(3 * DAY_MS)
    await world.sendReports()
    expect(came()).toHaveLength(4)
    expect((await world.reports('traffic')).runs[0]).toMatchObject({ skipped: 2 })
    await world.run('addReport', { name: 'traffic', enabled: 'false', update: 'true' })
    world.clock.shift(DAY_MS)
    await world.sendReports()
    expect(came()).toHaveLength(4)
    const audit = await pipeline.db.database.read
      .selectFrom('audit')
      .select(['user_name', 'target'])
      .where('action', '=', 'report.send')
      .execute()
    expect(audit).toEqual(Array(4).fill({ user_name: 'rita', target: 'traffic' }))
  })

  test('sends a saved search as CSV of what its owner may view then', async () => {
    await addReport('mine', { search: 'mine', schedule: 'never', subject: 'My rows' })
    await world.run('reports', { name: 'mine', runNow: 'true' }, rita())
    await world.sendReports()
    const rowsOf = (mail: Received | undefined) =>
      partsOf(mail)[1]
        ?.toString()
        .split('\n')
        .filter((line) => /^\d|event \d/.test(line)) ?? []
    expect(rowsOf(came()[0]).join()).toMatch(/event 0.*event 1.*event 2|event 2.*event 1.*event 0/s)
    expect(came()[0]?.raw).toMatch(/^subject: My rows/im)
    expect(came()[0]?.raw).not.toMatch(/^bcc:/im)
    const hide = { path: 'Events->Vault', type: 'folder', viewGroups: 'administrators' }
    await world.run('setPermissions', hide)
    world.clock.shift(1000)
    await world.run('reports', { name: 'mine', runNow: 'true' }, rita())
    await world.sendReports()
    expect(came()).toHaveLength(2)
    expect(rowsOf(came()[1]).join()).not.toContain('event 2')
    expect(rowsOf(came()[1]).join()).toContain('event 0')
  })

  test('that is too large says so, with its address, and has no attachment', async () => {
    await addReport('large', { dashboard: 'Web->Traffic', schedule: 'never' })
    await addReport('large rows', { search: 'Mine', schedule: 'never' })
    for (const name of ['large', 'large rows'])
      await world.run('reports', { name, runNow: 'true' }, rita())
    await world.sendReports(100)
    expect(came()).toHaveLength(2)
    for (const mail of came()) {
      const [text = '', ...others] = partsOf(mail).map(String)
      expect(others).toEqual([])
      expect(text.replace(/=\r\n/g, '')).toMatch(/larger than the 100 bytes/)
      expect(text).toContain('https://logs.example/logeye/')
    }
    expect((await world.reports('large')).runs).toMatchObject([{ state: 'sent', bytes: null }])
  })

  test('of whom has lost the right, or is gone, is not sent, and says so', async () => {
    await world.run('securityUsers', { action: 'add', userName: 'tom', userPassword: PASSWORD })
    const edit = { action: 'edit', userName: 'tom' }
    await world.run('securityUsers', { ...edit, policy: 'watchers' })
    await addReport('toms', { dashboard: 'Web->Traffic' }, world.as('tom', PASSWORD))
    const fails = async (reason: RegExp) => {
      world.clock.shift(DAY_MS)
      await world.sendReports()
      expect(came()).toEqual([])
      const { runs } = await world.reports('toms')
      expect(runs[0]).toMatchObject({ state: 'failed', deliveries: [{ state: 'failed' }] })
      expect(runs[0]?.reason).toMatch(reason)
    }
    await world.run('addApp', { name: 'Web', viewUsers: 'rita', update: 'true' })
    await fails(/no app Web, or its owner tom may not view it/)
    await world.run('addApp', { name: 'Web', viewUsers: 'rita,tom', update: 'true' })
    await world.run('securityUsers', { ...edit, policy: '' })
    await fails(/tom may not have reports/)
    await world.run('securityUsers', { ...edit, policy: 'watchers' })
    await world.run('securityUsers', { ...edit, enabled: 'false' })
    await fails(/tom is disabled/)
    await world.run('securityUsers', { action: 'remove', userName: 'tom' })
    await fails(/owner was removed/)
    await world.run('removeObject', { type: 'report', name: 'toms' })
  })

  test('is tried again while the mail server refuses, and ends when it will never take it', async () => {
    await addReport('again', { search: 'Mine' })
    world.clock.shift(DAY_MS)
    mails.refuseWith(451)
    await world.sendReports()
    expect((await world.reports('again')).runs).toMatchObject([
      { state: 'begun', deliveries: [{ state: 'pending', tries: 1 }] },
    ])
    mails.refuseWith(0)
    await world.sendReports()
    expect(came()).toEqual([])
    world.clock.shift(MINUTE_MS)
    await world.sendReports()
    expect(came()).toHaveLength(1)
    world.clock.shift(DAY_MS)
    mails.refuseWith(550)
    await world.sendReports()
    mails.refuseWith(0)
    world.clock.shift(MINUTE_MS)
    await world.sendReports()
    expect(came()).toHaveLength(1)
    expect((await world.reports('again')).runs).toMatchObject([
      { state: 'failed' },
      { state: 'sent' },
    ])
    await world.run('removeObject', { type: 'report', name: 'again' }, rita())
  })
})

describe('a kill', () => {
  /** Every write fails once `isDead` says so. */
  const dyingDatabase = (isDead: () => boolean): Database => {
    const { database } = pipeline.db
    return {
      ...{ read: database.read, close: () => database.close() },
      snapshot: (work) => database.snapshot(work),
      write: async (work) => {
        if (isDead()) throw new Error('killed')
        return await database.write(work)
      },
    }
  }

  test('at any moment before the mail sends it once', async () => {
    await addReport('killed', { search: 'Mine' })
    // Begun, bytes noted, claimed: gone before each of these.
    for (const writes of [0, 1, 2]) {
      world.clock.shift(DAY_MS)
      const sent = came().length
      let done = 0
      const dying = dyingDatabase(() => done++ >= writes)
      const held = await world.takeLease()
      await expect(world.runJob(world.reportRuns(), held, dying)).rejects.toThrow('killed')
      expect(came()).toHaveLength(sent)
      await world.sendReports()
      await world.sendReports()
      expect(came()).toHaveLength(sent + 1)
    }
  })

  test('between the mail and its note sends it once more, with the same id', async () => {
    world.clock.shift(DAY_MS)
    const dying = dyingDatabase(() => came().length > 0)
    const held = await world.takeLease()
    await expect(world.runJob(world.reportRuns(), held, dying)).rejects.toThrow('killed')
    await world.sendReports()
    expect(came()).toHaveLength(1)
    world.clock.shift(16 * MINUTE_MS)
    await world.sendReports()
    await world.sendReports()
    expect(came()).toHaveLength(2)
    const ids = came().map(({ raw }) => /^message-id: (.*)$/im.exec(raw)?.[1])
    expect(new Set(ids).size).toBe(1)
  })

  test('is not needed: a scheduler without its lease, and two runs at once, send it once', async () => {
    world.clock.shift(DAY_MS)
    const old = await world.takeLease()
    await pipeline.db.database.write((transaction) =>
      transaction
        .updateTable('leases')
        .set({ fence: old.fence + 1 })
        .where('name', '=', old.name)
        .execute(),
    )
    const now = await world.takeLease()
    await expect(world.runJob(world.reportRuns(), old)).rejects.toMatchObject({
      code: 'database.lease_lost',
    })
    expect(came()).toEqual([])
    await Promise.all([
      world.runJob(world.reportRuns(), now),
      world.runJob(world.reportRuns(), now),
    ])
    expect(came()).toHaveLength(1)
    await world.run('removeObject', { type: 'report', name: 'killed' }, rita())
  })
})

describe('a report is', () => {
  test('of its owner and the administrators; others know of none', async () => {
    const ben = world.as('ben', PASSWORD)
    await expect(world.reports('mine', ben)).rejects.toThrow('no report mine')
    expect(await world.run('reports', {}, ben)).toMatchObject({ reports: [] })
    expect(await world.run('list', { type: 'report' }, ben)).toMatchObject({ objects: [] })
    for (const [command, given] of [
      ['addReport', { name: 'mine', update: 'true', schedule: 'never' }],
      ['removeObject', { type: 'report', name: 'mine' }],
    ] as const)
      await expect(world.run(command, given, ben)).rejects.toThrow('no report mine')
    await expect(addReport('hers', { search: 'x', owner: 'rita' }, ben)).rejects.toThrow()
    // A search of somebody else is none, shared or not: he would say what is sent with her rights.
    await saveSearch('ben', { name: 'Weekly', search: { query: '*' }, isShared: true })
    const hers = await addReport('weekly', { search: 'Weekly', schedule: 'never' })
    expect(JSON.stringify(hers)).toContain('no search Weekly')
    const note = await addReport('bens', { search: 'Mine', schedule: 'never' }, ben)
    expect(JSON.stringify(note)).toContain('no search Mine')
    await world.run('reports', { name: 'bens', runNow: 'true' }, ben)
    await world.sendReports()
    expect(came()).toEqual([])
    expect((await world.reports('bens')).reports).toMatchObject([
      { status: 'failed', reason: expect.stringMatching(/no saved search Mine/) },
    ])
  })

  test('not sent with what somebody else has made of its dashboard, until its owner says so', async () => {
    const policy = { policyName: 'editors', operations: 'data.monitors,data.dashboards' }
    await world.run('securityPolicies', { action: 'add', ...policy })
    await world.run('securityUsers', { action: 'edit', userName: 'ben', policy: 'editors' })
    await world.run('addApp', { name: 'Web', viewUsers: 'rita,ben', update: 'true' })
    await addReport('watched', { dashboard: 'Web->Traffic', schedule: 'never' })
    world.clock.shift(MINUTE_MS)
    const changed = { app: 'Web', name: 'Traffic', file: dashboardOf('By Ben'), update: 'true' }
    await world.run('addDashboard', changed, world.as('ben', PASSWORD))
    const send = async () => {
      await world.run('reports', { name: 'watched', runNow: 'true' }, rita())
      await world.sendReports()
      return came().length
    }
    expect(await send()).toBe(0)
    expect((await world.reports('watched')).reports).toMatchObject([
      { status: 'failed', reason: expect.stringMatching(/somebody else has changed/) },
    ])
    world.clock.shift(MINUTE_MS)
    await world.run('addReport', { name: 'watched', update: 'true' }, rita())
    expect(await send()).toBeGreaterThan(0)
  })

  test('refused where it cannot be sent', async () => {
    const wrong = (given: Record<string, string>) => addReport('wrong', given)
    await expect(wrong({})).rejects.toThrow(/dashboard/)
    await expect(wrong({ dashboard: 'Web->Traffic', search: 'Mine' })).rejects.toThrow(/together/)
    await expect(wrong({ dashboard: 'Web->None' })).rejects.toThrow(/no dashboard/)
    await expect(wrong({ dashboard: 'Web' })).rejects.toThrow(/app/)
    await expect(wrong({ search: 'Mine', targets: '' })).rejects.toThrow(/targets/)
    await expect(wrong({ search: 'Mine', targets: 'chat' })).rejects.toThrow(/type mail/)
    await expect(wrong({ search: 'Mine', schedule: 'sometimes' })).rejects.toThrow(/daily/)
    await expect(world.run('removeAccount', { name: 'desk' })).rejects.toThrow(/reports/)
  })
})
