// Mutated query texts end in an answer or in an error that says what is wrong with the query, soon;
// the engine never finds fault with the SQL. The seed is fixed: a commit is judged by the same
// texts each time. By hand LOGEYE_FUZZ_QUERIES=100000 asks for more, LOGEYE_FUZZ_SEED=random for
// others, LOGEYE_FUZZ_SEED=<n> for those of a run.
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import { isFailure } from '../../../schemas/failures.ts'
import { readCases } from '../../support/cases/read-cases.ts'
import { mutate } from '../../support/data/mutated-queries.ts'
import {
  EVENT_COLUMNS,
  INTERVALS,
  SCOPES,
  WORDS,
} from '../../support/reference/random/query-columns.ts'
import { makeRandom } from '../../support/reference/random/random.ts'
import { queryText, randomQuery } from '../../support/reference/random/random-query.ts'
import { makeWorld, storeWorld } from '../../support/reference/random/random-world.ts'
import { readSeed } from '../../support/run/seed.ts'
import { isFullTier, series } from '../../support/run/tier.ts'
import { compileText } from '../../support/store/run-compiled.ts'
import { openSharedStore } from '../../support/store/shared-store.ts'
import { openForTests } from '../../support/store/store-variants.ts'

const QUERIES = Number(process.env.LOGEYE_FUZZ_QUERIES ?? series(500, 5000))
const SEED = readSeed('LOGEYE_FUZZ_SEED', 1)
const AT_ONCE = 4
/** Of those that compile, one in so many is run. */
const RUN_EVERY = Number(process.env.LOGEYE_FUZZ_RUN_EVERY ?? 8)
/** Of the processor; only in the long series, where a machine does nothing else. */
const LONGEST_COMPILE_MS = isFullTier ? 20_000 : Number.POSITIVE_INFINITY
const LONGEST_RUN_MS = 20_000
/** What a query may end in on the store. The others, above all store.failed and store.data, are
 *  faults of the SQL. */
const ALLOWED = new Set([
  'store.memory',
  'store.regexp',
  'store.too_many_groups',
  'store.too_many_buckets',
  'store.too_many_values',
  'store.too_many_columns',
  'search.query',
  'search.resources',
])

describe('mutated queries', () => {
  const made = makeWorld({
    seed: SEED,
    events: 200,
    firstLogId: 1,
    startMs: Date.UTC(2026, 2, 7, 3),
    lengthMs: 3 * 86_400_000,
    zone: 'America/New_York',
  })
  const texts = [
    ...readCases('language/examples.txt').map(({ input }) => input),
    ...readCases('language/public.txt').map(({ input }) => input),
    ...readCases('language/binding.txt').map(({ input }) => input),
    ...Array.from({ length: 300 }, (_, index) =>
      queryText(
        randomQuery(makeRandom(SEED + index), {
          columns: EVENT_COLUMNS,
          times: ['"03/08/2026 01:30:00"', '2026-03-08T05:00:00Z'],
          words: WORDS,
          scopes: SCOPES,
          intervals: INTERVALS,
          transactionKeys: ['User', 'Remote IP', 'log', 'Status'],
        }),
      ),
    ),
  ]
  let store: Store

  openForTests(openSharedStore, async (opened) => {
    store = opened
    await storeWorld(store, made.allEvents, 0)
  })

  it(`end in an answer or an error of the query (seed ${SEED})`, {
    timeout: 36_000_000,
  }, async () => {
    const faults: string[] = []
    const counts = { refused: 0, compiled: 0, run: 0, ended: 0 }
    const waiting: string[] = []
    for (let index = 0; index < QUERIES; index += 1) {
      const text = mutate(makeRandom(SEED * 1_000_003 + index), texts)
      const started = process.cpuUsage()
      try {
        await compileText(store, text, made)
        counts.compiled += 1
        if (counts.compiled % RUN_EVERY === 0) waiting.push(text)
      } catch (error) {
        counts.refused += 1
        if (!isQueryError(error, text)) faults.push(`compiling ${JSON.stringify(text)}: ${error}`)
      }
      // Not the time that a busy machine takes.
      const { user, system } = process.cpuUsage(started)
      const ms = (user + system) / 1000
      if (ms > LONGEST_COMPILE_MS) faults.push(`compiling takes ${ms} ms: ${JSON.stringify(text)}`)
    }
    const work = async () => {
      for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
        counts.run += 1
        const fault = await faultOf(text)
        if (fault === 'ended') counts.ended += 1
        else if (fault !== null) faults.push(`${fault}: ${JSON.stringify(text)}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    process.stdout.write(
      `seed ${SEED}: ${QUERIES} texts, ${counts.refused} refused, ${counts.compiled} compiled, ${counts.run} run, ${counts.ended} of them ended by a limit\n`,
    )
    expect(faults.slice(0, 20).join('\n')).toBe('')
    expect(counts.compiled).toBeGreaterThan(QUERIES / 20)
  })

  /** null: an answer; 'ended': a limit or an error of the query. */
  async function faultOf(text: string): Promise<string | null> {
    try {
      const { sql, params, settings } = await compileText(store, text, made)
      const timeoutMs = LONGEST_RUN_MS
      for await (const rows of store.stream({ sql, params, settings, timeoutMs }))
        if (rows.length < 0) return null
      return null
    } catch (error) {
      if (isFailure(error) && ALLOWED.has(error.code)) return 'ended'
      if (!isFailure(error)) return String(error)
      return `${error.code} ${String(error.cause).slice(0, 300)}`
    }
  }
})

/** With a position inside the text and a reason. */
function isQueryError(error: unknown, text: string): boolean {
  if (!isFailure(error)) return false
  if (error.code !== 'search.query') return ALLOWED.has(error.code)
  const { position, reason } = error.details
  return Number(position) >= 1 && Number(position) <= text.length + 1 && `${reason}`.length > 5
}
