// Two columns of a row compared, of events and of tables, against the reference
// (search-language#two-columns).
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import { EVENT_COLUMNS } from '../../support/reference/random/query-columns.ts'
import { makeRandom } from '../../support/reference/random/random.ts'
import { makeWorld, storeWorld } from '../../support/reference/random/random-world.ts'
import { compareAnswers } from '../../support/reference/run/compare.ts'
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

describe.each(STORE_VARIANTS)('two columns on $name', ({ open }) => {
  let store: Store
  openForTests(open, async (opened) => {
    store = opened
    await storeWorld(store, STORED.allEvents, 0)
  })

  it('of events are compared as the reference compares them', { timeout: 600_000 }, async () => {
    const random = makeRandom(11)
    const columns = EVENT_COLUMNS.filter(({ kind }) => kind !== 'tags').map(({ name }) => name)
    let found = 0
    for (let run = 0; run < 150; run += 1) {
      const [left, right] = [random.pick(columns), random.pick(columns)]
      const test = `${outright(left)} ${random.pick(OPERATORS)} ${outright(right)}`
      const text = random.pick([test, `* | where ${test}`, `not ${test}`, `(timeout or ${test})`])
      const outcome = await compareAnswers(store, text, STORED)
      expect([text, outcome]).toEqual([text, { kind: 'same', rows: expect.any(Number) }])
      if (outcome.kind === 'same' && outcome.rows > 0) found += 1
    }
    expect(found).toBeGreaterThan(50)
  })

  it('of tables are compared as the reference compares them', { timeout: 600_000 }, async () => {
    const random = makeRandom(12)
    const columns = ['Hits', 'Volume', 'Mean', 'Users', 'Start', 'End', 'Length', 'User']
    const table =
      '* | count as Hits, sum Bytes Sent as Volume, avg Bytes Sent as Mean, distinct count host as Users, start time as Start, end time as End, time as Length | group by User'
    let found = 0
    for (let run = 0; run < 60; run += 1) {
      const [left, right] = [random.pick(columns), random.pick(columns)]
      const text = `${table} | where ${left} ${random.pick(OPERATORS)} column.${right}`
      const outcome = await compareAnswers(store, text, STORED)
      expect([text, outcome]).toEqual([text, { kind: 'same', rows: expect.any(Number) }])
      if (outcome.kind === 'same' && outcome.rows > 0) found += 1
    }
    expect(found).toBeGreaterThan(15)
  })
})
