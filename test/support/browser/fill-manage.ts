// What Manage looks after, for pictures: monitors with alerts, tasks with runs, rules of masking,
// limits, holds and deletions, and one object at least in each list.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { waitUntil } from '../run/wait-until.ts'
import type { ConsoleTest } from './console.ts'
import { makeAdmin } from './fill-console.ts'

const opened = z.object({
  response: z.object({ alerts: z.array(z.object({ id: z.number(), monitor: z.string() })) }),
})
const LINES = 40
const CITIES = 'Stock by city'
/** With them there is a monitor of each kind of rule. */
const OF_EACH_RULE = [
  { name: 'Many errors', query: 'level = ERROR', rule: 'count > 20', groupBy: 'service' },
  { name: 'Busy services', query: '* | count | group by service', rule: 'column count >= 100' },
  { name: 'Fewer orders', query: 'order', rule: 'change < -50%' },
  { name: 'Payments silent', query: '* in log.payments', rule: 'silence' },
  { name: 'Payments unusual', query: '* in log.payments', rule: 'unusual' },
  { name: 'New messages', query: '* in log.payments', rule: 'new shape' },
  { name: 'New cities', query: '* in log.orders', rule: 'every new value city' },
].map((one) => ({ schedule: 'every 1h', window: one.rule.includes('new ') ? 'new' : '1d', ...one }))

/** `directory` is filled with files to collect. */
export async function fillManage(test: ConsoleTest, directory: string): Promise<void> {
  const admin = makeAdmin(test.product)
  const call = (command: string, given: object) => admin(`/logeye/sdk/${command}`, given)
  mkdirSync(directory, { recursive: true })
  for (const name of ['orders.log', 'edge.access.log', 'worker.log'])
    writeFileSync(
      join(directory, name),
      Array.from({ length: LINES }, (_, at) => `${timeOf(at)} ${sayLine(name, at)}\n`).join(''),
    )
  await call('addScanTask', { name: 'Local files', directory, include: '*.log*' })
  await call('addScanTask', { name: 'Gone', directory: join(directory, 'none') })
  await call('executeScanTask', { name: 'Local files' })
  await call('executeScanTask', { name: 'Gone' }).catch(() => undefined)
  const hourly = { schedule: 'every 1m', window: '1d' }
  const monitors = [
    { name: 'Payments fail', query: 'level = ERROR', severity: 'critical', ...hourly },
    { name: 'Stock is low', query: 'stock of article', severity: 'low', ...hourly },
    { name: CITIES, query: 'stock of article', severity: 'high', groupBy: 'city', ...hourly },
    { name: 'Nothing odd', query: 'never seen', severity: 'medium', ...hourly },
    ...OF_EACH_RULE,
  ]
  for (const one of monitors) await call('addMonitor', one)
  const masks = 'hash email@#@#replace *** card@#@#cut column user.password'
  await call('addListener', { name: 'Payments', update: 'true', maskRules: masks })
  const shape = { dropFilter: 'level = DEBUG or "health check"', maxEventsPerSecond: '5000' }
  await call('addListener', { name: 'Shop edge', update: 'true', ...shape })
  const support = { action: 'add', policyName: 'Support', operations: '' }
  await call('securityPolicies', { ...support, masks: 'ipv4@#@#column user.password' })
  await call('addHold', { log: 'Events->Shop->payments', reason: 'Case 7: the outage of the bank' })
  await call('addHold', {
    folder: 'Events->Machines',
    from: '2026-03-01T00:00:00Z',
    reason: 'Audit',
  })
  const night = { name: 'Sunday night', cron: '0 2 * * 0', minutes: '120' }
  await call('addMaintenanceWindow', { ...night, monitors: 'Payments fail' })
  const move = { start: '2030-03-01T22:00:00Z', end: '2030-03-02T04:00:00Z' }
  await call('addMaintenanceWindow', { name: 'Move of the bank', ...move })
  await call('monitors', { name: 'Nothing odd', muteUntil: '1d' })
  await call('addAlertTarget', { name: 'desk', type: 'mail', to: 'desk@example.com' })
  const report = { name: 'Orders each Monday', dashboard: 'Shop->Orders', targets: 'desk' }
  await call('addReport', { ...report, schedule: 'weekly mon 08:00' })
  // There is no mail server: the run says so.
  await call('reports', { name: report.name, runNow: 'true' })
  await fillLists(call, test)
  for (const name of [CITIES, 'Payments fail', 'Stock is low'])
    await call('monitors', { name, runNow: 'true' })
  await seeToAlerts(call)
}

type Call = (command: string, given: object) => Promise<unknown>

/** One of a city is acknowledged, one muted, one both. */
async function seeToAlerts(call: Call): Promise<void> {
  const cities = await waitUntil('alerts are open', async () => {
    const { alerts } = opened.parse(await call('alerts', {})).response
    const cities = alerts.filter(({ monitor }) => monitor === CITIES)
    const names = alerts.map(({ monitor }) => monitor)
    const areOpen = names.includes('Payments fail') && names.includes('Stock is low')
    return areOpen && cities.length > 2 ? cities : undefined
  })
  for (const [at, { id }] of cities.slice(0, 3).entries()) {
    if (at !== 1) await call('alerts', { id: String(id), acknowledge: 'true' })
    if (at !== 0) await call('alerts', { id: String(id), muteUntil: '4h' })
  }
}

async function fillLists(call: Call, { product: { url, secrets } }: ConsoleTest): Promise<void> {
  const account = { name: 'edge-01', host: 'edge-01.example.com', userName: 'collector' }
  await call('addSSHAccount', { ...account, userPassword: 'a good password' })
  await call('addAppTag', { name: 'Shop', description: 'The shop', folders: 'Events->Shop' })
  await call('securityGroups', { action: 'add', groupName: 'Desk', members: 'anna' })
  const rights = { path: 'Events->Machines', type: 'folder', viewGroups: 'Desk' }
  await call('setPermissions', { ...rights, editUsers: 'anna' })
  await call('addExpectedSilence', { path: 'Events->Machines', reason: 'They move in March' })
  await call('deleteData', { log: 'worker.log', query: 'job 7' })
  const headers = { 'content-type': 'application/json' }
  const body = ['{"message":"whole"}', '{"message":"broken"', '{"level":"INFO"}'].join('\n')
  const path = `/logeye/api/logger.jsp?token=${secrets.token}`
  const sent = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  if (sent.status !== 200) throw new Error(`ingest answered ${sent.status}`)
}

/** Over the day before, oldest first. */
function sayLine(name: string, at: number): string {
  const level = at % 17 === 0 ? 'WARN' : 'INFO'
  return `${level} [${name.split('.')[0]}] job ${at} done in ${(at * 37) % 900} ms`
}

/** Until two hours ago: what was sent of late stands before them. */
function timeOf(line: number): string {
  const HOUR_MS = 3_600_000
  return new Date(Date.now() - 24 * HOUR_MS + (line * 22 * HOUR_MS) / LINES).toISOString()
}
