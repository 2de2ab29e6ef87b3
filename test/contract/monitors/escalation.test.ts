// Alerts that nobody sees to are told to others, step after step, each once; what is over and old
// goes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { type MonitorWorld, openMonitorWorld } from '../../support/monitors/monitor-world.ts'
import { type HookReceiver, startHookReceiver } from '../../support/portal/hook-receiver.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let pipeline: SearchPipeline
let world: MonitorWorld
let hooks: HookReceiver
let directory: string

beforeAll(async () => {
  ;[pipeline, hooks] = await Promise.all([openSearchPipeline(), startHookReceiver()])
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-escalation-'))
  world = openMonitorWorld(pipeline, { keyFile: join(directory, 'secrets.key') })
  for (const name of ['desk', 'lead', 'boss'])
    await world.run('addAlertTarget', { name, type: 'slack', targetURL: `${hooks.url}/${name}` })
})
afterAll(async () => {
  await world?.app.app.stop()
  await pipeline?.stop()
  await hooks?.close()
  rmSync(directory, { recursive: true, force: true })
})

let before = 0
const told = () => hooks.got.slice(before).map(({ path }) => path.replace('/hook/', ''))

/** Later, everything that has to do with alerts has run twice. */
async function pass(ms: number): Promise<void> {
  world.clock.shift(ms)
  for (let round = 0; round < 2; round += 1) {
    await world.escalate()
    await world.deliver()
  }
}

describe('an alert that nobody sees to', () => {
  let count = 0
  let log = ''
  beforeEach(async () => {
    count += 1
    log = `unseen${count}`
    before = hooks.got.length
    await world.run('addMonitor', {
      ...{ name: log, query: `failed in log.${log}`, schedule: 'every 1m', window: '1d' },
      ...{ actions: 'desk', escalation: '15m: lead, 1h: boss', tellEnd: 'true' },
    })
    const timestamp = new Date(world.clock.nowMs()).toISOString()
    await pipeline.ingest(
      [{ timestamp, productPath: 'Shop', productName: log, message: 'failed' }],
      { receivedMs: world.clock.nowMs() },
    )
    await world.tick()
    await world.deliver()
    expect(told()).toEqual(['desk'])
  })

  const end = async () => {
    await world.run('addMonitor', { name: log, enabled: 'false', update: 'true' })
  }
  const openAlert = async () => {
    const { alerts } = await world.alerts()
    const found = alerts.find(({ monitor }) => monitor === log)
    if (found === undefined) throw new Error('no alert is open')
    return found
  }

  test('is told to each step in its time, once, and its end to all of them', async () => {
    await pass(13 * MINUTE_MS)
    expect(told()).toEqual(['desk'])
    await pass(2 * MINUTE_MS)
    expect(told()).toEqual(['desk', 'lead'])
    expect(hooks.got[before + 1]?.body).toContain('nobody has seen to it')
    await pass(44 * MINUTE_MS)
    await pass(2 * MINUTE_MS)
    expect(told()).toEqual(['desk', 'lead', 'boss'])
    const { id } = await openAlert()
    const { messages } = await world.alerts({ id: String(id) })
    expect(messages.map(({ event, target }) => `${event} ${target}`).sort()).toEqual([
      'escalated boss',
      'escalated lead',
      'opened desk',
    ])
    await world.tick(DAY_MS)
    await pass(0)
    expect(told().slice(3).sort()).toEqual(['boss', 'desk', 'lead'])
    await end()
  })

  test('goes no further once it is acknowledged', async () => {
    const { id } = await openAlert()
    await world.run('alerts', { id: String(id), acknowledge: 'true' })
    await pass(2 * 60 * MINUTE_MS)
    expect(told()).toEqual(['desk'])
    await world.run('alerts', { id: String(id), acknowledge: 'false' })
    await pass(MINUTE_MS)
    expect(told().sort()).toEqual(['boss', 'desk', 'lead'])
    await end()
  })

  test('is told later where a maintenance window or a mute holds it back', async () => {
    const { id } = await openAlert()
    await world.run('alerts', { id: String(id), muteUntil: '30m' })
    await pass(20 * MINUTE_MS)
    expect(told()).toEqual(['desk'])
    await pass(11 * MINUTE_MS)
    expect(told()).toEqual(['desk', 'lead'])
    await end()
  })
})

test('a target of a step cannot be removed, and a step that is none is refused', async () => {
  await expect(world.run('removeAccount', { name: 'boss' })).rejects.toThrow(/monitor/)
  const wrong = (escalation: string) =>
    world.run('addMonitor', { name: 'wrong', query: 'x', escalation })
  await expect(wrong('15m: nobody')).rejects.toThrow(/nobody/)
  await expect(wrong('soon: lead')).rejects.toThrow(/15m: team lead/)
  await expect(wrong('1h: lead, 5m: boss')).rejects.toThrow(/15m: team lead/)
})

test('ended runs and closed alerts go after the days of the audit log, open ones stay', async () => {
  const { database } = pipeline.db
  const countRows = async (table: 'alerts' | 'alert_messages' | 'monitor_runs') => {
    const { count } = await database.read
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }
  await world.removeOld()
  expect(await countRows('alerts')).toBe(3)
  expect(await countRows('monitor_runs')).toBeGreaterThan(0)
  world.clock.shift(4000 * DAY_MS)
  await world.removeOld()
  // Two of the tests before left theirs open.
  expect(await countRows('alerts')).toBe(2)
  expect(await countRows('monitor_runs')).toBe(0)
  expect(await countRows('alert_messages')).toBe(5)
})
