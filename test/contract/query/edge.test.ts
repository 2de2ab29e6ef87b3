// The edge that all surfaces of a query process share: however a call ends, it is answered in the
// shape of its surface, counted once and audited once.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../../infra/clock.ts'
import { openTestApp, readState } from '../../support/apps/query-app.ts'
import { makeJsonClient, readRefusal } from '../../support/clients/json-client.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

const CANCELLED = '200 Fail [4] 4: the search was cancelled'

let db: QueryDatabase
beforeAll(async () => {
  db = await openQueryDatabase()
})
afterAll(() => db.close())
beforeEach(() => db.database.write((transaction) => transaction.deleteFrom('audit').execute()))

function open(clock: Clock = testClock) {
  const store = makeFailingStore(() => 'hang')
  const app = openTestApp(db, store, { clock })
  const json = makeJsonClient(app.call, { name: 'admin', password: db.adminPassword })
  const untilAsked = (count: number) =>
    expect.poll(() => store.asked.length, { timeout: 240_000 }).toBe(count)
  return { ...app, json, untilAsked }
}

const audited = async () => {
  const rows = await db.database.read.selectFrom('audit').selectAll().orderBy('id').execute()
  return rows.map(({ action, target, result }) => [action, target, result].join(' ')).sort()
}

describe('a call', () => {
  it('of any surface is cancelled by its name', async () => {
    const { app, metrics, search, json, untilAsked } = open(makeManualClock())
    const calls = [
      json.post('facets', { searchId: 'mine' }).then(async (it) => (await readRefusal(it)).code),
      search({ searchQuery: 'a', searchId: 'mine' }).then(readState),
      search({ searchQuery: 'a', searchId: 'mine', resultFormat: 'json' }).then(readState),
    ]
    await untilAsked(3)
    const cancel = { widgetId: 'cancelSearch', searchId: 'mine' }
    // The search is known in this process: the call does not wait for others, for which the clock
    // would have to run.
    expect(await readState(await search(cancel))).toBe('200 OK')
    expect(await Promise.all(calls)).toEqual(['cancelled', CANCELLED, CANCELLED])
    await app.stop()
    expect(await audited()).toEqual([
      'search mine search.cancelled',
      'search mine search.cancelled',
      'search.cancel mine done',
      'search.facets mine search.cancelled',
    ])
    const counted = (await metrics.text()).split('\n')
    expect(counted.filter((line) => line.startsWith('logeye_searches_total'))).toEqual([
      'logeye_searches_total{state="Fail",code="4",process="test"} 3',
    ])
  })

  it('ends with its client and with the product', async () => {
    const { app, search, json, asAdmin, untilAsked } = open()
    const { signal, abort } = abortable()
    const left = [
      search({ searchQuery: 'a' }, asAdmin, { signal }).then(readState),
      json.post('events', {}, { signal }).then(async (it) => (await readRefusal(it)).code),
    ]
    await untilAsked(2)
    abort()
    expect(await Promise.all(left)).toEqual([CANCELLED, 'cancelled'])
    const stopped = [
      search({ searchQuery: 'a', resultFormat: 'csv-plain' }).then(readState),
      json.post('events', {}).then(async (it) => (await readRefusal(it)).code),
    ]
    await untilAsked(4)
    await app.stop()
    expect(await Promise.all(stopped)).toEqual([CANCELLED, 'cancelled'])
    expect(await audited()).toEqual([
      'search  search.cancelled',
      'search  search.cancelled',
      'search.events  search.cancelled',
      'search.events  search.cancelled',
    ])
  })
})

function abortable() {
  const stop = new AbortController()
  return { signal: stop.signal, abort: () => stop.abort() }
}
