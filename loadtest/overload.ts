// Ten times the open requests that give the maximum: goodput of 80 % of the maximum, which is
// measured before and after it for as long as makes it comparable (a store that merges takes its
// share in both); only 200 and 500; memory flat; every 200 found, once. Options: --minutes M (5),
// --connections C at the maximum (96, of batches 4), --lines L a request (1; 10000: batches). Exits
// 1 when wrong.
import { parseArgs } from 'node:util'
import { makeSearchClient } from '../test/support/clients/search-client.ts'
import type { Product } from '../test/support/product/product.ts'
import { printVerdicts } from './support/bench/verdicts.ts'
import { pidsOf, riseOf, sampleOf } from './support/growth.ts'
import { type LoadResult, makePost, percentile, runLoad } from './support/http-load.ts'
import { waitForCount } from './support/measure.ts'
import { onFreshProduct } from './support/on-fresh-product.ts'

const TIMES = 10
const ASKED_GOODPUT = 0.8
const MOST_GROWTH = 0.25
const WARM_MS = 10_000
/** Of the time of the overload, before and after it. */
const MAXIMUM_SHARE = 1 / 5
const SAMPLE_MS = 2000
const FIND_MS = 900_000
/** Events of one sender, so that none of the counts of different ones is too large for the memory
 *  of a search. */
const EVENTS_A_HOST = 500_000
const FILLER = 'x'.repeat(200)

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    connections: { type: 'string' },
    lines: { type: 'string', default: '1' },
  },
})
const lines = Number(values.lines)
const connections = Number(values.connections ?? (lines > 1 ? 4 : 96))
const overloadMs = Number(values.minutes) * 60_000

await onFreshProduct('overload', measure)

async function measure(product: Product): Promise<readonly string[]> {
  const { port, secrets, url } = product
  const search = makeSearchClient(url, secrets.password)
  const pids = pidsOf(product).join()
  let next = 0
  let acknowledged = 0
  const wrong: string[] = []
  const load = async (name: string, open: number, limitMs: number): Promise<number> => {
    const result = await runLoad({
      port,
      connections: open,
      limitMs,
      request: () => makeRequest(next++),
    })
    acknowledged += result.acknowledged.length * lines
    wrong.push(...printLoad(name, open, result))
    return ((result.acknowledged.length * lines) / result.elapsedMs) * 1000
  }
  await load('warm', connections, WARM_MS)
  const before = await load('maximum', connections, overloadMs * MAXIMUM_SHARE)
  const memory: number[] = []
  const sampler = setInterval(() => memory.push(sampleOf(product).memoryMiB), SAMPLE_MS)
  const overloaded = await load('overload', connections * TIMES, overloadMs)
  clearInterval(sampler)
  const behind = await load('maximum', connections, overloadMs * MAXIMUM_SHARE)

  const settled = memory.slice(Math.floor(memory.length / 4))
  console.log(
    `memory MiB ${memory
      .filter((_, at) => at % 10 === 0)
      .map((mib) => mib.toFixed(0))
      .join(' ')}`,
  )
  const found = await waitForCount(search, '* in server.overload-*', acknowledged, FIND_MS)
  let different = 0
  for (let host = 0; host * EVENTS_A_HOST < next * lines; host += 1) {
    const answer = await search.search(`* in server.overload-${host} | distinct count n`)
    different += Number(answer.rows[1]?.[0] ?? Number.NaN)
  }
  console.log(`acknowledged ${acknowledged}, found ${found}, different ${different}`)
  if (found !== acknowledged) wrong.push(`${found} events found, ${acknowledged} acknowledged`)
  if (different !== acknowledged)
    wrong.push(`${different} different ones, ${acknowledged} acknowledged`)
  if (pidsOf(product).join() !== pids) wrong.push('a process was started again')
  const maximum = (before + behind) / 2
  const isMet = printVerdicts([
    {
      name: `goodput at ${TIMES} times the open requests, of the maximum`,
      value: overloaded / maximum,
      unit: '',
      asked: { least: ASKED_GOODPUT },
    },
    {
      name: 'growth of memory over the last three quarters of it',
      value: riseOf(settled) / Math.max(1, settled[0] ?? 1),
      unit: '',
      asked: { most: MOST_GROWTH },
    },
  ])
  return isMet ? wrong : [...wrong, 'a figure is missed']

  function makeRequest(number: number): Buffer[] {
    const host = `overload-${Math.floor((number * lines) / EVENTS_A_HOST)}`
    let body = ''
    for (let line = 0; line < lines; line += 1)
      body += `{"n":${number * lines + line},"message":"overload event ${number} ${FILLER}"}\n`
    return makePost(
      `/logeye/api/logger.jsp?token=${secrets.token}&hostName=${host}`,
      Buffer.from(body),
    )
  }
}

/** What must not be: other answers than 200 and 500, broken connections. */
function printLoad(name: string, open: number, result: LoadResult): string[] {
  const { acknowledged, elapsedMs, latenciesMs, byStatus, failedConnections } = result
  const rate = ((acknowledged.length * lines) / elapsedMs) * 1000
  const answers = [...byStatus].map(([status, count]) => `${count} x ${status}`).join(', ')
  console.log(
    `${name.padEnd(9)}${String(open).padStart(6)} open ${rate.toFixed(0)} events/s, p50 ${percentile(latenciesMs, 0.5).toFixed(0)} p99 ${percentile(latenciesMs, 0.99).toFixed(0)} ms; ${answers}`,
  )
  const others = [...byStatus.keys()].filter((status) => status !== 200 && status !== 500)
  return [
    ...others.map((status) => `answers with ${status}`),
    ...(failedConnections > 0 ? [`${failedConnections} broken connections`] : []),
  ]
}
