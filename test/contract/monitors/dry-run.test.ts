// A dry run, of a monitor that is saved and of one that is only typed: it keeps nothing, and shows
// nobody what he may not see.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { type MonitorWorld, openMonitorWorld } from '../../support/monitors/monitor-world.ts'

const HOUR_MS = 3_600_000
const PASSWORD = 'her own password'

let pipeline: SearchPipeline
let world: MonitorWorld
let directory: string

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-dry-run-'))
  world = openMonitorWorld(pipeline, { keyFile: join(directory, 'secrets.key') })
  for (const hours of [30, 52, 100]) await send('past', 'broken', hours)
  await world.run('securityPolicies', {
    ...{ action: 'add', policyName: 'watchers', operations: 'data.monitors' },
  })
  await world.run('securityUsers', {
    ...{ action: 'add', userName: 'wanda', userPassword: PASSWORD, policy: 'watchers' },
  })
})
afterAll(async () => {
  await world?.app.app.stop()
  await pipeline?.stop()
  rmSync(directory, { recursive: true, force: true })
})

async function send(log: string, message: string, hoursAgo: number): Promise<void> {
  const timestamp = new Date(world.clock.nowMs() - hoursAgo * HOUR_MS).toISOString()
  await pipeline.ingest([{ timestamp, productPath: 'Shop', productName: log, message }], {
    receivedMs: world.clock.nowMs(),
  })
}

const DEFINITION = { query: 'broken in log.past', schedule: 'every 4h', window: '4h' }

test('tells when a saved monitor would have fired', async () => {
  await world.run('addMonitor', { name: 'past', ...DEFINITION })
  const { summary, fired, isComplete } = await world.testMonitor({ name: 'past' })
  expect(isComplete).toBe(true)
  expect(summary).toBe('would have fired 3 times in the last 7 days')
  expect(fired).toHaveLength(3)
  const { alerts } = await world.alerts({ state: 'all' })
  expect(alerts).toEqual([])
  await world.run('addMonitor', { name: 'past', enabled: 'false', update: 'true' })
})

test('tries one that is only typed, run by run, with its rows', async () => {
  const before = await world.run('list', { type: 'monitor', details: 'true' })
  const told = await world.testMonitor({ ...DEFINITION, past: '3d' })
  expect(told).toMatchObject({ name: '', summary: 'would have fired 2 times in the last 3d' })
  expect(told.runs).toBe(18)
  expect(told.tried).toHaveLength(18)
  expect(told.tried.filter(({ failing }) => failing > 0).map(({ at }) => at)).toEqual(
    told.fired.map(({ at }) => at),
  )
  expect(told.sample).toMatchObject({ at: told.fired.at(-1)?.at, isFailing: true })
  expect(told.sample?.rows.flat()).toContain('broken')
  // What was given counts in place of what is saved.
  const changed = { name: 'past', rule: 'count > 1' }
  expect(await world.testMonitor(changed)).toMatchObject({ name: 'past', fired: [] })
  // Nothing is made or changed by it.
  expect(await world.run('list', { type: 'monitor', details: 'true' })).toEqual(before)
  expect((await world.monitors('past')).runs).toEqual([])
  expect((await world.alerts({ state: 'all' })).alerts).toEqual([])
})

test('runs one that never runs by itself once', async () => {
  const told = await world.testMonitor({ ...DEFINITION, schedule: 'never', window: '7d' })
  expect(told.tried).toMatchObject([{ count: 3, failing: 1 }])
  const newOnes = await world.testMonitor({ query: 'broken in log.past', schedule: 'never' })
  expect(newOnes.tried).toMatchObject([{ count: 3, failing: 1 }])
})

test('refuses what could not be saved', async () => {
  const refused = async (given: Record<string, string>, reason: string) =>
    await expect(world.testMonitor(given)).rejects.toThrow(reason)
  await refused({}, '-name: is missing')
  await refused({ query: 'a and' }, 'query error at 6')
  await refused({ query: '*', past: '8d' }, 'at most 7d')
  await refused({ query: '*', past: 'new' }, 'at most 7d')
  await refused({ query: '*', rule: 'silence' }, 'needs a time such as 15m')
  await refused({ query: '* | count', rule: 'new shape' }, 'needs a query without stages')
})

test('shows nobody what he may not see', async () => {
  const wanda = world.as('wanda', PASSWORD)
  await send('open', 'secret word', 1)
  await send('closed', 'secret word', 1)
  await world.run('setPermissions', {
    ...{ path: 'Events->Shop->closed', type: 'log', viewUsers: 'admin', viewGroups: '' },
  })
  const asked = { query: 'secret', schedule: 'never', window: '1d' }
  const hers = await world.testMonitor(asked, wanda)
  expect(hers.tried).toMatchObject([{ count: 1 }])
  expect(hers.sample?.rows).toHaveLength(1)
  expect(await world.testMonitor(asked)).toMatchObject({ tried: [{ count: 2 }] })
  // As herself, whatever she names.
  await expect(world.testMonitor({ ...asked, owner: 'admin' }, wanda)).rejects.toThrow(
    'may not do that',
  )
  await expect(world.testMonitor({ ...asked, name: 'past' }, wanda)).rejects.toThrow(
    'no monitor past',
  )
  // With the rights of the owner that it would have.
  expect(await world.testMonitor({ ...asked, owner: 'wanda' })).toMatchObject({
    tried: [{ count: 1 }],
  })
})

test('shows no value that a policy hides', async () => {
  await send('pay', 'failed for anna@example.org', 1)
  await world.run('securityPolicies', {
    ...{ action: 'add', policyName: 'masked', operations: 'data.monitors', masks: 'email' },
  })
  await world.run('securityUsers', {
    ...{ action: 'add', userName: 'rita', userPassword: PASSWORD, policy: 'masked' },
  })
  const rita = world.as('rita', PASSWORD)
  const asked = { schedule: 'never', window: '1d' }
  const rows = await world.testMonitor({ ...asked, query: 'failed in log.pay' }, rita)
  expect(rows.tried).toMatchObject([{ count: 1, failing: 1 }])
  expect(JSON.stringify(rows)).not.toContain('anna@')
  const guess = { ...asked, query: '"anna@example.org" in log.pay' }
  expect(await world.testMonitor(guess, rita)).toMatchObject({ tried: [{ count: 0 }] })
  expect(await world.testMonitor(guess)).toMatchObject({ tried: [{ count: 1 }] })
})
