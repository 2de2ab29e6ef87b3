// Random queries: the compiled SQL on a real store gives the rows, cells and order of an evaluator
// that was written from the language's reference alone (test/support/reference). The seed is fixed:
// a commit is judged by the same queries each time. By hand LOGEYE_REFERENCE_QUERIES=10000 asks for
// more, LOGEYE_REFERENCE_SEED=random for others, LOGEYE_REFERENCE_SEED=<n> for those of a run.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { readQueries } from '../../support/cases/read-queries.ts'
import {
  EVENT_COLUMNS,
  INTERVALS,
  SCOPES,
  WORDS,
} from '../../support/reference/random/query-columns.ts'
import {
  makeWorld,
  type StoredWorld,
  storeWorld,
} from '../../support/reference/random/random-world.ts'
import { type CampaignWorld, runCampaign } from '../../support/reference/run/campaign.ts'
import { compareAnswers } from '../../support/reference/run/compare.ts'
import { ingestRealEvents, readRealWorld } from '../../support/reference/run/real-world.ts'
import { mapAtOnce } from '../../support/run/map-at-once.ts'
import { readSeed } from '../../support/run/seed.ts'
import { isFullTier, series } from '../../support/run/tier.ts'
import { openForTests, STORE_VARIANTS } from '../../support/store/store-variants.ts'

const QUERIES = Number(process.env.LOGEYE_REFERENCE_QUERIES ?? series(40, 200))
const SEED = readSeed('LOGEYE_REFERENCE_SEED', 1)
const LONGEST_MS = 3_600_000
const DAY_MS = 86_400_000
const AT_ONCE = 4

const WORLDS = [
  { zone: 'America/New_York', startMs: Date.UTC(2026, 2, 7, 3), lengthMs: 3 * DAY_MS },
  { zone: 'Asia/Kolkata', startMs: Date.UTC(2026, 4, 1, 20, 7), lengthMs: 3 * 3_600_000 },
  { zone: 'Africa/Cairo', startMs: Date.UTC(2026, 3, 10), lengthMs: 40 * DAY_MS },
  { zone: 'UTC', startMs: Date.UTC(2025, 10, 20, 5, 13), lengthMs: 20 * 3_600_000 },
].map((options, index) =>
  makeWorld({
    ...options,
    seed: SEED + index,
    events: 60 + 80 * index,
    firstLogId: 100 * (index + 1),
  }),
)

describe.each(STORE_VARIANTS)('random queries on $name', ({ open }) => {
  let store: Store

  openForTests(open, async (opened) => {
    store = opened
    for (const [index, { allEvents }] of WORLDS.entries())
      await storeWorld(store, allEvents, index * 10_000)
  })

  it.each(readQueries('language/differed.txt').map((text, at) => ({ text, at })))(
    '$text gives the rows of the reference',
    async ({ text, at }) => {
      const questions = WORLDS.flatMap((stored, index) => {
        const windows = windowsOf(stored)
        // In the sample each world has one of its windows, another one for the next query.
        const asked = isFullTier ? windows : windows.filter((_, own) => own === (at + index) % 3)
        return asked.map((window) => ({ ...stored, world: { ...stored.world, window } }))
      })
      await mapAtOnce(questions, AT_ONCE, async (question) => {
        const outcome = await compareAnswers(store, text, question)
        expect(outcome).toEqual({ kind: 'same', rows: expect.any(Number) })
      })
    },
  )

  it(`over random events give the rows of the reference (seed ${SEED})`, {
    timeout: LONGEST_MS,
  }, async () => {
    const worlds = WORLDS.map(
      (stored): CampaignWorld => ({
        stored,
        columns: EVENT_COLUMNS,
        words: WORDS,
        scopes: SCOPES,
        intervals: INTERVALS,
        transactionKeys: ['User', 'Remote IP', 'log', 'Status'],
      }),
    )
    await expectSame(store, worlds, Math.ceil(QUERIES * 0.7))
  })
})

describe('random queries on stored events of real senders', () => {
  let pipeline: SearchPipeline
  let world: CampaignWorld

  beforeAll(async () => {
    pipeline = await openSearchPipeline()
    await ingestRealEvents(pipeline)
    world = await readRealWorld(pipeline)
  })

  afterAll(async () => {
    await pipeline?.stop()
  })

  it(`give the rows of the reference (seed ${SEED})`, { timeout: LONGEST_MS }, async () => {
    expect(world.stored.world.events.length).toBeGreaterThan(90)
    await expectSame(pipeline.engine.store, [world], Math.floor(QUERIES * 0.3))
  })
})

/** The whole, the second half, and an open one. */
function windowsOf({ world: { window } }: StoredWorld): StoredWorld['world']['window'][] {
  const { startMs, endMs } = window
  const middle = { startMs: Math.floor(((startMs ?? 0) + (endMs ?? 0)) / 2), endMs }
  return [window, middle, { startMs: null, endMs: null }]
}

async function expectSame(
  store: Store,
  worlds: readonly CampaignWorld[],
  count: number,
): Promise<void> {
  const { failures, summary, unsupported } = await runCampaign(store, worlds, { seed: SEED, count })
  process.stdout.write(`${summary}\n`)
  expect(failures.join('\n\n')).toBe('')
  expect(unsupported).toBe(0)
}
