// The product by itself: single-event and batched rates against a bare handler, latencies, time
// until searchable, CPU and memory of each process, disk against zstd -3. Machines are noisy: read
// ratios.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseHttpEngine } from '../../../infra/http/engine.ts'
import { makeSearchClient } from '../../../test/support/clients/search-client.ts'
import { cpuSeconds, watchMemory } from '../../../test/support/machine/process-usage.ts'
import { type Product, startProduct } from '../../../test/support/product/product.ts'
import { makeBodies, makeEvents } from '../events.ts'
import { makePost, percentile, runLoad } from '../http-load.ts'
import {
  checkContent,
  diskFigures,
  type Expected,
  timeToSearchable,
  waitForCount,
} from '../measure.ts'
import { benchEngines } from './beside-engines.ts'
import { format } from './verdicts.ts'

const LINES = 10_000
const SINGLE_CONNECTIONS = 96
const SEED = 20_261_121

const figures: Record<string, number> = {}
function report(name: string, value: number, text: string): void {
  figures[name] = value
  console.log(`${name.padEnd(44)} ${text}`)
}

/** True when count and content are right. */
export async function benchAlone(options: {
  readonly events: number
  readonly singleMs: number
  readonly json: string | undefined
}): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), 'logeye-bench-'))
  const product = await startProduct({ dataDir })
  let failures: string[] = []
  try {
    report('start, first time', product.startMs / 1000, `${(product.startMs / 1000).toFixed(1)} s`)
    await benchSingle(product, options.singleMs)
    failures = await benchBatched(product, options.events)
    const stopMs = await product.stop()
    report('stop', stopMs / 1000, `${(stopMs / 1000).toFixed(1)} s`)
    const again = await startProduct({ dataDir, secrets: product.secrets })
    report('start, later', again.startMs / 1000, `${(again.startMs / 1000).toFixed(1)} s`)
    await again.stop()
  } finally {
    await product.killAll()
    rmSync(dataDir, { recursive: true, force: true })
  }
  if (failures.length === 0 && !(await benchBothEngines(options))) failures.push('see above')
  if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`)
  for (const failure of failures) console.error(`WRONG: ${failure}`)
  return failures.length === 0
}

/** True when nothing is missed, or this Node has one engine alone. */
async function benchBothEngines({ events, singleMs }: { events: number; singleMs: number }) {
  const { isFallback } = await chooseHttpEngine({ frontProcesses: 1 })
  if (isFallback) {
    console.log('uWebSockets.js has no binary for this Node: all of this is node:http')
    return true
  }
  const directory = mkdtempSync(join(tmpdir(), 'logeye-bench-'))
  try {
    console.log('both HTTP engines, by turns:')
    const plan = { directory, events: events / 5, rounds: 2, singleMs: singleMs / 2 }
    const { figures: found, isRight } = await benchEngines(plan)
    for (const [name, value] of Object.entries(found)) report(name, value, format(value))
    return isRight
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Single-event posts: the most, against a bare handler; then the latency at half of it; then time
 *  to searchable at low load. */
async function benchSingle({ port, secrets, url }: Product, singleMs: number): Promise<void> {
  const path = `/logeye/api/logger.jsp?token=${secrets.token}&hostName=bench`
  const events = makeEvents(SEED + 1)
  const bodies = Array.from({ length: 5000 }, () => Buffer.from(events.next()))
  const requests = bodies.map((body) => makePost(path, body))
  const request = (number: number) => requests[number % requests.length] ?? null

  const bare = fork(join(import.meta.dirname, '../bare-handler.ts'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const [firstLine] = bare.stdout ? await once(bare.stdout, 'data') : ['']
  const barePort = Number(String(firstLine).trim())
  // Interleaved, so that a noisy neighbour meets both.
  const rates = { bare: 0, product: 0 }
  for (let round = 0; round < 2; round += 1) {
    const bareLoad = await runLoad({
      port: barePort,
      connections: SINGLE_CONNECTIONS,
      request,
      limitMs: singleMs / 4,
    })
    rates.bare = Math.max(rates.bare, (bareLoad.acknowledged.length / bareLoad.elapsedMs) * 1000)
    const load = await runLoad({
      port,
      connections: SINGLE_CONNECTIONS,
      request,
      limitMs: singleMs / 2,
    })
    rates.product = Math.max(rates.product, (load.acknowledged.length / load.elapsedMs) * 1000)
    for (const [status, count] of load.byStatus)
      if (status !== 200) console.log(`  answers with ${status}: ${count}`)
  }
  bare.disconnect()
  report('bare handler, posts/s', rates.bare, rates.bare.toFixed(0))
  report(
    'single-event durable posts/s',
    rates.product,
    `${rates.product.toFixed(0)} = ${((rates.product / rates.bare) * 100).toFixed(0)} % of bare`,
  )
  figures['single share of bare'] = rates.product / rates.bare

  const half = await runLoad({
    port,
    connections: SINGLE_CONNECTIONS,
    request,
    limitMs: singleMs / 2,
    ratePerSecond: rates.product / 2,
  })
  const [p50, p99] = [percentile(half.latenciesMs, 0.5), percentile(half.latenciesMs, 0.99)]
  report('acknowledged at half load, p50 ms', p50, p50.toFixed(2))
  report('acknowledged at half load, p99 ms', p99, p99.toFixed(2))

  const search = makeSearchClient(url, secrets.password)
  await waitForQuiet(search)
  const searchable = await timeToSearchable({ port, path, search, samples: 60 })
  report(
    'searchable at low load, p50 ms',
    percentile(searchable, 0.5),
    percentile(searchable, 0.5).toFixed(0),
  )
  report(
    'searchable at low load, p99 ms',
    percentile(searchable, 0.99),
    percentile(searchable, 0.99).toFixed(0),
  )
}

async function benchBatched(product: Product, eventCount: number): Promise<string[]> {
  const { port, secrets, url, dataDir: directory } = product
  const search = makeSearchClient(url, secrets.password)
  const before = await search.count('* in server.batched')
  const expected: Expected = { events: eventCount, seed: SEED, host: 'batched' }
  const bodies = makeBodies(makeEvents(SEED), eventCount, LINES)
  const path = `/logeye/api/logger.jsp?token=${secrets.token}&hostName=${expected.host}`
  const requests = bodies.map((body) => makePost(path, body))

  const pids = () => [product.supervisorPid, ...product.processes().map((process) => process.pid)]
  const roles = new Map([
    [product.supervisorPid, 'supervisor'],
    ...product.processes().map(({ pid, role }) => [pid, role] as const),
  ])
  const cpuBefore = new Map(pids().map((pid) => [pid, cpuSeconds(pid)]))
  const memory = watchMemory(pids)
  const senderBefore = process.cpuUsage()
  const started = performance.now()
  const load = await runLoad({
    port,
    connections: 4,
    request: (number) => requests[number] ?? null,
    limitMs: 600_000,
  })
  const acknowledgedMs = performance.now() - started
  const senderCpu = process.cpuUsage(senderBefore)
  const found = await waitForCount(search, '* in server.batched', before + eventCount, 600_000)
  const searchableMs = performance.now() - started
  memory.stop()

  const bytes = bodies.reduce((sum, body) => sum + body.length, 0)
  const acknowledgedRate = (eventCount / acknowledgedMs) * 1000
  const searchableRate = (eventCount / searchableMs) * 1000
  report('bytes an event', bytes / eventCount, (bytes / eventCount).toFixed(0))
  report(
    'batched, acknowledged and durable events/s',
    acknowledgedRate,
    acknowledgedRate.toFixed(0),
  )
  report('batched, events/s until all are searchable', searchableRate, searchableRate.toFixed(0))
  const perMillion = (seconds: number) => (seconds / eventCount) * 1e6
  for (const [pid, role] of roles) {
    const seconds = perMillion(cpuSeconds(pid) - (cpuBefore.get(pid) ?? 0))
    report(`CPU s a million events, ${role}`, seconds, seconds.toFixed(2))
  }
  const sender = perMillion((senderCpu.user + senderCpu.system) / 1e6)
  report('CPU s a million events, sender', sender, sender.toFixed(2))
  for (const [pid, peak] of memory.peakBytes) {
    report(`peak memory MiB, ${roles.get(pid) ?? pid}`, peak / 2 ** 20, (peak / 2 ** 20).toFixed(0))
  }
  report(
    'peak memory MiB, all together',
    memory.peakTotalBytes() / 2 ** 20,
    (memory.peakTotalBytes() / 2 ** 20).toFixed(0),
  )

  const wrong = await checkContent(search, expected)
  if (found !== before + eventCount)
    wrong.push(`${found} events found, ${before + eventCount} expected`)
  const refused = [...load.byStatus].filter(([status]) => status !== 200)
  if (refused.length > 0 || load.failedConnections > 0)
    wrong.push(`answers ${JSON.stringify(refused)}, ${load.failedConnections} broken connections`)
  const disk = await diskFigures(directory, bodies)
  report(
    'store on disk, bytes an event (all sent so far)',
    disk.storeBytes / (await search.count('*')),
    `${(disk.storeBytes / (await search.count('*'))).toFixed(1)}`,
  )
  if (disk.zstdBytes === null)
    console.log('zstd is not installed and this Node has none: no ratio for the disk')
  else {
    const ratio = disk.storeBytes / (await search.count('*')) / (disk.zstdBytes / eventCount)
    report(
      'zstd -3 of the file, bytes an event',
      disk.zstdBytes / eventCount,
      (disk.zstdBytes / eventCount).toFixed(1),
    )
    report('disk against zstd -3', ratio, ratio.toFixed(2))
  }
  return wrong
}

/** Until the writer has nothing left: the count stands still for a second. */
async function waitForQuiet(search: ReturnType<typeof makeSearchClient>): Promise<void> {
  let last = -1
  for (let round = 0; round < 120; round += 1) {
    const count = await search.count('*')
    if (count === last) return
    last = count
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}
