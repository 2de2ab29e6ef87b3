// A word beside tests of a column that logs spell differently, counted, without a time: the engine
// asks indexes for the sides of an OR then, and once lost all rows. Against the reference.
// LOGEYE_REFERENCE_SEED=random for other queries.
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../../infra/store/port.ts'
import { makeRandom } from '../../../support/reference/random/random.ts'
import { storeWorld } from '../../../support/reference/random/random-world.ts'
import { compareAnswers } from '../../../support/reference/run/compare.ts'
import type { ReferenceEvent } from '../../../support/reference/run/model.ts'
import { mapAtOnce } from '../../../support/run/map-at-once.ts'
import { readSeed } from '../../../support/run/seed.ts'
import { series } from '../../../support/run/tier.ts'
import { openForTests, STORE_VARIANTS } from '../../../support/store/store-variants.ts'

const SEED = readSeed('LOGEYE_REFERENCE_SEED', 1)
const QUERIES = series(20, 60)
const AT_ONCE = 4
const NAMES = ['ann', 'bob', 'root', 'Bob']
const logs = ['shop', 'auth', 'web'].map((name, index) => ({
  ...{ id: index + 1, folder: ['Spelled'], name, appTags: [], typeWords: [] },
}))
const SPELLINGS = [['user', 'status'], ['User', 'Status'], ['USER']]

describe.each(STORE_VARIANTS)('a column in two spellings on $name', ({ open }) => {
  const random = makeRandom(SEED)
  const events = Array.from({ length: 400 }, (_, index) => makeEvent(index))
  const columnsOf = SPELLINGS.flatMap((names, index) =>
    names.map((name, position) => ({
      ...{ logId: index + 1, name, position },
      kind: /status/i.test(name) ? ('number' as const) : ('text' as const),
    })),
  )
  const byLog = new Map(
    logs.map(({ id }) => [id, columnsOf.filter(({ logId }) => logId === id)] as const),
  )
  const stored = {
    world: {
      ...{ events, logs, zone: 'UTC', nowMs: 0 },
      names: new Map(logs.map(({ id }) => [id, SPELLINGS[id - 1] ?? []])),
      window: { startMs: null, endMs: null },
    },
    columns: byLog,
  }
  let store: Store
  openForTests(open, async (opened) => {
    store = opened
    // A log a part: the index of logs leaves some parts out.
    for (const { id } of logs) {
      const own = events.filter(({ log }) => log.id === id)
      await storeWorld(store, own, id * 1000, { isLow: true })
    }
  })

  function makeEvent(index: number): ReferenceEvent {
    const log = random.pick(logs)
    const [user = '', status] = SPELLINGS[log.id - 1] ?? []
    const columns: Record<string, string | number> = {}
    if (random.below(4) > 0) columns[user] = random.pick(NAMES)
    if (status !== undefined && random.below(5) > 0) columns[status] = 200 + random.below(4)
    const message = random.pick(['login failed', 'login opened', 'try failed', 'nothing'])
    return {
      ...{ log, arrival: index, timestampMs: Date.UTC(2026, 2, 1) + index * 1000, columns },
      ...{ host: 'web-01', source: 'Default', message, raw: '', size: index },
      texts: [message, ...Object.values(columns).map(String)],
    }
  }

  function makeTest(depth = 0): string {
    const name = random.pick(NAMES)
    const tests = [
      ...[`user != ${name}`, `User = ${name}`, `user in (${name}, ann)`, `user not in (${name})`],
      ...['user exists', 'user missing', `user contains ${name.slice(0, 2)}`, 'failed', 'login'],
      ...[`user not contains ${name}`, 'status > 201', 'status != 200', 'user = b*', 'user > b'],
      ...['log = shop', 'user != column.status', '"login failed"', 'fail*'],
    ]
    if (depth > 1 || random.below(3) > 0) return random.pick(tests)
    const [left, right] = [makeTest(depth + 1), makeTest(depth + 1)]
    return random.pick([`(${left} or ${right})`, `(${left} ${right})`, `not ${left}`])
  }

  it(`is found with a word as without one (seed ${SEED})`, { timeout: 300_000 }, async () => {
    const fixed = ['failed user != bob', 'fail* user = ann', 'failed user exists']
    const made = Array.from({ length: QUERIES }, () => `failed ${makeTest()} ${makeTest()}`)
    const texts = [...fixed, ...made].map((filter) => {
      const scope = random.pick(['log.shop, log.auth', 'log.auth', 'folder.Spelled'])
      const table = random.pick(['count', 'count | group by user', 'max timestamp'])
      return `${filter} in ${scope} | ${table}`
    })
    await mapAtOnce(texts, AT_ONCE, async (text) => {
      const outcome = await compareAnswers(store, text, stored)
      expect([text, outcome]).toEqual([text, { kind: 'same', rows: expect.any(Number) }])
    })
  })
})
