// A monitor for unusual numbers of events, over the counters of the store.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { type MonitorWorld, openMonitorWorld } from '../../support/monitors/monitor-world.ts'

const HOUR_MS = 3_600_000
const HOURS = 12 * 24
/** In the others nothing comes. */
const EVERY_HOURS = 6

let pipeline: SearchPipeline
let world: MonitorWorld
let directory: string

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-unusual-'))
  world = openMonitorWorld(pipeline, { keyFile: join(directory, 'secrets.key') })
})
afterAll(async () => {
  await world?.app.app.stop()
  await pipeline?.stop()
  rmSync(directory, { recursive: true, force: true })
})

async function receive(counts: Record<string, number>, receivedMs: number): Promise<void> {
  const timestamp = new Date(receivedMs).toISOString()
  const events = Object.entries(counts).flatMap(([productName, count]) =>
    Array.from({ length: count }, () => ({
      ...{ timestamp, productPath: 'Shop', productName, message: 'sold' },
    })),
  )
  await pipeline.ingest(events, { receivedMs })
}

test('tells the log that received an unusual number, once, and that it is over', async () => {
  // No hour ends while the test runs.
  world.clock.shift(HOUR_MS - (world.clock.nowMs() % HOUR_MS) + HOUR_MS / 6)
  const now = world.clock.nowMs()
  const last = Math.floor(now / HOUR_MS) * HOUR_MS - HOUR_MS
  const hours = Array.from({ length: HOURS / EVERY_HOURS }, (_, at) => HOURS - at * EVERY_HOURS)
  await Promise.all(hours.map((hour) => receive({ steady: 20, odd: 20 }, last - hour * HOUR_MS)))
  await receive({ steady: 21, odd: 160 }, last)
  await world.run('addMonitor', {
    ...{ name: 'volume', query: '* in log.steady, log.odd', rule: 'unusual' },
    ...{ schedule: 'every 1m', window: '1h' },
  })
  await world.tick()
  await world.tick()
  const { alerts } = await world.alerts({ state: 'all' })
  expect(alerts).toMatchObject([
    { monitor: 'volume', group: 'Events->Shop->odd', count: 160, closed: null },
  ])
  const { columns, rows } = await world.alerts({ id: String(alerts[0]?.id) })
  expect(columns).toEqual(['log', 'hour', 'events', 'expected', 'from', 'to'])
  expect(rows).toEqual([
    [
      'Events->Shop->odd',
      new Date(last).toISOString(),
      '160',
      '20',
      expect.any(String),
      expect.any(String),
    ],
  ])
  await world.run('addMonitor', {
    ...{ name: 'by the hour', query: '* in log.steady, log.odd', rule: 'unusual' },
    ...{ schedule: 'every 1h', window: '1h' },
  })
  const { fired } = await world.testMonitor({ name: 'by the hour' })
  expect(fired).toMatchObject([{ group: 'Events->Shop->odd', count: 160 }])

  await world.tick(HOUR_MS)
  expect((await world.alerts()).alerts).toEqual([])
})

test('is about whole logs: what the counters do not know is refused', async () => {
  const made = (given: Record<string, string>) =>
    world.run('addMonitor', { name: 'wrong', rule: 'unusual', window: '1h', ...given })
  await expect(made({ query: 'error in log.odd' })).rejects.toThrow(/whole logs/)
  await expect(made({ query: '* in log.odd | count' })).rejects.toThrow(/without stages/)
  await expect(made({ query: '* in log.odd', groupBy: 'host' })).rejects.toThrow(/one alert a log/)
})
