// Ten times the open requests that give the maximum: only 200 and 500, memory flat, every 200 found later.
// Options: --seconds S (default 120), --connections C (default 960). Exits 1 when wrong.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makePost, percentile, runLoad } from '../support/http-load.ts'
import { waitForCount } from '../support/measure.ts'
import { memoryBytes } from '../support/process-usage.ts'
import { startProduct } from '../support/product.ts'
import { makeSearchClient } from '../support/search-client.ts'

const MIB = 2 ** 20
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    connections: { type: 'string', default: '960' },
  },
})
const limitMs = Number(values.seconds) * 1000
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-overload-'))
const product = await startProduct({ dataDir })
let isWrong = true
try {
  const path = `/logeye/api/logger.jsp?token=${product.secrets.token}&hostName=overload`
  const request = (number: number) =>
    makePost(
      path,
      Buffer.from(`{"n":${number},"message":"overload event ${number} ${'x'.repeat(200)}"}`),
    )
  const base = await runLoad({
    port: product.port,
    connections: Number(values.connections) / 10,
    request,
    limitMs: 5000,
  })
  const offset = 1e9
  const samples: number[] = []
  const sampler = setInterval(() => {
    samples.push(
      product
        .processes()
        .reduce((sum, { pid }) => sum + memoryBytes(pid), memoryBytes(product.supervisorPid)),
    )
  }, 1000)
  const load = await runLoad({
    port: product.port,
    connections: Number(values.connections),
    request: (number) => request(offset + number),
    limitMs,
  })
  clearInterval(sampler)
  const rate = (result: typeof load) => (result.acknowledged.length / result.elapsedMs) * 1000
  const settled = samples.slice(Math.floor(samples.length / 4))
  const growth = (Math.max(...settled.slice(-5)) / (settled[0] ?? 1) - 1) * 100
  const search = makeSearchClient(product.url, product.secrets.password)
  const acknowledged = load.acknowledged.length + base.acknowledged.length
  const found = await waitForCount(search, '* in server.overload', acknowledged, 300_000)
  const distinct = Number(
    (await search.search('* in server.overload | distinct count n')).rows[1]?.[0],
  )
  console.log(
    `at the maximum ${rate(base).toFixed(0)} posts/s, at ten times the open requests ${rate(load).toFixed(0)} (${((rate(load) / rate(base)) * 100).toFixed(0)} %)`,
  )
  console.log(
    `answers ${JSON.stringify([...load.byStatus])}, broken connections ${load.failedConnections}, p99 ${percentile(load.latenciesMs, 0.99).toFixed(0)} ms`,
  )
  console.log(
    `memory MiB: ${samples.map((bytes) => (bytes / MIB).toFixed(0)).join(' ')}; growth over the last three quarters ${growth.toFixed(0)} %`,
  )
  console.log(`acknowledged ${acknowledged}, found ${found}, different ${distinct}`)
  const others = [...load.byStatus.keys()].filter((status) => status !== 200 && status !== 500)
  isWrong =
    others.length > 0 ||
    load.failedConnections > 0 ||
    found !== acknowledged ||
    distinct !== acknowledged ||
    growth > 25
} finally {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(isWrong ? 1 : 0)
