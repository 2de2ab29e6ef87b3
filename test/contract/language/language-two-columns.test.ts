// Two columns of a row compared, of events and of tables, against the reference
// (search-language#two-columns).
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import { EVENT_COLUMNS } from '../../support/reference/random/query-columns.ts'
import { makeRandom } from '../../support/reference/random/random.ts'
import { makeWorld, storeWorld } from '../../support/reference/random/random-world.ts'
import { compareAnswers } from '../../support/reference/run/compare.ts'
import { mapAtOnce } from '../../support/run/map-at-once.ts'
import { series } from '../../support/run/tier.ts'
import { openForTests, STORE_VARIANTS } from '../../support/store/store-variants.ts'

const OPERATORS = ['=', '!=', '<', '<=', '>', '>='] as const
const BUILT_IN = new Set(['log', 'folder', 'source', 'message', 'size', 'timestamp'])
const STORED = makeWorld({
  seed: 7,
  events: 200,
  firstLogId: 1,
  startMs: Date.UTC(2026, 2, 7, 3),
  lengthMs: 3 * 86_400_000,
  zone: 'America/New_York',
})

/** `Bytes Sent` -> `column."Bytes Sent"` */
function outright(name: string): string {
  if (BUILT_IN.has(name)) return `event.${name}`
  return `column."${name.replace(/^column\./, '')}"`
}

const EVENT_QUERIES = series(25, 150)
const TABLE_QUERIES = series(8, 60)
const AT_ONCE = 4

describe.each(STORE_VARIANTS)('two columns on $name', ({ open }) => {
  let store: Store
  openForTests(open, async (opened) => {
    store = opened
    await storeWorld(store, STORED.allEvents, 0)
  })

  /** How many have rows; all are those of the reference. */
  async function countFound(texts: readonly string[]): Promise<number> {
    const found = await mapAtOnce(texts, AT_ONCE, async (text) => {
      const outcome = await compareAnswers(store, text, STORED)
      expect([text, outcome]).toEqual([text, { kind: 'same', rows: expect.any(Number) }])
      return outcome.kind === 'same' && outcome.rows > 0
    })
    return found.filter(Boolean).length
  }

  it('of events are compared as the reference compares them', { timeout: 600_000 }, async () => {
    const random = makeRandom(11)
    const columns = EVENT_COLUMNS.filter(({ kind }) => kind !== 'tags').map(({ name }) => name)
    const texts = Array.from({ length: EVENT_QUERIES }, () => {
      const [left, right] = [random.pick(columns), random.pick(columns)]
      const test = `${outright(left)} ${random.pick(OPERATORS)} ${outright(right)}`
      return random.pick([test, `* | where ${test}`, `not ${test}`, `(timeout or ${test})`])
    })
    expect(await countFound(texts)).toBeGreaterThan(EVENT_QUERIES / 3)
  })

  it('of tables are compared as the reference compares them', { timeout: 600_000 }, async () => {
    const random = makeRandom(12)
    const columns = ['Hits', 'Volume', 'Mean', 'Users', 'Start', 'End', 'Length', 'User']
    const table =
      '* | count as Hits, sum Bytes Sent as Volume, avg Bytes Sent as Mean, distinct count host as Users, start time as Start, end time as End, time as Length | group by User'
    const texts = Array.from({ length: TABLE_QUERIES }, () => {
      const [left, right] = [random.pick(columns), random.pick(columns)]
      return `${table} | where ${left} ${random.pick(OPERATORS)} column.${right}`
    })
    expect(await countFound(texts)).toBeGreaterThan(TABLE_QUERIES / 5)
  })
})
