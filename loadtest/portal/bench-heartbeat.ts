// Heartbeats of 24 meters a second, durable on SQLite or PostgreSQL, without a socket, beside calls
// of health: `node --import tsx loadtest/portal/bench-heartbeat.ts [--postgres]`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { systemClock } from '../../infra/clock.ts'
import { openObjects } from '../../infra/objects/open.ts'
import { initPortal } from '../../portal/accounts/init-portal.ts'
import { makePortalApp } from '../../portal/app.ts'
import { openPortalDatabase } from '../../portal/database/open.ts'
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import { silentLogger } from '../../test/support/database/query-database.ts'

const LICENSES = 4
const DEPLOYMENTS = 500
const AT_ONCE = 400
const CALLS = 10_000
/** A second, durable. */
const AIM = { sqlite: 2000, postgres: 3000 }
const HOUR_MS = 3_600_000
const publicUrl = 'http://portal.test'
const clock = systemClock
const folder = mkdtempSync(join(tmpdir(), 'heartbeats-'))
const isPostgres = process.argv.includes('--postgres')
const server = isPostgres ? await startPostgres({ settings: { fsync: 'on' } }) : undefined
const database = await openPortalDatabase({ url: server?.url, folder, clock })
const objects = await openObjects({ url: undefined, folder: join(folder, 'objects'), clock })
const options = { objects, database, clock, folder, logger: silentLogger, publicUrl, version: '1' }
const app = await makePortalApp(options)
const printed = await initPortal(database, { clock, publicUrl })
const operator = /opr_[0-9A-Za-z]+/.exec(printed)?.[0] ?? ''

async function call(path: string, as?: string, body?: unknown) {
  const headers = {
    ...(as && { authorization: `Bearer ${as}` }),
    'content-type': 'application/json',
  }
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const request = new Request(publicUrl + path, { headers, ...sent })
  const response = await app.fetch(request, { address: '192.0.2.1' })
  const told = JSON.parse(await response.text())
  if (!response.ok) throw new Error(`${path}: ${response.status} ${told.code}`)
  return told
}

async function rate(name: string, run: (at: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  const began = performance.now()
  const before = process.cpuUsage()
  let next = 0
  const work = async () => {
    while (next < CALLS) {
      const start = performance.now()
      await run(next++)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const perSecond = CALLS / ((performance.now() - began) / 1000)
  const { user, system } = process.cpuUsage(before)
  times.sort((a, b) => a - b)
  const p99 = times[Math.floor(times.length * 0.99)] ?? 0
  const cpu = Math.round((user + system) / CALLS)
  console.log(
    `${name}: ${Math.round(perSecond)} a second, p99 ${p99.toFixed(0)} ms, ${cpu} us of CPU each`,
  )
  return perSecond
}

const base = '/api/portal/v1'
const { id: organizationId } = await call(`${base}/organizations`, operator, { name: 'Bench' })
const report = (at: number) => ({
  fingerprint: `deployment-${at}`,
  name: 'b',
  version: '1',
  layout: 'X8',
})
const tokens: string[] = []
for (let of = 0; of < LICENSES; of++) {
  const plan = { name: 'Plan', volumeBytesPerDay: 1 }
  const body = { organizationId, name: 'L', plan, validTo: '2100-01-01T00:00:00Z' }
  const { licenseKey } = await call(`${base}/licenses`, operator, body)
  for (let at = 0; at < DEPLOYMENTS; at++) {
    const first = await call(`${base}/deployments/heartbeat`, licenseKey, report(tokens.length))
    tokens.push(first.deploymentToken)
  }
}
const now = Math.floor(Date.now() / HOUR_MS)
const beats = await rate('heartbeats', async (at) => {
  const which = at % tokens.length
  const meters = Array.from({ length: 24 }, (_, hour) => ({
    hour: new Date((now - hour) * HOUR_MS).toISOString(),
    events: at,
    bytes: at * 100,
  }))
  await call(`${base}/deployments/heartbeat`, tokens[which], { ...report(which), meters })
})
const health = await rate('calls of health', () => call('/api/portal/health'))
console.log(`a heartbeat costs ${(health / beats).toFixed(1)} calls of health`)
const aim = isPostgres ? AIM.postgres : AIM.sqlite
console.log(`aim ${aim} a second: ${beats >= aim ? 'met' : 'missed'}`)
if (beats < aim) process.exitCode = 1
await app.close()
await database.close()
await server?.stop()
rmSync(folder, { recursive: true })
