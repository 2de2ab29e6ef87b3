// Random queries over random events: the compiled SQL on a real store gives the rows, cells and order of an evaluator that
// was written from the language's reference alone (test/support/reference).
//   LOGEYE_REFERENCE_QUERIES=10000 and LOGEYE_REFERENCE_SEED=7 for more and for others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../infra/store/port.ts'
import { compareAnswers, type Outcome, shrink } from '../support/reference/compare.ts'
import { EVENT_COLUMNS } from '../support/reference/query-columns.ts'
import { makeRandom } from '../support/reference/random.ts'
import { queryText, randomQuery } from '../support/reference/random-query.ts'
import { makeWorld, storeWorld } from '../support/reference/random-world.ts'
import { printMoment } from '../support/reference/zone.ts'
import { STORE_VARIANTS } from '../support/store-variants.ts'

const QUERIES = Number(process.env.LOGEYE_REFERENCE_QUERIES ?? 500)
const SEED = Number(process.env.LOGEYE_REFERENCE_SEED ?? Math.floor(Math.random() * 1_000_000))
const AT_ONCE = 4
const DAY_MS = 86_400_000

const WORLDS = [
  { zone: 'America/New_York', startMs: Date.UTC(2026, 2, 7, 3), lengthMs: 3 * DAY_MS },
  { zone: 'Asia/Kolkata', startMs: Date.UTC(2026, 4, 1, 20, 7), lengthMs: 3 * 3_600_000 },
  { zone: 'Africa/Cairo', startMs: Date.UTC(2026, 3, 10), lengthMs: 40 * DAY_MS },
  { zone: 'UTC', startMs: Date.UTC(2025, 10, 20, 5, 13), lengthMs: 20 * 3_600_000 },
].map((options, index) => ({
  ...options,
  seed: SEED + index,
  events: 60 + 80 * index,
  firstLogId: 100 * (index + 1),
}))

describe.each(STORE_VARIANTS.filter(({ skipped }) => !skipped))(
  'random queries on $name',
  ({ open }) => {
    const worlds = WORLDS.map(makeWorld)
    let store: Store
    let stop: () => Promise<void>

    beforeAll(async () => {
      const opened = await open()
      store = opened.store
      stop = opened.stop
      for (const [index, { allEvents }] of worlds.entries())
        await storeWorld(store, allEvents, index * 10_000)
    })

    afterAll(async () => {
      await stop?.()
    })

    it(`give the rows of the reference (seed ${SEED})`, { timeout: 36_000_000 }, async () => {
      const failures: string[] = []
      const counts = { same: 0, rows: 0, unsupported: new Map<string, number>() }
      let next = 0
      const work = async () => {
        while (next < QUERIES && failures.length < 20) {
          const index = next
          next += 1
          const random = makeRandom(SEED * 1_000_003 + index)
          const made = random.pick(worlds)
          const stored = { ...made, world: windowed(made.world, random.below(4)) }
          const { zone } = stored.world
          const times = Array.from({ length: 6 }, () => {
            const ms = random.pick(stored.world.events).timestampMs
            return random.chance(0.5)
              ? `"${printMoment(Math.floor(ms / 1000) * 1000, zone)}"`
              : new Date(ms).toISOString()
          })
          const query = randomQuery(random, {
            columns: EVENT_COLUMNS,
            times,
            transactions: [],
          })
          const outcome = await compareAnswers(store, queryText(query), stored)
          if (outcome.kind === 'same') {
            counts.same += 1
            counts.rows += outcome.rows
          } else if (outcome.kind === 'unsupported') {
            const reason = /"reason":"([^"]*)"/.exec(outcome.text)?.[1] ?? outcome.text
            counts.unsupported.set(reason, (counts.unsupported.get(reason) ?? 0) + 1)
          } else failures.push(await report(index, query, outcome, stored))
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      const skipped = [...counts.unsupported]
        .map(([reason, count]) => `${count} ${reason}`)
        .join('; ')
      process.stdout.write(
        `seed ${SEED}: ${counts.same} of ${next} queries the same, ${counts.rows} rows; not supported: ${skipped || 'none'}\n`,
      )
      expect(failures.join('\n\n')).toBe('')
    })

    async function report(
      index: number,
      query: Parameters<typeof queryText>[0],
      outcome: Outcome,
      stored: Parameters<typeof shrink>[2],
    ): Promise<string> {
      const small = await shrink(store, query, stored, outcome)
      const { world } = small.stored
      const text = 'text' in small.outcome ? small.outcome.text : ''
      return [
        `query ${index} of seed ${SEED} ${small.outcome.kind}: ${small.text}`,
        `(from ${queryText(query)})`,
        `logs ${world.logs.map(({ name }) => name).join(', ')}; zone ${world.zone}; window ${JSON.stringify(world.window)}`,
        text,
      ].join('\n')
    }
  },
)

/** The whole window, a part of it, or none. */
function windowed<World extends { window: { startMs: number | null; endMs: number | null } }>(
  world: World,
  choice: number,
): World {
  const { startMs, endMs } = world.window
  if (choice === 0 || startMs === null || endMs === null)
    return { ...world, window: { startMs: null, endMs: null } }
  if (choice > 1) return world
  const third = Math.floor((endMs - startMs) / 3)
  return { ...world, window: { startMs: startMs + third, endMs: endMs - 1234 } }
}
