// Many random queries, several at once, on the product and on the reference.
import type { Store } from '../../../../infra/store/port.ts'
import { makeRandom } from '../random/random.ts'
import {
  type QueryWorld,
  queryText,
  type RandomQuery,
  randomQuery,
} from '../random/random-query.ts'
import type { StoredWorld } from '../random/random-world.ts'
import { printMoment } from '../zone.ts'
import { compareAnswers, type Outcome, shrink } from './compare.ts'

export type CampaignWorld = { readonly stored: StoredWorld } & Omit<QueryWorld, 'times'>

export type CampaignResult = {
  /** Each with its smallest form and the difference. */
  readonly failures: readonly string[]
  /** One line. */
  readonly summary: string
  readonly unsupported: number
}

const AT_ONCE = 4
/** After so many queries a line tells how far it is. */
const TOLD_AFTER = 500
const MOST_FAILURES = 20
const FROM_NOW = ['now-20h', 'now - 1 day @ d', '-2d', '"-1d@d+8h"', 'now', 'now - 3 hours']

export async function runCampaign(
  store: Store,
  worlds: readonly CampaignWorld[],
  { seed, count }: { seed: number; count: number },
): Promise<CampaignResult> {
  const failures: string[] = []
  const unsupported = new Map<string, number>()
  let same = 0
  let filled = 0
  let next = 0
  const work = async () => {
    while (next < count && failures.length < MOST_FAILURES) {
      const index = next
      next += 1
      if (index > 0 && index % TOLD_AFTER === 0)
        process.stdout.write(`seed ${seed}: ${index} queries, ${same} the same so far\n`)
      const { query, stored } = makeQuery(worlds, seed * 1_000_003 + index)
      const outcome = await compareAnswers(store, queryText(query), stored)
      if (outcome.kind === 'same') {
        same += 1
        if (outcome.rows > 0) filled += 1
      } else if (outcome.kind === 'unsupported') {
        const reason = /"reason":"([^"]*)"/.exec(outcome.text)?.[1] ?? outcome.text
        unsupported.set(reason, (unsupported.get(reason) ?? 0) + 1)
      } else {
        const title = `query ${index} of seed ${seed}`
        const failure = await describeFailure(store, title, query, stored, outcome)
        // At once: a long run may be ended before its end.
        process.stdout.write(`${failure}\n\n`)
        failures.push(failure)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const missing = [...unsupported].map(([reason, times]) => `${times} ${reason}`).join('; ')
  return {
    failures,
    unsupported: [...unsupported.values()].reduce((a, b) => a + b, 0),
    summary: `seed ${seed}: ${same} of ${next} queries the same, ${filled} of them with rows; not supported: ${missing || 'none'}`,
  }
}

function makeQuery(worlds: readonly CampaignWorld[], seed: number) {
  const random = makeRandom(seed)
  const { stored: whole, ...rest } = random.pick(worlds)
  const stored = { ...whole, world: windowed(whole.world, random.below(4)) }
  const { events, zone } = stored.world
  const times = Array.from({ length: 6 }, () => {
    const ms = Math.floor(random.pick(events).timestampMs)
    if (random.chance(0.2)) return random.pick(FROM_NOW)
    return random.chance(0.5)
      ? `"${printMoment(Math.floor(ms / 1000) * 1000, zone)}"`
      : new Date(ms).toISOString()
  })
  return { query: randomQuery(random, { ...rest, times }), stored }
}

/** The whole window, a part of it, or an open one. */
function windowed<World extends StoredWorld['world']>(world: World, choice: number): World {
  const { startMs, endMs } = world.window
  if (choice === 0 || startMs === null || endMs === null)
    return { ...world, window: { startMs: null, endMs: null } }
  if (choice > 1) return world
  const third = Math.floor((endMs - startMs) / 3)
  return { ...world, window: { startMs: startMs + third, endMs: endMs - 1234 } }
}

async function describeFailure(
  store: Store,
  title: string,
  query: RandomQuery,
  stored: StoredWorld,
  outcome: Outcome,
): Promise<string> {
  const small = await shrink(store, query, stored, outcome)
  const { world } = small.stored
  return [
    `${title} ${small.outcome.kind}: ${small.text}`,
    `(from ${queryText(query)})`,
    `logs ${world.logs.map(({ name }) => name).join(', ')}; zone ${world.zone}; window ${JSON.stringify(world.window)}`,
    'text' in small.outcome ? small.outcome.text : '',
  ].join('\n')
}
