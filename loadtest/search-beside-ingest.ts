// Ingest alone, then beside 8 searches at once, in turns: nothing is lost and at least half of the rate is kept (issue 4, figures).
//   node dist/loadtest/search-beside-ingest.js [--seconds 10] [--rounds 2] [--searches 8]
// A round is long enough to hold the writer's work, too: it ends when everything that was sent is searchable. Exits 1 when not.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBodies, makeEvents } from './support/events.ts'
import { makePost, percentile, runLoad } from './support/http-load.ts'
import { waitForCount } from './support/measure.ts'
import { startProduct } from './support/product.ts'
import { makeSearchClient } from './support/search-client.ts'

const LINES = 2000
const BODIES = 100
const CONNECTIONS = 4
const KEPT_SHARE = 0.5
const SEARCHABLE_WITHIN_MS = 600_000

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '2' },
    searches: { type: 'string', default: '8' },
  },
})
const limitMs = Number(values.seconds) * 1000
const searches = Number(values.searches)

/** What people ask all day: pages, words, groups, phrases, times, regular expressions. */
const QUERIES = [
  'deadline',
  'declined AND level = ERROR',
  '* | count | group by level',
  'timeout | avg duration_ms | group by service',
  '"deadline exceeded" | count',
  'timeout | count | interval 1 minute',
  'message matches "retries$" | count',
  'thread = worker-7 | count',
]

const dataDir = mkdtempSync(join(tmpdir(), 'logeye-beside-'))
const product = await startProduct({ dataDir })
const client = makeSearchClient(product.url, product.secrets.password)
const path = `/logeye/api/logger.jsp?token=${product.secrets.token}&hostName=beside`
const requests = makeBodies(makeEvents(11), LINES * BODIES, LINES).map((body) =>
  makePost(path, body),
)
let acknowledged = 0
const failures: string[] = []

type Round = { readonly acknowledgedRate: number; readonly searchableRate: number }

async function ingestRound(): Promise<Round> {
  const startedMs = performance.now()
  const load = await runLoad({
    port: product.port,
    connections: CONNECTIONS,
    request: (number) => requests[number % requests.length] ?? null,
    limitMs,
  })
  const events = load.acknowledged.length * LINES
  acknowledged += events
  for (const [status, count] of load.byStatus)
    if (status !== 200) console.log(`  ${count} answers with ${status}`)
  const found = await waitForCount(client, '*', acknowledged, SEARCHABLE_WITHIN_MS)
  if (found !== acknowledged) failures.push(`${found} of ${acknowledged} events are there`)
  return {
    acknowledgedRate: (events / load.elapsedMs) * 1000,
    searchableRate: (events / (performance.now() - startedMs)) * 1000,
  }
}

async function searchUntil(isOver: () => boolean): Promise<number[]> {
  const took: number[] = []
  const one = async (first: number) => {
    for (let n = first; !isOver(); n += 1) {
      const query = QUERIES[n % QUERIES.length] ?? '*'
      const startedMs = performance.now()
      const { state, message } = await client.search(query)
      took.push(performance.now() - startedMs)
      if (state !== 'OK') failures.push(`${query}: ${message}`)
    }
  }
  await Promise.all(Array.from({ length: searches }, (_, n) => one(n)))
  return took.sort((a, b) => a - b)
}

function print(name: string, { acknowledgedRate, searchableRate }: Round, more = ''): void {
  const rates = [acknowledgedRate, searchableRate].map((rate) => rate.toFixed(0).padStart(7))
  console.log(`${name.padEnd(18)}${rates[0]} events/s acknowledged, ${rates[1]} searchable${more}`)
}

async function besideSearches(): Promise<Round> {
  let isOver = false
  const searching = searchUntil(() => isOver)
  const round = await ingestRound()
  isOver = true
  const took = Float64Array.from(await searching)
  const [median, slow] = [percentile(took, 0.5), percentile(took, 0.95)]
  const times = `; ${took.length} searches, median ${median.toFixed(0)} ms, 95 % within ${slow.toFixed(0)} ms`
  print(`beside ${searches} searches`, round, times)
  return round
}

try {
  await ingestRound()
  const shares: Round[] = []
  for (let n = 0; n < Number(values.rounds); n += 1) {
    const alone = await ingestRound()
    print('alone', alone)
    const beside = await besideSearches()
    shares.push({
      acknowledgedRate: beside.acknowledgedRate / alone.acknowledgedRate,
      searchableRate: beside.searchableRate / alone.searchableRate,
    })
  }
  for (const share of shares)
    console.log(
      `kept: ${(share.acknowledgedRate * 100).toFixed(0)} % acknowledged, ${(share.searchableRate * 100).toFixed(0)} % searchable`,
    )
  const kept = Math.max(
    ...shares.map((share) => Math.min(share.acknowledgedRate, share.searchableRate)),
  )
  if (kept < KEPT_SHARE) failures.push(`less than ${KEPT_SHARE * 100} % of the rate is kept`)
  console.log(`${acknowledged} events acknowledged, all searchable: ${failures.length === 0}`)
} catch (error) {
  console.error(product.output().slice(-4000))
  throw error
} finally {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
}
for (const failure of new Set(failures)) console.error(`WRONG: ${failure}`)
process.exitCode = failures.length > 0 ? 1 : 0
