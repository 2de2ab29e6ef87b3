// Transactions on the real engine (search-language#transaction): every state by example, and random
// ones against the reference evaluator (LOGEYE_REFERENCE_SEED=random for others).
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import { SAMPLE_LOGS } from '../../support/data/sample-logs.ts'
import { makeRandom } from '../../support/reference/random/random.ts'
import { makeWorld, storeWorld } from '../../support/reference/random/random-world.ts'
import { compareAnswers } from '../../support/reference/run/compare.ts'
import { readSeed } from '../../support/run/seed.ts'
import { series } from '../../support/run/tier.ts'
import {
  insertSmallEvents,
  type SmallEvent,
  type SmallSearch,
  tableOf,
} from '../../support/store/small-store.ts'
import { failureOf, openForTests, STORE_VARIANTS } from '../../support/store/store-variants.ts'

const RANDOM = series(12, 40)
const SEED = readSeed('LOGEYE_REFERENCE_SEED', 1)
const WORLD = makeWorld({
  zone: 'America/New_York',
  startMs: Date.UTC(2026, 2, 7, 3),
  lengthMs: 3 * 86_400_000,
  seed: SEED,
  events: 300,
  firstLogId: 100,
})
const FILTERS = [
  ...['Method = get', 'Status > 100', 'error', '*', 'Level exists', 'Level = error'],
  ...['host = web-*', 'User exists in log.access', '* in log.fw01', 'Port exists'],
]
const KEYS = [
  'User',
  'host',
  'Method',
  'Remote IP',
  'Level',
  'Status',
  'log',
  'apptags',
  'timestamp',
]
const STAGES = [
  '',
  ' | count | group by transaction fullstate',
  ' | avg transaction time, max S0 eventscount',
  ' | where transaction fullstate = OPEN',
  ' | order by transaction time desc | limit 7',
]

const THREE =
  'transaction("Event = a", "User", "A" -> "Event = b", "User", "B" -> "Event = c", "User", "C")'

describe.each(STORE_VARIANTS)('transactions on $name', ({ open }) => {
  let store: Store
  let stored = 0
  let days = 0

  openForTests(open, async (opened) => {
    store = opened
    await storeWorld(store, WORLD.allEvents, 1_000_000)
  })

  /** `a1 b3`: events of the user at minutes of a day of its own; the table of the query over that
   *  day. */
  async function table(query: string, events: string, more: SmallSearch = {}) {
    days += 1
    const dayMs = Date.UTC(2012, 0, days)
    const list = events.split(' ').map((event): SmallEvent => {
      const [, name = '', minute = '', user = 'ann'] =
        /^([a-z])([\d.]+)(?::(\w+))?$/.exec(event) ?? []
      const at = new Date(dayMs + Number(minute) * 60_000).toISOString()
      const log = name === 'b' ? 'orders' : 'access'
      return { at, log, columns: { Event: name, User: user } }
    })
    await insertSmallEvents(store, list, stored)
    stored += list.length
    const from = new Date(dayMs).toISOString()
    const to = new Date(dayMs + 86_400_000).toISOString()
    return await tableOf(store, query, { from, to, ...more })
  }

  /** State, events and minutes of each transaction. */
  async function states(options: string, events: string) {
    const shown =
      'display only key, transaction fullstate, transaction eventscount, transaction time'
    const { rows } = await table(`${THREE} ${options} | ${shown}`, events)
    return rows
      .map(([key, state, count, ms]) => `${key} ${state} ${count} ${Number(ms) / 60_000}`)
      .join(', ')
  }

  it('have the columns of the steps, in their order', async () => {
    const { columns, rows } = await table(THREE, 'a1 b3 c7')
    expect(columns).toEqual([
      ...['key', 'start time', 'end time', 'transaction time', 'A->B time', 'B->C time'],
      ...['transaction eventscount', 'A eventscount', 'B eventscount', 'C eventscount'],
      'transaction fullstate',
    ])
    const [row] = rows
    expect(rows).toHaveLength(1)
    expect(row?.map((cell) => cell.slice(-8))).toEqual([
      ...['ann', '00:01:00', '00:07:00', '360000', '120000', '240000', '3', '1', '1', '1', 'CLOSE'],
    ])
  })

  it.each([
    ['', 'a1 b2 c3', 'ann CLOSE 3 2'],
    ['', 'a1 b2', 'ann OPEN 2 1'],
    ['', 'a1', 'ann OPEN 1 0'],
    ['', 'b1 c2', ''],
    ['', 'a1 c2', 'ann TIME CLOSE 2 1'],
    ['', 'a1 b2 b3 b4 c5', 'ann CLOSE 5 4'],
    ['', 'a1 b2 a3 c4', 'ann OPEN 2 1, ann TIME CLOSE 2 1'],
    ['', 'a1 a2 b3 c4', 'ann OPEN 1 0, ann CLOSE 3 2'],
    ['', 'a1 b2 c3 c4 b5', 'ann CLOSE 3 2'],
    ['', 'a1 b2 c3 a4', 'ann CLOSE 3 2, ann OPEN 1 0'],
    ['', 'a1:Ann b2:ANN c3:ann', 'Ann CLOSE 3 2'],
    ['', 'a1:ann a2:bob b3:ann c4:bob c5:ann', 'ann CLOSE 3 4, bob TIME CLOSE 2 2'],
    ['limit time to 10 minutes', 'a1 b2 c11', 'ann CLOSE 3 10'],
    ['limit time to 10 minutes', 'a1 b2 c11.1', 'ann TIME CLOSE 2 1'],
    ['limit time to 10 minutes', 'a1 b2', 'ann OPEN 2 1'],
    ['limit time to 10 minutes', 'a1 a12 b13 c14', 'ann TIME CLOSE 1 0, ann CLOSE 3 2'],
    ['limit time to 10 minutes', 'a1 a5 c14', 'ann OPEN 1 0, ann TIME CLOSE 2 9'],
    ['limit time to 1 hour', 'a1 b2 c61', 'ann CLOSE 3 60'],
    ['use unique key', 'a1 a2 a3 b4 c5', 'ann CLOSE 5 4'],
    ['use unique key', 'a1 a2 b3 a4 c5', 'ann OPEN 3 2, ann TIME CLOSE 2 1'],
    ['use unique key', 'a1 b2 c3 a4 a5', 'ann CLOSE 3 2, ann OPEN 2 1'],
    ['limit time to 10 minutes use unique key', 'a1 a11 b11 c11', 'ann CLOSE 4 10'],
    [
      'use unique key limit time to 10 minutes',
      'a1 a6 a12 a15 a23 b24 c25',
      'ann TIME CLOSE 2 5, ann TIME CLOSE 2 3, ann CLOSE 3 2',
    ],
    [
      'use unique key limit time to 10 minutes',
      'a1 c30 a31 b32',
      'ann TIME CLOSE 1 0, ann OPEN 2 1',
    ],
  ])('%s: %s gives %s', async (options, events, expected) => {
    expect(await states(options, events)).toBe(expected)
  })

  it('take part in later stages', async () => {
    const query = `${THREE} | where transaction fullstate = CLOSE | avg transaction time as Mean, count, start time, end time | display Mean in time format`
    const { rows } = await table(query, 'a1 b2 c3 a4 b5 c8 a9')
    expect(rows.map((row) => row.slice(0, 2))).toEqual([['3 minutes', '2']])
    const hourly = `${THREE} | count | interval 12 hours`
    expect((await table(hourly, 'a1 b2 c3 a800')).rows.map((row) => row[1])).toEqual(['1', '1'])
    const keys = `Event = c User in [ ${THREE} | where transaction fullstate = OPEN ] | count`
    expect((await table(keys, 'a1 c0:ann c3:bob')).rows).toEqual([['1']])
  })

  it('read no log but the visible ones', async () => {
    const visibleLogs = SAMPLE_LOGS.filter(({ name }) => name !== 'orders')
    const { rows } = await table(`${THREE} | display only transaction fullstate`, 'a1 b2 c3', {
      visibleLogs,
    })
    expect(rows).toEqual([['TIME CLOSE']])
  })

  it('of one step are closed at once; a key that nobody has gives none', async () => {
    const one =
      'transaction("Event = a", "User", "A") use unique key | count | group by transaction fullstate'
    expect((await table(one, 'a1 a2')).rows).toEqual([['CLOSE', '2']])
    expect((await table('transaction("*", "nothing", "A") | count', 'a1')).rows).toEqual([['0']])
    expect(await failureOf(table('transaction("a = [", "User", "A") | count', 'a1'))).toBe('')
    expect(await failureOf(table('transaction("timestamp > x", "User", "A")', 'a1'))).toBe(
      'search.query',
    )
  })

  it(`are those of the reference (seed ${SEED})`, { timeout: 240_000 }, async () => {
    const random = makeRandom(SEED)
    for (let index = 0; index < RANDOM; index += 1) {
      const key = random.pick(KEYS)
      const steps = Array.from({ length: 1 + random.below(4) }, (_, at) => {
        return `"${random.pick(FILTERS)}", "${random.chance(0.8) ? key : random.pick(KEYS)}", "S${at}"`
      })
      const limit = random.chance(0.5)
        ? ` limit time to ${random.pick([1, 30, 90, 600])} minutes`
        : ''
      const unique = random.chance(0.5) ? ' use unique key' : ''
      const text = `transaction(${steps.join(' -> ')})${limit}${unique}${random.pick(STAGES)}`
      const outcome = await compareAnswers(store, text, WORLD)
      expect(outcome, `${text} (seed ${SEED})`).toMatchObject({ kind: 'same' })
    }
  })
})
