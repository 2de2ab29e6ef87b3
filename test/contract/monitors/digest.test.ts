// Alerts of a target that gathers them: one message at its time, each alert in it once, whatever is
// killed; what is critical goes at once.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../infra/database/port.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { type MonitorWorld, openMonitorWorld } from '../../support/monitors/monitor-world.ts'
import { type HookReceiver, startHookReceiver } from '../../support/portal/hook-receiver.ts'
import { type MailSink, startMailSink } from '../../support/portal/mail-sink.ts'

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

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
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-digest-'))
  world = openMonitorWorld(pipeline, {
    keyFile: join(directory, 'secrets.key'),
    mailUrl: mails.url,
  })
  await world.run('addAlertTarget', {
    ...{ name: 'desk', type: 'mail', to: 'desk@example.com', digest: 'every 1h' },
  })
  await world.run('addAlertTarget', {
    ...{ name: 'hook', type: 'webhook', targetURL: hooks.url, signingSecret: SECRET },
    digest: 'every 1h',
  })
  // In the first minutes of an hour, so that no test meets its end.
  world.clock.shift(HOUR_MS - (world.clock.nowMs() % HOUR_MS) + MINUTE_MS)
})
afterAll(async () => {
  await world?.app.app.stop()
  await pipeline?.stop()
  await mails?.close()
  await hooks?.close()
  rmSync(directory, { recursive: true, force: true })
})

let before = 0
let beforeHooks = 0
let log = ''
let count = 0
beforeEach(() => {
  before = mails.mails.length
  beforeHooks = hooks.got.length
  count += 1
  log = `gathered${count}`
})
const came = () =>
  mails.mails.slice(before).map(({ raw }) => raw.replace(/=\r\n/g, '').replace(/=3D/g, '='))

async function fail(...whos: readonly string[]): Promise<void> {
  const timestamp = new Date(world.clock.nowMs()).toISOString()
  await pipeline.ingest(
    whos.map((who) => ({
      ...{ timestamp, productPath: 'Shop', productName: log, message: 'failed', who },
    })),
    { receivedMs: world.clock.nowMs() },
  )
  await world.tick()
  await pass()
}

/** Everything that tells has run twice. */
async function pass(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await world.gather()
    await world.deliver()
  }
}

const addMonitor = (given: Record<string, string> = {}) =>
  world.run('addMonitor', {
    ...{ name: log, query: `failed in log.${log}`, schedule: 'every 1m', groupBy: 'who' },
    ...{ actions: 'desk', tellEnd: 'true', ...given },
  })
const end = () => world.run('addMonitor', { name: log, enabled: 'false', update: 'true' })

describe('a target with a digest', () => {
  test('gets one message of an hour, each alert in it once, by mail and webhook', async () => {
    await addMonitor({ actions: 'desk,hook' })
    await fail('anna', 'ben')
    // The first two close here, and a third opens.
    await fail('carl')
    expect(came()).toEqual([])
    const [alert] = (await world.alerts({ state: 'all' })).alerts
    const stateOf = async () => {
      const { messages } = await world.alerts({ id: String(alert?.id) })
      return messages.map(({ target, state, attempts }) => [target, state, attempts.length])
    }
    expect((await stateOf()).sort()).toEqual([
      ['desk', 'gathered', 0],
      ['hook', 'gathered', 0],
    ])
    await end()
    world.clock.shift(HOUR_MS)
    await pass()
    const [mail = '', ...others] = came()
    expect(others).toEqual([])
    expect(mail).toMatch(/^subject: \[digest\] 3 alerts, 1 of them open/im)
    for (const who of ['anna', 'ben', 'carl'])
      expect(mail.match(new RegExp(`^\\* .*${who}`, 'gm'))).toHaveLength(1)
    const [hook, ...otherHooks] = hooks.got.slice(beforeHooks)
    expect(otherHooks).toEqual([])
    const told = JSON.parse(hook?.body ?? '')
    expect(told).toMatchObject({ type: 'alert.digest', data: { count: 3 } })
    expect(told.data.sample.rows).toHaveLength(3)
    expect((await stateOf()).sort()).toEqual([
      ['desk', 'delivered', 1],
      ['hook', 'delivered', 1],
    ])
    world.clock.shift(HOUR_MS)
    await pass()
    expect(came()).toHaveLength(1)
  })

  test('gets what is critical at once, and nothing else', async () => {
    await addMonitor({ severity: 'critical' })
    await fail('anna')
    expect(came()).toHaveLength(1)
    expect(came()[0]).toContain('[critical]')
    await end()
    world.clock.shift(HOUR_MS)
    await pass()
    expect(came()).toHaveLength(1)
  })

  test('is told of escalations at once', async () => {
    await addMonitor({ actions: '', escalation: '5m: desk' })
    await fail('anna')
    world.clock.shift(5 * MINUTE_MS)
    await world.escalate()
    await pass()
    expect(came()).toHaveLength(1)
    await end()
  })

  test('gets each alert once, whatever is killed, and not by a scheduler without its lease', async () => {
    await addMonitor()
    await fail('anna', 'ben')
    await end()
    world.clock.shift(HOUR_MS)
    const { database } = pipeline.db
    const dying = (writes: number): Database => {
      let done = 0
      return {
        ...{ read: database.read, close: () => database.close() },
        snapshot: (work) => database.snapshot(work),
        // Cut off inside of its transaction: nothing of it stays.
        write: async (work) =>
          await database.write(async (transaction) => {
            const value = await work(transaction)
            if (done++ >= writes) throw new Error('killed')
            return value
          }),
      }
    }
    const held = await world.takeLease()
    await expect(world.runJob(world.digest, held, dying(0))).rejects.toThrow('killed')
    await database.write((transaction) =>
      transaction
        .updateTable('leases')
        .set({ fence: held.fence + 1 })
        .where('name', '=', held.name)
        .execute(),
    )
    await expect(world.runJob(world.digest, held)).rejects.toMatchObject({
      code: 'database.lease_lost',
    })
    const now = await world.takeLease()
    await Promise.all([world.runJob(world.digest, now), world.runJob(world.digest, now)])
    await world.deliver()
    await pass()
    expect(came()).toHaveLength(1)
    expect(came()[0]).toMatch(/2 alerts, 2 of them open/)
  })

  test('that gathers no more is told at once, and one that is gone nothing', async () => {
    await addMonitor()
    await fail('anna')
    await world.run('addAlertTarget', { name: 'desk', digest: '', update: 'true' })
    await pass()
    expect(came()).toHaveLength(1)
    await world.run('addAlertTarget', { name: 'desk', digest: 'every 1h', update: 'true' })
    await fail('ben')
    await world.run('removeObject', { type: 'monitor', name: log })
    for (const name of ['gathered1', 'gathered2', 'gathered3', 'gathered4'])
      await world.run('removeObject', { type: 'monitor', name })
    await world.run('removeAccount', { name: 'desk' })
    world.clock.shift(HOUR_MS)
    await pass()
    expect(came()).toHaveLength(1)
  })

  test('is refused where its time cannot be read, or an Alertmanager is told', async () => {
    const given = { name: 'wrong', type: 'mail', to: 'a@example.com' }
    for (const digest of ['sometimes', 'never'])
      await expect(world.run('addAlertTarget', { ...given, digest })).rejects.toThrow('digest')
    const manager = { name: 'wrong', type: 'alertmanager', targetURL: hooks.url }
    await expect(world.run('addAlertTarget', { ...manager, digest: 'every 1h' })).rejects.toThrow(
      'Alertmanager',
    )
  })

  test('leaves nothing behind when alerts are old', async () => {
    world.clock.shift(4000 * 24 * HOUR_MS)
    await pass()
    await world.removeOld()
    const left = await pipeline.db.database.read
      .selectFrom('alert_messages')
      .select('id')
      .where('event', '=', 'digest')
      .where('made_ms', '<', world.clock.nowMs() - 24 * HOUR_MS)
      .execute()
    expect(left).toEqual([])
  })
})
