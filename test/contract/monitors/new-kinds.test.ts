// Monitors for new shapes of messages and new values of a column, over events of weeks.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { type MonitorWorld, openMonitorWorld } from '../../support/monitors/monitor-world.ts'

const DAY_MS = 86_400_000
const PASSWORD = 'a good password'

let pipeline: SearchPipeline
let world: MonitorWorld
let directory: string

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-kinds-'))
  world = openMonitorWorld(pipeline, { keyFile: join(directory, 'secrets.key') })
  const days = Array.from({ length: 13 }, (_, at) => 20 - at)
  await Promise.all([
    ...days.flatMap((day) => [
      receive({ message: `order ${day}17 took ${day} ms`, user: 'anna' }, day * DAY_MS),
      receive({ message: 'disk /var/log/a is full', user: 'ANNA' }, day * DAY_MS),
    ]),
    receive({ message: 'fan 3 stands still', user: 'bert' }, 3 * DAY_MS),
  ])
})
afterAll(async () => {
  await world?.app.app.stop()
  await pipeline?.stop()
  rmSync(directory, { recursive: true, force: true })
})

async function receive(event: Readonly<Record<string, string>>, agoMs = 0): Promise<void> {
  const receivedMs = world.clock.nowMs() - agoMs
  const timestamp = new Date(receivedMs).toISOString()
  await pipeline.ingest([{ timestamp, productPath: 'Shop', productName: 'pay', ...event }], {
    receivedMs,
  })
}

function watch(name: string, rule: string, given: Readonly<Record<string, string>> = {}) {
  return { name, query: '* in log.pay', rule, schedule: 'every 1m', ...given }
}

const told = async (monitor: string) => {
  const { alerts } = await world.alerts({ state: 'all' })
  return alerts.filter((it) => it.monitor === monitor).map(({ group }) => group)
}

describe('a monitor for what is new', () => {
  test('tells each new shape once, those of one run together', async () => {
    await world.run('addMonitor', watch('shapes', 'new shape'))
    await world.tick()
    expect(await told('shapes')).toEqual([])
    await receive({ message: 'order 77 took 4 ms' })
    await receive({ message: 'card 4711 refused' })
    await world.tick()
    expect(await told('shapes')).toEqual(['card <number> refused'])
    await receive({ message: 'card 4712 refused' })
    await world.tick()
    expect(await told('shapes')).toHaveLength(1)
    expect((await world.alerts()).alerts).toEqual([])
    await Promise.all(['pump on', 'pump off', 'pump on'].map((message) => receive({ message })))
    // Two schedulers, one of them late.
    const [one, other] = [await world.takeLease(), await world.takeLease()]
    world.clock.shift(60_000)
    await Promise.all([world.runJob(world.runs(), one), world.runJob(world.runs(), other)])
    expect(await told('shapes')).toEqual(['pump on and 1 more', 'card <number> refused'])
    const { alerts } = await world.alerts()
    const { columns, rows } = await world.alerts({ id: String(alerts[0]?.id) })
    expect(columns).toEqual(['events', 'shape', 'example', 'query'])
    expect(rows).toEqual([
      ['2', 'pump on', 'pump on', 'message matches "^pump on$"'],
      ['1', 'pump off', 'pump off', 'message matches "^pump off$"'],
    ])
  })

  test('tells new values of a column, without letter case', async () => {
    await world.run('addMonitor', watch('users', 'new value user'))
    await receive({ message: 'signed in', user: 'Bert' })
    await receive({ message: 'signed in' })
    await world.tick()
    expect(await told('users')).toEqual([])
    await receive({ message: 'signed in', user: 'Carl' })
    await world.tick()
    await receive({ message: 'signed in', user: 'carl' })
    await world.tick()
    expect(await told('users')).toEqual(['Carl'])
  })

  test('says when it would have told in the last week', async () => {
    await world.run('addMonitor', watch('by the day', 'new shape', { schedule: 'every 1d' }))
    const { fired, runs, isComplete } = await world.testMonitor({ name: 'by the day' })
    expect({ runs, isComplete }).toEqual({ runs: 7, isComplete: true })
    expect(fired.map(({ group, count }) => ({ group, count }))).toContainEqual({
      ...{ group: 'fan <number> stands still', count: 1 },
    })
    expect(await told('by the day')).toEqual([])
  })

  test('learns anew in silence when it is asked something else', async () => {
    await world.run('addMonitor', watch('changed', 'new value user', { query: 'order in log.pay' }))
    await world.tick()
    await world.run('addMonitor', { ...watch('changed', 'new value user'), update: 'true' })
    await receive({ message: 'signed in', user: 'bert' })
    await world.tick()
    expect(await told('changed')).toEqual([])
    await receive({ message: 'signed in', user: 'doris' })
    await world.tick()
    expect(await told('changed')).toEqual(['doris'])
  })

  test('tells nothing that a policy hides from its owner, and not that it is new', async () => {
    await world.run('securityPolicies', {
      ...{ action: 'add', policyName: 'masked', operations: 'data.monitors' },
      masks: 'email@#@#column secret',
    })
    await pipeline.db.addUser('rita', PASSWORD)
    await world.run('securityUsers', { action: 'edit', userName: 'rita', policy: 'masked' })
    const rita = world.as('rita', PASSWORD)
    await Promise.all(
      [12, 11, 10, 9].map((day) =>
        receive({ message: 'mail', secret: 'one', by: 'a@example.org' }, day * DAY_MS),
      ),
    )
    for (const [name, rule] of [
      ['hidden address', 'every new value by'],
      ['hidden column', 'every new value secret'],
      ['hidden in shapes', 'every new shape'],
    ] as const)
      await world.run('addMonitor', watch(name, rule), rita)
    await world.run('addMonitor', watch('all seen', 'every new value secret'))
    await world.tick()
    await receive({ message: 'mail', secret: 'zweites', by: 'zoe@example.org' })
    await world.tick()
    expect(await told('all seen')).toEqual(['zweites'])
    for (const name of ['hidden address', 'hidden column', 'hidden in shapes'])
      expect(await told(name), name).toEqual([])
  })

  test('forgets with its monitor, and keeps hashes alone', async () => {
    const { read } = pipeline.db.database
    const kinds = () => read.selectFrom('monitor_kinds').selectAll().execute()
    const before = await kinds()
    expect(before.length).toBeGreaterThan(0)
    for (const { kind } of before) expect(kind).toMatch(/^\d+$/)
    await world.run('removeObject', { type: 'monitor', name: 'users' })
    expect((await kinds()).length).toBeLessThan(before.length)
  })

  test('refuses what cannot be', async () => {
    const made = (given: Record<string, string>) =>
      world.run('addMonitor', { ...watch('wrong', 'new shape'), ...given })
    await expect(made({ window: '1h' })).rejects.toThrow(/window new/)
    await expect(made({ groupBy: 'host' })).rejects.toThrow(/at once/)
    await expect(made({ openAfter: '2' })).rejects.toThrow(/not new any more/)
    await expect(made({ query: '* in log.pay | count' })).rejects.toThrow(/without stages/)
    await expect(made({ rule: 'new value' })).rejects.toThrow(/new value <column>/)
  })
})
