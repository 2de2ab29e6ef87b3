// One stretch of load on one place: rates, CPU of each role an event, the peak of memory.

import { memoryBytes } from '../../../test/support/machine/process-usage.ts'
import { makePost, percentile, runLoad } from '../http-load.ts'
import type { Place } from './place.ts'
import { watchCpu } from './process-tree.ts'

export type Stretch = {
  readonly events: number
  /** A second. */
  readonly acknowledged: number
  /** A second, until a search finds them all; NaN where that was not waited for. */
  readonly searchable: number
  /** Microseconds of CPU an event, by role. */
  readonly cpu: ReadonlyMap<string, number>
  readonly p50Ms: number
  readonly p99Ms: number
  readonly peakMemoryBytes: number
  readonly wrong: readonly string[]
}

export type Counter = { found: number }

const SEND_LIMIT_MS = 900_000
const FIND_LIMIT_MS = 900_000
const POLL_MS = 250
const BATCH_CONNECTIONS = 4

export async function sendBatches(
  place: Place,
  bodies: readonly Buffer[],
  events: number,
  known: Counter,
): Promise<Stretch> {
  const requests = bodies.map((body) => makePost(place.insertPath, body))
  return await measure(place, async () => {
    const started = performance.now()
    const load = await runLoad({
      port: place.port,
      connections: BATCH_CONNECTIONS,
      request: (number) => requests[number] ?? null,
      limitMs: SEND_LIMIT_MS,
    })
    const acknowledgedMs = performance.now() - started
    known.found += events
    const found = await waitForEvents(place, known.found)
    const searchableMs = performance.now() - started
    const wrong = found === known.found ? [] : [`${place.name}: ${found} of ${known.found} events`]
    return { load, events, acknowledgedMs, searchableMs, wrong }
  })
}

/** As many as go in this time. */
export async function sendSingles(
  place: Place,
  bodies: readonly Buffer[],
  options: { connections: number; limitMs: number },
  known: Counter,
): Promise<Stretch> {
  const requests = bodies.map((body) => makePost(place.insertPath, body))
  return await measure(place, async () => {
    const load = await runLoad({
      port: place.port,
      request: (number) => requests[number % requests.length] ?? null,
      ...options,
    })
    const events = load.acknowledged.length
    known.found += events
    return { load, events, acknowledgedMs: load.elapsedMs, searchableMs: Number.NaN, wrong: [] }
  })
}

type Sent = {
  load: Awaited<ReturnType<typeof runLoad>>
  events: number
  acknowledgedMs: number
  searchableMs: number
  wrong: string[]
}

async function measure(place: Place, run: () => Promise<Sent>): Promise<Stretch> {
  const cpu = watchCpu(place.processes)
  let peakMemoryBytes = 0
  const sampler = setInterval(() => {
    const bytes = place.processes().reduce((sum, { pid }) => sum + memoryBytes(pid), 0)
    peakMemoryBytes = Math.max(peakMemoryBytes, bytes)
  }, 500)
  try {
    const { load, events, acknowledgedMs, searchableMs, wrong } = await run()
    const refused = [...load.byStatus].filter(([status]) => status < 200 || status > 299)
    if (refused.length > 0) wrong.push(`${place.name}: answers ${JSON.stringify(refused)}`)
    if (load.failedConnections > 0)
      wrong.push(`${place.name}: ${load.failedConnections} broken connections`)
    return {
      events,
      acknowledged: (events / acknowledgedMs) * 1000,
      searchable: (events / searchableMs) * 1000,
      cpu: new Map([...cpu()].map(([role, seconds]) => [role, (seconds / events) * 1e6])),
      p50Ms: percentile(load.latenciesMs, 0.5),
      p99Ms: percentile(load.latenciesMs, 0.99),
      peakMemoryBytes,
      wrong,
    }
  } finally {
    clearInterval(sampler)
  }
}

/** The last count seen. */
export async function waitForEvents(place: Place, expected: number): Promise<number> {
  const deadline = performance.now() + FIND_LIMIT_MS
  let found = 0
  while (performance.now() < deadline) {
    found = await place.count()
    if (found >= expected) return found
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return found
}
