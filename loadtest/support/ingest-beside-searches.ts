// Ingest alone, then beside searches, in turns: at least half of the rate is kept, of what is
// acknowledged and of what is searchable, and nothing is lost. Every round sends the same events,
// as fast as they are taken, and ends when all of them are found, so that it holds the writer's
// work, too; the searches go on until then.

import { makeSearchClient } from '../../test/support/clients/search-client.ts'
import { cpuSeconds } from '../../test/support/machine/process-usage.ts'
import type { Product } from '../../test/support/product/product.ts'
import { makeBodies, makeEvents } from './events.ts'
import { makePost, percentile, runLoad } from './http-load.ts'
import { waitForCount } from './measure.ts'

const LINES = 2000
const BODIES = 100
const CONNECTIONS = 4
const KEPT_SHARE = 0.5
const ROUND_LIMIT_MS = 600_000

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

export type BesideOptions = {
  /** Of a round: what is taken in that time at first is sent in each. */
  readonly seconds: number
  readonly rounds: number
  readonly searches: number
  /** Another user than the one who looks whether all is there. */
  readonly reader: { readonly user: string; readonly password: string }
}

type Round = {
  readonly requests: number
  readonly acknowledgedRate: number
  readonly searchableRate: number
}

/** What is not as asked. */
export async function measureIngestBeside(
  product: Product,
  { seconds, rounds, searches, reader }: BesideOptions,
): Promise<string[]> {
  const { url, secrets } = product
  const run = Date.now().toString(36)
  const failures: string[] = []
  const client = makeSearchClient(url, secrets.password)
  const bodies = makeBodies(makeEvents(11), LINES * BODIES, LINES)
  let sentRounds = 0
  let sentEvents = 0

  async function ingestRound(count: number, limitMs: number): Promise<Round> {
    sentRounds += 1
    const host = `beside-${run}-${sentRounds}`
    const path = `/logeye/api/logger.jsp?token=${secrets.token}&hostName=${host}`
    const posts = bodies.map((body) => makePost(path, body))
    const startedMs = performance.now()
    const { acknowledged, byStatus, elapsedMs } = await runLoad({
      port: product.port,
      connections: CONNECTIONS,
      request: (number) => (number < count ? (posts[number % posts.length] ?? null) : null),
      limitMs,
    })
    const events = acknowledged.length * LINES
    sentEvents += events
    for (const [status, times] of byStatus)
      if (status !== 200) failures.push(`${times} answers with ${status}`)
    const found = await waitForCount(client, `* in server.${host}`, events, ROUND_LIMIT_MS)
    if (found !== events) failures.push(`${found} of ${events} events are there`)
    return {
      requests: acknowledged.length,
      acknowledgedRate: (events / elapsedMs) * 1000,
      searchableRate: (events / (performance.now() - startedMs)) * 1000,
    }
  }

  async function searchUntil(isOver: () => boolean): Promise<Float64Array> {
    const asking = makeSearchClient(url, reader.password, reader.user)
    const took: number[] = []
    const one = async (first: number) => {
      for (let n = first; !isOver(); n += 1) {
        const query = QUERIES[n % QUERIES.length] ?? '*'
        const startedMs = performance.now()
        const { state, message } = await asking.search(query)
        took.push(performance.now() - startedMs)
        if (state !== 'OK') failures.push(`${query}: ${message}`)
      }
    }
    await Promise.all(Array.from({ length: searches }, (_, n) => one(n)))
    return Float64Array.from(took).sort()
  }

  async function print(name: string, work: () => Promise<[Round, string]>): Promise<Round> {
    const before = usage(product)
    const [round, more] = await work()
    const cpu = [...usage(product)].map(
      ([role, used]) => `${role} ${(used - (before.get(role) ?? 0)).toFixed(1)}`,
    )
    const rates = [round.acknowledgedRate, round.searchableRate].map((rate) => rate.toFixed(0))
    console.log(
      `${name}: ${rates[0]} events/s acknowledged, ${rates[1]} searchable${more}; CPU s: ${cpu.join(', ')}`,
    )
    return round
  }

  const first = await ingestRound(Number.POSITIVE_INFINITY, seconds * 1000)
  const send = () => ingestRound(first.requests, ROUND_LIMIT_MS)
  const kept: number[] = []
  for (let n = 0; n < rounds; n += 1) {
    const alone = await print('alone', async () => [await send(), ''])
    const beside = await print(`beside ${searches} searches`, async () => {
      let isOver = false
      const searching = searchUntil(() => isOver)
      const round = await send()
      isOver = true
      const took = await searching
      const [median, slow] = [percentile(took, 0.5), percentile(took, 0.95)]
      return [
        round,
        `, ${took.length} searches (median ${median.toFixed(0)} ms, 95 % within ${slow.toFixed(0)} ms)`,
      ]
    })
    const acknowledged = beside.acknowledgedRate / alone.acknowledgedRate
    const searchable = beside.searchableRate / alone.searchableRate
    kept.push(Math.min(acknowledged, searchable))
    console.log(
      `kept of ${first.requests * LINES} events: ${percent(acknowledged)} acknowledged, ${percent(searchable)} searchable`,
    )
  }
  console.log(`${sentEvents} events sent, all searchable: ${failures.length === 0}`)
  const best = Math.max(...kept)
  if (!(best >= KEPT_SHARE)) failures.push(`${percent(best)} of the rate of ingest is kept`)
  return [...new Set(failures)]
}

function usage(product: Product): Map<string, number> {
  return new Map(product.processes().map(({ role, pid }) => [role, cpuSeconds(pid)]))
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}
