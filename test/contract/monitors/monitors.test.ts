// Monitors on the real engines: what is new is read once, late events too; alerts open, close and
// are told once, whoever runs them and wherever it is cut off.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../infra/database/port.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { type MonitorWorld, openMonitorWorld } from '../../support/monitors/monitor-world.ts'

let pipeline: SearchPipeline
let world: MonitorWorld
let directory: string

const MINUTE_MS = 60_000

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-monitors-'))
  world = openMonitorWorld(pipeline, { keyFile: join(directory, 'secrets.key') })
})
afterAll(async () => {
  await world?.app.app.stop()
  await pipeline?.stop()
  rmSync(directory, { recursive: true, force: true })
})

// A monitor runs at whole minutes. None ends between a test's events and the run that it asks for.
beforeEach(() => {
  world.clock.shift(MINUTE_MS - (world.clock.nowMs() % MINUTE_MS) + 1000)
})

const inLog = (log: string, fields: object) => ({
  productPath: 'Shop',
  productName: log,
  ...fields,
})

/** By the clock of the world, as a listener there would stamp it. */
async function send(log: string, events: readonly object[], at = world.clock.nowMs()) {
  const timestamp = new Date(at).toISOString()
  await pipeline.ingest(
    events.map((event) => inLog(log, { timestamp, ...event })),
    { receivedMs: world.clock.nowMs() },
  )
}

const openOf = async (monitor: string) =>
  (await world.alerts()).alerts.filter((alert) => alert.monitor === monitor)

async function disable(name: string) {
  await world.run('addMonitor', { name, enabled: 'false', update: 'true' })
}

describe('a monitor of what is new', () => {
  test('opens an alert once, reads late events, and closes it', async () => {
    await send('pay', [{ message: 'failed before' }])
    await world.run('addMonitor', {
      ...{ name: 'pay', query: 'failed in log.pay', schedule: 'every 1m', severity: 'high' },
    })
    await world.tick()
    expect(await openOf('pay')).toEqual([])
    // Three hours old by its own time, and new all the same.
    await send('pay', [{ message: 'failed late' }], world.clock.nowMs() - 3 * 3_600_000)
    await world.tick()
    const [alert, ...others] = await openOf('pay')
    expect(others).toEqual([])
    expect(alert).toMatchObject({ monitor: 'pay', severity: 'high', count: 1, state: 'open' })
    const one = await world.alerts({ id: String(alert?.id) })
    expect(one.rows.flat()).toContain('failed late')
    expect(one.rows.flat()).not.toContain('failed before')
    await send('pay', [{ message: 'failed again' }])
    await world.tick()
    expect((await openOf('pay')).map(({ id }) => id)).toEqual([alert?.id])
    await world.tick()
    expect(await openOf('pay')).toEqual([])
    const { runs, monitors } = await world.monitors('pay')
    expect(runs.map(({ state, opened, closed }) => [state, opened, closed])).toEqual([
      ['passed', 0, 1],
      ['failed', 0, 0],
      ['failed', 1, 0],
      ['passed', 0, 0],
    ])
    expect(monitors).toMatchObject([{ name: 'pay', owner: 'admin', status: 'passed' }])
    await disable('pay')
  })

  test('has one alert for each group, and says which due times nobody ran', async () => {
    await world.run('addMonitor', {
      ...{ name: 'hosts', query: 'down in log.hosts', schedule: 'every 1m' },
      ...{ rule: 'count > 1', groupBy: 'machine' },
    })
    const down = (machine: string) => ({ message: 'down', machine })
    await send('hosts', [down('a "1"'), down('a "1"'), down('b'), down('c'), down('c'), down('c')])
    await world.tick(5 * 60_000)
    const open = await openOf('hosts')
    expect(open.map(({ group, count }) => [group, count]).sort()).toEqual([
      ['a "1"', 2],
      ['c', 3],
    ])
    const { runs } = await world.monitors('hosts')
    expect(runs).toMatchObject([{ opened: 2, skipped: 4 }])
    await disable('hosts')
  })
})

describe('rules', () => {
  test('compare a column, a week before, and see silence', async () => {
    const now = world.clock.nowMs()
    const hour = 3_600_000
    await send(
      'rate',
      Array.from({ length: 4 }, () => ({ message: 'hit' })),
      now - 7 * 24 * hour,
    )
    await send('rate', [{ message: 'hit' }], now - 60_000)
    await send(
      'slow',
      [
        { message: 'took', took: 5 },
        { message: 'took', took: 250 },
      ],
      now - 60_000,
    )
    const every = { schedule: 'every 1m', window: '1h' }
    const make = (name: string, given: Record<string, string>) =>
      world.run('addMonitor', { name, ...every, ...given })
    await make('falls', { query: '* in log.rate', rule: 'change < -50%' })
    await make('falls far', { query: '* in log.rate', rule: 'change < -80%' })
    await make('slow', { query: 'took in log.slow', rule: 'column took > 100' })
    await make('slow table', {
      query: 'took in log.slow | max took as Worst | group by host',
      ...{ rule: 'column Worst >= 250', groupBy: 'host' },
    })
    await make('silent', {
      query: '* in log.slow, log.hosts, log.pay',
      rule: 'silence',
      window: '1m',
    })
    await world.tick()
    const names = ['falls', 'falls far', 'slow', 'slow table', 'silent']
    const open = (await world.alerts()).alerts.filter(({ monitor }) => names.includes(monitor))
    expect(open.map((it) => `${it.monitor}/${it.group}/${it.count}`).sort()).toEqual([
      'falls//1',
      'silent/Events->Shop->hosts/0',
      'silent/Events->Shop->pay/0',
      'silent/Events->Shop->slow/0',
      'slow table/web-01/1',
      'slow//1',
    ])
    const one = async (name: string) => {
      const id = open.find(({ monitor }) => monitor === name)?.id
      return await world.alerts({ id: String(id) })
    }
    // Of the event that met the rule alone, whatever the date format of the system is; a row that
    // was worked out has no time.
    const slow = await one('slow')
    expect(slow.times).toEqual([new Date(now - 60_000).toISOString()])
    expect(slow.rows.flat()).toContain('250')
    expect((await one('slow table')).times).toEqual([])
    // The rule that opened it, though its monitor has another one by now.
    await make('slow', { rule: 'column took > 1000', update: 'true' })
    expect((await one('slow')).alerts).toMatchObject([{ rule: 'column took > 100' }])
    for (const name of names) await disable(name)
  })
})

describe('the owner', () => {
  test('is whose rights count when it runs', async () => {
    await world.run('securityPolicies', {
      ...{ action: 'add', policyName: 'watchers', operations: 'data.monitors' },
    })
    const password = 'her own password'
    await world.run('securityUsers', {
      ...{ action: 'add', userName: 'wanda', userPassword: password, policy: 'watchers' },
    })
    const wanda = world.as('wanda', password)
    await send('open', [{ message: 'secret word' }])
    await send('closed', [{ message: 'secret word' }])
    await world.run('setPermissions', {
      ...{ path: 'Events->Shop->closed', type: 'log', viewUsers: 'admin', viewGroups: '' },
    })
    const given = { query: 'secret', schedule: 'every 1m', window: '1h' }
    await world.run('addMonitor', { name: 'wanda sees', ...given }, wanda)
    await world.tick()
    expect(await openOf('wanda sees')).toMatchObject([{ count: 1 }])
    // Nobody else's rights, and nobody else's monitor.
    await expect(
      world.run('addMonitor', { name: 'as admin', ...given, owner: 'admin' }, wanda),
    ).rejects.toThrow('may not do that')
    await world.run('addMonitor', { name: 'of admin', ...given })
    await expect(
      world.run('addMonitor', { name: 'of admin', query: '*', update: 'true' }, wanda),
    ).rejects.toThrow('no monitor')
    const { alerts: hers } = await world.alerts({ state: 'all' }, wanda)
    expect([...new Set(hers.map(({ monitor }) => monitor))]).toEqual(['wanda sees'])
    await world.run('securityUsers', { action: 'remove', userName: 'wanda' })
    await world.tick()
    const { monitors } = await world.monitors('wanda sees')
    expect(monitors).toMatchObject([
      { status: 'error', owner: '', reason: expect.stringContaining('its owner was removed') },
    ])
    await disable('wanda sees')
    await disable('of admin')
  })
})

describe('once', () => {
  /** Writes fail from the n-th on, as those of a process that is gone. */
  const dyingAfter = (database: Database, writes: number): Database => {
    let left = writes
    return {
      ...{ read: database.read, close: () => database.close() },
      snapshot: (work) => database.snapshot(work),
      write: async (work) => {
        left -= 1
        if (left < 0) throw new Error('killed')
        return await database.write(work)
      },
    }
  }

  test.each([0, 1])('opens each alert once when a run dies after %i writes', async (writes) => {
    const name = `dies ${writes}`
    const log = `dies${writes}`
    await world.run('addMonitor', { name, query: `boom in log.${log}`, schedule: 'every 1m' })
    await send(log, [{ message: 'boom' }])
    world.clock.shift(60_000)
    const { database } = pipeline.db
    const held = await world.takeLease()
    await expect(world.runJob(world.runs(), held, dyingAfter(database, writes))).rejects.toThrow()
    expect(await openOf(name)).toEqual([])
    // What comes meanwhile is the next run's.
    await send(log, [{ message: 'boom' }, { message: 'boom' }])
    await world.runJob(world.runs(), await world.takeLease())
    expect(await openOf(name)).toMatchObject([{ count: writes === 0 ? 3 : 1 }])
    await world.tick()
    expect(await openOf(name)).toHaveLength(writes === 0 ? 0 : 1)
    await disable(name)
  })

  test('two schedulers that run at once open each alert once', async () => {
    await world.run('addMonitor', { name: 'two', query: 'crash in log.two', schedule: 'every 1m' })
    await send('two', [{ message: 'crash' }])
    world.clock.shift(60_000)
    const leases = [await world.takeLease(), await world.takeLease(), await world.takeLease()]
    await Promise.all(leases.map((held) => world.runJob(world.runs(), held)))
    expect(await openOf('two')).toHaveLength(1)
    const { runs } = await world.monitors('two')
    expect(runs).toHaveLength(1)
    await disable('two')
  })
})

describe('by hand', () => {
  test('it runs at once, and reads nothing twice', async () => {
    await world.run('addMonitor', { name: 'hand', query: 'odd in log.hand', schedule: 'never' })
    await send('hand', [{ message: 'odd' }])
    await world.run('monitors', { name: 'hand', runNow: 'true' })
    await world.run('monitors', { name: 'hand', runNow: 'true' })
    await world.tick(1)
    expect(await openOf('hand')).toMatchObject([{ count: 1 }])
    expect((await world.monitors('hand')).runs).toHaveLength(1)
    await world.run('monitors', { name: 'hand', runNow: 'true' })
    await world.tick(1)
    expect(await openOf('hand')).toEqual([])
  })
})

test('a run that meets a bug fails alone', async () => {
  for (const name of ['bug', 'beside']) {
    await world.run('addMonitor', { name, query: 'odd in log.bug', schedule: 'never' })
    await world.run('monitors', { name, runNow: 'true' })
  }
  const { id } = await pipeline.db.database.read
    .selectFrom('monitors')
    .select('id')
    .where('name', '=', 'bug')
    .executeTakeFirstOrThrow()
  await pipeline.db.database.write((transaction) =>
    transaction
      .updateTable('monitor_runs')
      .set({ mark_to: 'no JSON' })
      .where('monitor_id', '=', id)
      .execute(),
  )
  await world.tick(1)
  expect((await world.monitors('bug')).runs).toMatchObject([
    { state: 'error', reason: 'internal error' },
  ])
  expect((await world.monitors('beside')).runs).toMatchObject([{ state: 'passed' }])
})

describe('the log of alerts', () => {
  test('has each event once, for those whom system.alerts lets in', async () => {
    await pipeline.copyAudit()
    const search = async (query: string) =>
      await (
        await world.app.search({
          searchQuery: query,
          resultFormat: 'csv',
          fixedInterval: 'allData',
        })
      ).text()
    const events = await search('* in log.System->alerts | count | group by event, monitor')
    expect(events).toContain('opened,pay,1')
    expect(events).toContain('closed,pay,1')
    expect(events).toContain('opened,hosts,2')
    // A search that does not name it does not read it, or a monitor would find its own alert.
    expect(await search('alert opened')).not.toContain('pay')
  })
})
