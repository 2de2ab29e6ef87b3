// Calls of a portal with many rows, over HTTP, by turns with calls of health:
// `node infra/scripts/build.mjs && node --import tsx loadtest/portal/bench-calls.ts`. The rows are
// written into its database: 10,000 deployments with 90 days of hours, a million organizations, a
// million entries of the audit.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fillPortal, lastPageOf } from '../../test/support/portal/fill-portal.ts'
import { operatorOf, startPortalProcess } from '../../test/support/portal/portal-process.ts'
import { makeDocument, makeItem } from '../../test/support/pricing/small-book.ts'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '500' },
    deployments: { type: 'string', default: '10000' },
    rows: { type: 'string', default: '1000000' },
  },
})
const CALLS = Number(values.calls)
/** Of one kind behind each other: the clock of CPU time has steps of 10 ms. */
const BATCH = 25
const TOKENS = 24
const LINES = 20
const IDLE_AFTER_MS = 15_000
const FAR = '2035-01-01T00:00:00Z'
const IDLE_MIB = 80
const MOST_MIB = 200

type Kind = {
  readonly name: string
  readonly path: string
  readonly body?: object
  readonly of?: string
  /** p99 over HTTP, milliseconds. */
  readonly aimMs?: number
}

const dataDir = mkdtempSync(join(tmpdir(), 'logeye-bench-portal-'))
const portal = await startPortalProcess({ dataDir })
try {
  await measure()
} finally {
  await portal.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  const operator = operatorOf(await portal.logeye('portal', 'init'))
  const pid = await portal.product.pidOf('portal')
  await sleep(IDLE_AFTER_MS)
  const idleMib = memoryOf(pid, 'VmRSS')
  const { organizationId, tokens } = await prepare(operator)
  const began = performance.now()
  const counts = { deployments: Number(values.deployments), rows: Number(values.rows) }
  await fillPortal(join(dataDir, 'portal'), { organizationId, ...counts })
  console.log(`rows were written in ${Math.round((performance.now() - began) / 1000)} s`)

  const lines = Array.from({ length: LINES }, (_, at) => ({
    ...{ item: `item-${at}`, quantity: String(at * 57 + 3) },
  }))
  const lists = ['/audit', '/organizations', '/usage?granularity=hour'] as const
  const kinds: Kind[] = [
    { name: 'health', path: '/api/portal/health' },
    { name: `quote of ${LINES} lines`, path: '/pricing/quote', body: { lines }, aimMs: 10 },
    { name: 'catalog', path: '/pricing/catalog', aimMs: 5 },
    { name: 'licence status', path: '/license/status', of: organizationId, aimMs: 50 },
  ]
  for (const list of lists) {
    const of = list.startsWith('/usage') ? organizationId : undefined
    const path = await lastPageOf(join(dataDir, 'portal'), list, of, async (first) => {
      const { nextCursor } = await ask({ name: '', path: first, ...(of ? { of } : {}) }, operator)
      return String(nextCursor)
    })
    kinds.push({ name: `${list}, first page`, path: list, ...(of ? { of } : {}) })
    kinds.push({ name: `${list}, last page`, path, ...(of ? { of } : {}) })
  }

  const told = kinds.map((kind) => ({ kind, times: [] as number[], cpuMs: 0 }))
  let next = 0
  for (let round = -1; round < CALLS / BATCH; round += 1)
    for (const one of told) {
      const cpu = cpuMsOf(pid)
      for (let at = 0; at < BATCH; at += 1) {
        const start = performance.now()
        await ask(one.kind, tokens[next++ % tokens.length] ?? '')
        // The first round warms up.
        if (round >= 0) one.times.push(performance.now() - start)
      }
      if (round >= 0) one.cpuMs += cpuMsOf(pid) - cpu
    }

  const healthMs = quantile(told[0]?.times ?? [], 0.5)
  console.log('| call | p50 ms | p99 ms | CPU ms | p50 in calls of health | aim |')
  console.log('|---|---|---|---|---|---|')
  for (const { kind, times, cpuMs } of told) {
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
    const aim =
      kind.aimMs === undefined ? '' : `${kind.aimMs} ms: ${p99 <= kind.aimMs ? 'met' : 'missed'}`
    const cpu = (cpuMs / times.length).toFixed(2)
    const figures = [p50.toFixed(2), p99.toFixed(1), cpu, (p50 / healthMs).toFixed(1)]
    console.log(`| ${kind.name} | ${figures.join(' | ')} | ${aim} |`)
    if (aim.endsWith('missed')) process.exitCode = 1
  }
  const mostMib = memoryOf(pid, 'VmHWM')
  console.log(
    `memory: ${idleMib} MiB idle (aim ${IDLE_MIB}), ${memoryOf(pid, 'VmRSS')} MiB now, ${mostMib} MiB at most (aim ${MOST_MIB})`,
  )
  if (idleMib > IDLE_MIB || mostMib > MOST_MIB) process.exitCode = 1
}

/** A customer with a licence and a price book; tokens, each of which has a limit of calls. */
async function prepare(operator: string) {
  const make = (path: string, body: object) => ask({ name: '', path, body }, operator)
  const tiers = [
    { upTo: '100', unitPrice: '2.5', flatFee: '1' },
    { upTo: null, unitPrice: '1.25', flatFee: '0' },
  ]
  const models = [
    { kind: 'graduated', tiers },
    { kind: 'volume', tiers },
    { kind: 'package', size: '7', packagePrice: '9.99' },
    { kind: 'per_unit', unitPrice: '3.21' },
  ]
  const items = Array.from({ length: 200 }, (_, at) =>
    makeItem(`item-${at}`, [{ per: 'month', model: models[at % models.length] }]),
  )
  await make('/price-books', makeDocument(items))
  const { id: organizationId } = await make('/organizations', { name: 'Bench' })
  const plan = { name: 'Plan', volumeBytesPerDay: 1e13, creditPricePerGib: '0.01' }
  const validFrom = new Date(Date.now() - 100 * 86_400_000).toISOString()
  await make('/licenses', { organizationId, name: 'L', plan, validFrom, validTo: FAR })
  const tokens: string[] = []
  for (let at = 0; at < TOKENS; at += 1)
    tokens.push(String((await make('/operator-tokens', { name: `${at}` })).token))
  return { organizationId: String(organizationId), tokens }
}

async function ask({ path, body, of }: Kind, as: string): Promise<Record<string, unknown>> {
  const answer = await fetch(
    portal.url + (path.startsWith('/api/') ? path : `/api/portal/v1${path}`),
    {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${as}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(of === undefined ? {} : { 'x-organization-id': of }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000),
    },
  )
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

function quantile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(part * (times.length - 1))] ?? 0
}

function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? 0) / 1024)
}

/** User and system, all threads. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
