// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the form of a variable
// What goes out when alerts open and close, received by real servers: once, well formed, and
// nothing of it made by the text of an event.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../infra/database/port.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { type MonitorWorld, openMonitorWorld } from '../../support/monitors/monitor-world.ts'
import { type HookReceiver, startHookReceiver, verify } from '../../support/portal/hook-receiver.ts'
import { type MailSink, startMailSink } from '../../support/portal/mail-sink.ts'

const HOUR_MS = 3_600_000
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const HOSTILE = 'a\r\nBcc: evil@example.com <!channel> <b>*bold*</b> ${link} "quoted"'

let pipeline: SearchPipeline
let world: MonitorWorld
let mails: MailSink
let hooks: HookReceiver
let directory: string

beforeAll(async () => {
  ;[pipeline, mails, hooks] = await Promise.all([
    openSearchPipeline(),
    startMailSink(),
    startHookReceiver(),
  ])
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-delivery-'))
  world = openMonitorWorld(pipeline, {
    keyFile: join(directory, 'secrets.key'),
    mailUrl: mails.url,
  })
  const target = (name: string, given: Record<string, string>) =>
    world.run('addAlertTarget', { name, ...given })
  await target('mail', { type: 'mail', to: 'ops@example.com,night@example.com' })
  await target('hook', { type: 'webhook', targetURL: hooks.url, signingSecret: SECRET })
  await target('slack', { type: 'slack', targetURL: `${hooks.url}/slack` })
  await target('manager', { type: 'alertmanager', targetURL: `${hooks.url}/am/` })
})
afterAll(async () => {
  await world?.app.app.stop()
  await pipeline?.stop()
  await mails?.close()
  await hooks?.close()
  rmSync(directory, { recursive: true, force: true })
})

async function send(log: string, events: readonly object[]) {
  const timestamp = new Date(world.clock.nowMs()).toISOString()
  const place = { productPath: 'Shop', productName: log }
  await pipeline.ingest(
    events.map((event) => ({ timestamp, ...place, ...event })),
    { receivedMs: world.clock.nowMs() },
  )
}

const got = (path: string) => hooks.got.filter((one) => one.path === path)

describe('an alert', () => {
  test('is told by mail, webhook, Slack and Alertmanager, once each', async () => {
    await world.run('addMonitor', {
      ...{ name: 'all ways', query: 'failed in log.ways', schedule: 'every 1m', groupBy: 'who' },
      ...{ severity: 'critical', actions: 'mail,hook,slack,manager', tellEnd: 'true' },
    })
    await send('ways', [{ message: `failed ${HOSTILE}`, who: HOSTILE }])
    await world.tick()
    await world.deliver()
    await world.deliver()
    const [mail, ...otherMails] = mails.mails
    expect(otherMails).toEqual([])
    expect(mail?.to).toEqual(['ops@example.com', 'night@example.com'])
    const [head = '', ...rest] = (mail?.raw ?? '').split('\r\n\r\n')
    const body = rest.join('\n')
    expect(head).not.toMatch(/^bcc:/im)
    expect(head).toMatch(/^content-type: multipart\/alternative/im)
    expect(body).toMatch(/^content-type: text\/plain/im)
    expect(head.match(/^subject:/gim)).toHaveLength(1)
    expect(decodeURIComponent(head.replace(/=([0-9A-F]{2})/g, '%$1'))).toMatch(/all[ _]ways/)
    expect(body).toContain('failed')

    const [hook, ...otherHooks] = got('/hook')
    if (hook === undefined) throw new Error('no webhook came')
    expect(otherHooks).toEqual([])
    const signed = verify(hook, SECRET, world.clock.nowMs())
    expect(signed).toMatchObject({
      type: 'alert.opened',
      data: { monitor: 'all ways', severity: 'critical', group: HOSTILE, count: 1 },
    })
    const { data } = JSON.parse(hook.body)
    expect(data.sample.rows.flat()).toContain(HOSTILE)
    expect(data.link).toContain('https://logs.example/logeye/search/view/loadSearchModel.jsp?')
    // What an event says is not read as a template.
    expect(data.text).toContain('${link}')

    const [slack, ...otherSlacks] = got('/hook/slack')
    expect(otherSlacks).toEqual([])
    const message = JSON.parse(slack?.body ?? '')
    expect(message.text).not.toContain('<!channel>')
    const texts = JSON.stringify(message.blocks)
    expect(texts).not.toContain('mrkdwn')
    expect(message.blocks[1].text.type).toBe('plain_text')

    const [manager, ...otherManagers] = got('/hook/am/api/v2/alerts')
    expect(otherManagers).toEqual([])
    expect(JSON.parse(manager?.body ?? '')).toMatchObject([
      { labels: { alertname: 'all ways', severity: 'critical', group: HOSTILE } },
    ])

    await world.tick()
    await world.deliver()
    expect(got('/hook').map(({ body: text }) => JSON.parse(text).type)).toEqual([
      'alert.opened',
      'alert.closed',
    ])
    expect(JSON.parse(got('/hook/am/api/v2/alerts')[1]?.body ?? '')[0].endsAt).toBeDefined()
    await world.run('addMonitor', { name: 'all ways', enabled: 'false', update: 'true' })
  })

  test('is tried again with the same id, and each attempt is recorded', async () => {
    const before = got('/hook').length
    await world.run('addMonitor', {
      ...{ name: 'again', query: 'failed in log.again', schedule: 'every 1m', actions: 'hook' },
    })
    await send('again', [{ message: 'failed' }])
    await world.tick()
    hooks.answer = (response) => response.writeHead(503).end()
    await world.deliver()
    hooks.answer = (response) => response.writeHead(204).end()
    await world.deliver()
    expect(got('/hook')).toHaveLength(before + 1)
    world.clock.shift(6000)
    await world.deliver()
    const tries = got('/hook').slice(before)
    expect(tries).toHaveLength(2)
    expect(new Set(tries.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const [alert] = (await world.alerts()).alerts
    const { messages } = await world.alerts({ id: String(alert?.id) })
    expect(messages).toMatchObject([
      {
        ...{ event: 'opened', target: 'hook', state: 'delivered' },
        attempts: [
          { result: 'it answered 503', status: 503 },
          { result: 'taken', status: 204 },
        ],
      },
    ])
  })

  test('that a kill cut off is told at most once more, and never forgotten', async () => {
    const before = got('/hook').length
    await world.run('addMonitor', {
      ...{ name: 'killed', query: 'failed in log.killed', schedule: 'every 1m', actions: 'hook' },
    })
    await send('killed', [{ message: 'failed' }])
    await world.tick()
    const { database } = pipeline.db
    // Gone between the answer and its note.
    const dying: Database = {
      ...{ read: database.read, close: () => database.close() },
      snapshot: (work) => database.snapshot(work),
      write: async (work) => {
        if (got('/hook').length > before) throw new Error('killed')
        return await database.write(work)
      },
    }
    const held = await world.takeLease()
    await expect(world.runJob(world.delivery(), held, dying)).rejects.toThrow('killed')
    await world.deliver()
    expect(got('/hook')).toHaveLength(before + 1)
    world.clock.shift(91_000)
    await world.deliver()
    await world.deliver()
    expect(got('/hook')).toHaveLength(before + 2)
    const alert = (await world.alerts()).alerts.find(({ monitor }) => monitor === 'killed')
    const { messages } = await world.alerts({ id: String(alert?.id) })
    expect(messages[0]?.attempts.map(({ result }) => result)).toEqual(['unknown', 'taken'])
  })
})

test('a maintenance window says whether it is now', async () => {
  const name = 'windowed'
  const query = 'failed in log.windowed'
  await world.run('addMonitor', { name, query, schedule: 'every 1m' })
  // Into an hour that lasts until the last answer.
  world.clock.shift(HOUR_MS - (world.clock.nowMs() % HOUR_MS) + 60_000)
  const now = new Date(world.clock.nowMs())
  const add = (window: string, hour: number, day: number) =>
    world.run('addMaintenanceWindow', {
      ...{ name: window, monitors: name, cron: `0 ${hour} * * ${day}`, minutes: '60' },
      timeZone: 'UTC',
    })
  const [hour, day] = [now.getUTCHours(), now.getUTCDay()]
  for (const [window, isNow, ...at] of [
    ['of this hour', true, hour, day],
    ['of another hour', false, (hour + 12) % 24, day],
    ['of another day', false, hour, (day + 3) % 7],
  ] as const)
    expect(await add(window, ...at)).toEqual({ name: window, enabled: true, isNow })
})

describe('nobody is told', () => {
  test('of what is muted, acknowledged or in maintenance, and what still fails after it is told', async () => {
    const before = got('/hook').length
    const name = 'quiet'
    await world.run('addMonitor', {
      ...{ name, query: 'failed in log.quiet', schedule: 'every 1m', actions: 'hook' },
    })
    const from = new Date(world.clock.nowMs()).toISOString()
    const to = new Date(world.clock.nowMs() + 90_000).toISOString()
    await world.run('addMaintenanceWindow', { name: 'now', monitors: name, start: from, end: to })
    const fail = async () => {
      await send('quiet', [{ message: 'failed' }])
      await world.tick()
      await world.deliver()
      return got('/hook').length - before
    }
    expect(await fail()).toBe(0)
    expect((await world.alerts()).alerts.filter(({ monitor }) => monitor === name)).toHaveLength(1)
    expect(await fail()).toBe(1)
    // Told once while it fails.
    expect(await fail()).toBe(1)
    await world.run('addMonitor', { name, once: 'false', update: 'true' })
    expect(await fail()).toBe(2)
    const alert = (await world.alerts()).alerts.find(({ monitor }) => monitor === name)
    await world.run('alerts', { id: String(alert?.id), acknowledge: 'true' })
    expect(await fail()).toBe(2)
    await world.run('alerts', { id: String(alert?.id), acknowledge: 'false' })
    await world.run('monitors', { name, muteUntil: '10m' })
    expect(await fail()).toBe(2)
    await world.run('monitors', { name, muteUntil: '' })
    expect(await fail()).toBe(3)
  })
})

describe('a target', () => {
  test('is tried by a message, keeps its secrets, and stays while a monitor names it', async () => {
    const before = got('/hook').length
    const tried = { name: 'tried', type: 'webhook', targetURL: hooks.url, signingSecret: SECRET }
    expect(await world.run('addAlertTarget', { ...tried, verify: 'true' })).toMatchObject({
      verified: ['a test message was taken'],
    })
    expect(JSON.parse(got('/hook')[before]?.body ?? '').type).toBe('alert.test')
    const text = JSON.stringify(await world.run('list', { type: 'alertTarget', details: 'true' }))
    expect(text).not.toContain(hooks.url)
    expect(text).not.toContain(SECRET)
    await expect(world.run('removeAccount', { name: 'hook' })).rejects.toThrow('4 monitors')
    // Where clouds keep their credentials is refused, whoever asks.
    const inner = { ...tried, name: 'cloud', targetURL: 'http://169.254.169.254/latest' }
    await expect(world.run('addAlertTarget', { ...inner, verify: 'true' })).rejects.toThrow(
      'does not connect',
    )
  })
})
