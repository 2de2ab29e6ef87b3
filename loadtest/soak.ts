// An hour at 70 % of the maximum, with a search each second: a line a minute, and in the end
// whether memory, descriptors and parts are flat. Options: --minutes M (60), --share S (0.7),
// --connections C (96). Exits 1 when not, or when an acknowledged event is not found.
import { parseArgs } from 'node:util'
import { makeSearchClient } from '../test/support/clients/search-client.ts'
import type { Product } from '../test/support/product/product.ts'
import { printVerdicts, type Verdict } from './support/bench/verdicts.ts'
import { makeEvents } from './support/events.ts'
import { pidsOf, riseOf, type Sample, sampleOf } from './support/growth.ts'
import { makePost, percentile, runLoad } from './support/http-load.ts'
import { waitForCount } from './support/measure.ts'
import { onFreshProduct } from './support/on-fresh-product.ts'

const MAXIMUM_MS = 30_000
const MINUTE_MS = 60_000
const SEARCH_EVERY_MS = 1000
const FIND_MS = 300_000
/** Caches fill at first. */
const SETTLED_FROM = 1 / 4
/** Rise of the line through the settled minutes, of their mean. */
const MOST_RISE = 0.15
/** Parts come and go by dozens with each merge. */
const MOST_PARTS_RISE = 0.25
const SEED = 20_261_122
const QUERIES = ['deadline', '* | count | group by level', '"gave up after 3 retries" | count']

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    share: { type: 'string', default: '0.7' },
    connections: { type: 'string', default: '96' },
  },
})
const minutes = Number(values.minutes)
const connections = Number(values.connections)
await onFreshProduct('soak', soak)

async function soak(product: Product): Promise<string[]> {
  const { port, secrets, url } = product
  const search = makeSearchClient(url, secrets.password)
  const pids = pidsOf(product).join()
  const path = `/logeye/api/logger.jsp?token=${secrets.token}&hostName=soak`
  const events = makeEvents(SEED, Date.now() - minutes * MINUTE_MS)
  const request = () => makePost(path, Buffer.from(events.next()))
  const maximum = await runLoad({ port, connections, request, limitMs: MAXIMUM_MS })
  let acknowledged = maximum.acknowledged.length
  const rate = (acknowledged / maximum.elapsedMs) * 1000 * Number(values.share)
  console.log(`${rate.toFixed(0)} posts/s, ${values.share} of the maximum`)
  let isOver = false
  let searches = 0
  let failed = 0
  const searching = (async () => {
    while (!isOver) {
      const answer = await search
        .search(QUERIES[searches % QUERIES.length] ?? '*')
        .catch(() => undefined)
      searches += 1
      if (answer?.state !== 'OK') failed += 1
      await new Promise((resolve) => setTimeout(resolve, SEARCH_EVERY_MS))
    }
  })()
  const samples: Sample[] = []
  const wrong: string[] = []
  for (let minute = 1; minute <= minutes; minute += 1) {
    const load = await runLoad({
      port,
      connections,
      request,
      limitMs: MINUTE_MS,
      ratePerSecond: rate,
    })
    acknowledged += load.acknowledged.length
    const sample = sampleOf(product)
    samples.push(sample)
    const answers = [...load.byStatus].map(([status, count]) => `${count} x ${status}`).join(', ')
    const ofEach = [...sample.memoryMiBOf]
      .map(([role, mib]) => `${role} ${mib.toFixed(0)}`)
      .join(', ')
    console.log(
      `minute ${String(minute).padStart(3)}: ${answers}; p50 ${percentile(load.latenciesMs, 0.5).toFixed(1)} p99 ${percentile(load.latenciesMs, 0.99).toFixed(1)} ms; ${sample.memoryMiB.toFixed(0)} MiB (${ofEach}), ${sample.descriptors} descriptors, ${sample.parts} parts; ${searches} searches`,
    )
    if (load.byStatus.size !== 1 || !load.byStatus.has(200))
      wrong.push(`minute ${minute}: ${answers}`)
    if (load.failedConnections > 0) wrong.push(`minute ${minute}: broken connections`)
  }
  isOver = true
  await searching
  const found = await waitForCount(search, '* in server.soak', acknowledged, FIND_MS)
  console.log(`acknowledged ${acknowledged}, found ${found}`)
  if (found !== acknowledged) wrong.push(`${found} events found, ${acknowledged} acknowledged`)
  if (failed > 0) wrong.push(`${failed} of ${searches} searches failed`)
  if (pidsOf(product).join() !== pids) wrong.push('a process was started again')
  if (!printVerdicts(judge(samples))) wrong.push('something rises')
  return wrong
}

function judge(samples: readonly Sample[]): Verdict[] {
  const settled = samples.slice(Math.floor(samples.length * SETTLED_FROM))
  const rise = (name: string, of: (sample: Sample) => number, most: number): Verdict => {
    const figures = settled.map(of)
    const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length
    const value = riseOf(figures) / mean
    return {
      name: `rise of ${name} over ${settled.length} minutes`,
      value,
      unit: '',
      asked: { most },
    }
  }
  const roles = [...(samples.at(-1)?.memoryMiBOf.keys() ?? [])]
  return [
    rise('memory', (sample) => sample.memoryMiB, MOST_RISE),
    ...roles.map((role) =>
      rise(`memory: ${role}`, (sample) => sample.memoryMiBOf.get(role) ?? 0, MOST_RISE),
    ),
    rise('descriptors', (sample) => sample.descriptors, MOST_RISE),
    rise('parts', (sample) => sample.parts, MOST_PARTS_RISE),
  ]
}
