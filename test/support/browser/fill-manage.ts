// What Manage looks after, for pictures: monitors with alerts, tasks with runs, rules of masking,
// limits, holds and deletions.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConsoleTest } from './console.ts'
import { makeAdmin } from './fill-console.ts'

const ALERT_MS = 60_000
const LINES = 40

/** `directory` is filled with files to collect. */
export async function fillManage(test: ConsoleTest, directory: string): Promise<void> {
  const admin = makeAdmin(test.product)
  const call = (command: string, given: object) => admin(`/logeye/sdk/${command}`, given)
  mkdirSync(directory, { recursive: true })
  for (const name of ['orders.log', 'edge.access.log', 'worker.log'])
    writeFileSync(
      join(directory, name),
      Array.from({ length: LINES }, (_, at) => `${timeOf(at)} ${name} says line ${at}\n`).join(''),
    )
  await call('addScanTask', { name: 'Local files', directory, include: '*.log*' })
  await call('addScanTask', { name: 'Gone', directory: join(directory, 'none') })
  await call('executeScanTask', { name: 'Local files' })
  await call('executeScanTask', { name: 'Gone' }).catch(() => undefined)
  const hourly = { schedule: 'every 1m', window: '1d' }
  const monitors = [
    { name: 'Payments fail', query: 'level = ERROR', severity: 'critical', ...hourly },
    { name: 'Stock is low', query: 'stock of article', severity: 'low', ...hourly },
    { name: 'Nothing odd', query: 'never seen', severity: 'medium', ...hourly },
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
  await call('addAlertTarget', { name: 'desk', type: 'mail', to: 'desk@example.com' })
  const report = { name: 'Orders each Monday', dashboard: 'Shop->Orders', targets: 'desk' }
  await call('addReport', { ...report, schedule: 'weekly mon 08:00' })
  // There is no mail server: the run says so.
  await call('reports', { name: report.name, runNow: 'true' })
  const deadline = performance.now() + ALERT_MS
  while (performance.now() < deadline) {
    const told = JSON.stringify(await call('alerts', {}))
    if (told.includes('Payments fail') && told.includes('Stock is low')) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error(`no alert was opened in ${ALERT_MS} ms`)
}

/** Over the day before, oldest first. */
function timeOf(line: number): string {
  const DAY_MS = 24 * 3_600_000
  return new Date(Date.now() - DAY_MS + (line * DAY_MS) / LINES).toISOString()
}
