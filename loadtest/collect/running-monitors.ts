// What five hundred monitors cost that run each minute, over a log in which events arrive.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Verdict } from '../support/bench/verdicts.ts'
import { makeBodies, makeEvents } from '../support/events.ts'
import {
  type CollectingProduct,
  onCollectingProduct,
  printRoles,
  restingShares,
  secondsUntil,
  sumOf,
} from './collecting-product.ts'

const MONITORS = 500
const ASKED_PERCENT = 20
const EVENTS = 100_000
const LINES = 10_000
/** What new ones cost is not asked. */
const FIRST_RUNS_MS = 70_000
const WATCHED_MS = 120_000
const SETTLE_MS = 15_000
/** Between two posts of one event. */
const POST_EVERY_MS = 1000
const LIMIT_MS = 120_000
const WORDS = ['timeout', 'declined', 'deadline', 'gave up', 'reset by peer']

export async function measureMonitors(share: number): Promise<Verdict[]> {
  return await onCollectingProduct(async (place) => {
    const { sdk, search } = place
    const count = Math.round(MONITORS * share)
    await post(place, EVENTS * share)
    const isFound = async () => (await search.count('*')) >= EVENTS * share
    await secondsUntil('events', isFound, { limitMs: LIMIT_MS, everyMs: 200 })
    const posting = new AbortController()
    const ended = postNow(place, posting.signal)
    await sleep(SETTLE_MS)
    const without = await restingShares(place, WATCHED_MS / 4)
    for (let number = 0; number < count; number += 1) {
      const query = `"${WORDS[number % WORDS.length]}" and web-${String(number % 40).padStart(2, '0')}`
      const given = { name: `monitor ${number}`, query, schedule: 'every 1m', rule: 'count > 1000' }
      await sdk('addMonitor', given)
    }
    await sleep(FIRST_RUNS_MS)
    const firstMs = Date.now()
    const within = await restingShares(place, WATCHED_MS)
    const { monitors } = await sdk('monitors', {})
    posting.abort()
    await ended
    const late = lateOnes(monitors, firstMs)
    if (late > 0) throw new Error(`${late} monitors did not run while they were watched`)
    const added = sumOf(within) - sumOf(without)
    console.log(`${count} monitors, each every minute over ${EVENTS * share} events`)
    console.log(`  without them, % of a core: ${printRoles(without)}`)
    console.log(`  with them: ${printRoles(within)}; more by ${added.toFixed(2)}`)
    console.log(`  ${(((added / 100) * 60_000) / count).toFixed(1)} ms of CPU a run`)
    return [
      {
        ...{ name: `${count} monitors a minute: added CPU`, unit: '% of a core' },
        ...{ value: added, asked: { most: ASKED_PERCENT } },
      },
    ]
  })
}

/** Those that have not run since then, or whose last run failed. */
function lateOnes(monitors: unknown, sinceMs: number): number {
  if (!Array.isArray(monitors)) throw new Error('no list of monitors')
  return monitors.filter(
    ({ status, statusAt }) => status !== 'passed' || Date.parse(statusAt) < sinceMs,
  ).length
}

async function post({ product }: CollectingProduct, events: number): Promise<void> {
  const bodies = makeBodies(makeEvents(1, Date.now() - events), events, LINES)
  for (const body of bodies) await send(product, body.toString())
}

/** One event a second, so that each run has something new to read. */
async function postNow({ product }: CollectingProduct, signal: AbortSignal): Promise<void> {
  const events = makeEvents(2, Date.now())
  while (!signal.aborted) {
    await send(product, events.next())
    await sleep(POST_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function send({ url, secrets }: CollectingProduct['product'], body: string): Promise<void> {
  const answer = await fetch(`${url}/logeye/api/logger.jsp?token=${secrets.token}`, {
    ...{ method: 'POST', body, headers: { 'content-type': 'application/json' } },
  })
  if (answer.status !== 200) throw new Error(`a post was answered ${answer.status}`)
}
