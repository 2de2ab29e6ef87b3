// The search call over real engines, called without a socket.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { setViewers } from '../../../../infra/metastore/rights/node-permissions.ts'
import { setSetting } from '../../../../infra/metastore/settings/setting-changes.ts'
import type { Store } from '../../../../infra/store/port.ts'
import { type Fields, openTestApp, readState } from '../../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import { readAnswer } from '../../../support/clients/product-client.ts'
import { SOON } from '../../../support/run/patience.ts'
import { countSlow, slowed } from '../../../support/store/slowed-store.ts'
import { runningQueries } from '../../../support/store/store-variants.ts'

let pipeline: SearchPipeline

beforeAll(async () => {
  pipeline = await openSearchPipeline()
})
afterAll(() => pipeline?.stop())

const ALL = { fixedInterval: 'allData' }

function openApp(options: Parameters<typeof openTestApp>[2] = {}, store?: Store) {
  const app = openTestApp(pipeline.db, store ?? pipeline.engine.store, options)
  const ask = async (fields: Fields, user?: Fields) => {
    const answer = await app.search({ ...ALL, ...fields }, user)
    return readAnswer(answer.status, await answer.text(), fields.resultFormat === 'csv')
  }
  return { ...app, ask }
}

const countRunning = () => countSlow(pipeline.engine.store)
const waitRunning = (count: number) => expect.poll(countRunning, SOON).toBe(count)

describe('what is found', () => {
  it('comes newest first, ties in reverse order of arrival, in both formats', async () => {
    const timestamp = '2026-11-10T10:00:00.5Z'
    await pipeline.ingest([
      { message: 'order one', timestamp },
      { message: 'order two', timestamp },
      { message: 'order three', timestamp: '2026-11-10T10:00:01Z', Level: 'WARN' },
    ])
    const { ask } = openApp()
    const xml = await ask({ searchQuery: 'order' })
    expect(xml.rows.map((row) => row.message)).toEqual(['order three', 'order two', 'order one'])
    expect(xml.columns).toEqual([
      'timestamp',
      'log',
      'folder',
      'host',
      'source',
      'message',
      'Level',
    ])
    const csv = await ask({ searchQuery: 'order', resultFormat: 'csv' })
    expect([csv.columns, csv.rows]).toEqual([xml.columns, xml.rows])
    expect(csv.rows[0]).toMatchObject({
      log: 'Default',
      folder: 'Events',
      host: 'web-01',
      Level: 'WARN',
    })
  })

  it('has cells exactly as received', async () => {
    const event =
      '{"message":"exact","a":1.10,"b":1e400,"c":123456789012345678901234567890,"d":-0,"e":1e21,"f":0.1,"g":true,"h":null,"i":[1,2],"j":"  x "}'
    await pipeline.ingest([event])
    const { rows } = await openApp().ask({ searchQuery: 'exact' })
    expect(rows[0]).toMatchObject({
      a: '1.10',
      b: '1e400',
      c: '123456789012345678901234567890',
      d: '-0',
      e: '1e21',
      f: '0.1',
      g: 'true',
      i: '[1,2]',
      j: '  x ',
    })
  })

  it('prints raw byte for byte, invalid UTF-8 as U+FFFD and nothing else damaged', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"message":"rawbytes '),
      Buffer.from([0xff, 0x20, 0xe2, 0x82]),
      Buffer.from('","after":"ü"}'),
    ])
    const odd = '{ "message" : "rawbytes odd" ,\t"n":1.0,"n":2 }'
    await pipeline.ingest([bytes, odd])
    const { rows } = await openApp().ask({ searchQuery: 'rawbytes | display only raw, size' })
    expect(rows).toEqual([
      { raw: odd, size: String(odd.length) },
      { raw: '{"message":"rawbytes \ufffd \ufffd","after":"ü"}', size: String(bytes.length) },
    ])
  })

  it('keeps hostile text whole in both formats', async () => {
    const text = 'hostile ]]> "q", \r\n \u0000 \u001f \ufffe <&> \ud83d\ude00 \u202e'
    // A key with NUL is no column: its value is found by words only.
    const name = text.replace('\u0000', '')
    await pipeline.ingest([{ message: text, [name]: text }])
    const carried = (given: string) =>
      [...given]
        .map((one) => (['\u0000', '\u001f', '\ufffe'].includes(one) ? '\ufffd' : one))
        .join('')
    for (const resultFormat of ['xml', 'csv']) {
      const { rows, columns } = await openApp().ask({ searchQuery: 'hostile', resultFormat })
      expect(columns[6]).toBe(carried(name))
      expect([rows[0]?.message, rows[0]?.[carried(name)]]).toEqual([carried(text), carried(text)])
    }
  })

  it('is a summary table for a query with stages', async () => {
    await pipeline.ingest(['a', 'b', 'a'].map((kind) => ({ message: 'summed', kind })))
    const answer = await openApp().ask({
      searchQuery: 'summed | count as Hits | group by kind',
      resultFormat: 'csv',
    })
    expect(answer.columns).toEqual(['kind', 'Hits'])
    expect(answer.rows).toEqual([
      { kind: 'a', Hits: '2' },
      { kind: 'b', Hits: '1' },
    ])
  })

  it('follows the system date format and time zone', async () => {
    await pipeline.ingest([{ message: 'zoned', timestamp: '2026-07-01T10:00:00.250Z' }])
    const { metastore, database } = pipeline.db
    const before = [metastore.setting('system.dateFormat'), metastore.setting('system.timeZone')]
    const set = async (format = '', zone = '') => {
      await database.write(async (transaction) => {
        await setSetting(transaction, 'system.dateFormat', format)
        await setSetting(transaction, 'system.timeZone', zone)
      })
      await metastore.refresh()
    }
    await set('dd.MM.yyyy HH:mm:ss', 'Asia/Kathmandu')
    const answer = await openApp().search({
      searchQuery: 'zoned',
      startTimeFullStr: '01.07.2026 15:45:00',
      endTimeFullStr: '01.07.2026 15:45:00',
    })
    const found = readAnswer(answer.status, await answer.text(), false)
    await set(...before)
    expect(found.rows[0]?.timestamp).toBe('01.07.2026 15:45:00.250')
  })
})

describe('limits', () => {
  it('answers code 2 when the whole result has more than abortOn rows', async () => {
    await pipeline.ingest(Array.from({ length: 20 }, (_, n) => ({ message: 'limited', n })))
    const { ask } = openApp()
    expect(await ask({ searchQuery: 'limited', abortOn: 19, maxNumOfRecords: 5 })).toMatchObject({
      state: 'Fail',
      code: 2,
      message: '2: the search gives more than 19 results',
    })
    expect(await ask({ searchQuery: 'limited', abortOn: 20, maxNumOfRecords: 5 })).toMatchObject({
      state: 'OK',
      numberOfResults: 5,
    })
    const grouped = { searchQuery: 'limited | count | group by n' }
    expect(await ask({ ...grouped, abortOn: 19 })).toMatchObject({ code: 2 })
    expect(await ask({ ...grouped, abortOn: 20 })).toMatchObject({ numberOfResults: 20 })
  })

  it('names a file when the rows are more than an answer holds', async () => {
    const filler = 'x'.repeat(100_000)
    await pipeline.ingest(Array.from({ length: 12 }, (_, n) => ({ message: `heavy ${n}`, filler })))
    const { ask } = openApp()
    const large = await ask({ searchQuery: 'heavy' })
    expect(large).toMatchObject({ state: 'OK', numberOfResults: 12, rows: [] })
    expect(large.document).toMatch(/<Url>http.*<\/Url>/)
    expect(await ask({ searchQuery: 'heavy', maxNumOfRecords: 10 })).toMatchObject({
      numberOfResults: 10,
    })
  })

  it('answers code 5 when the memory does not do', async () => {
    const { ask } = openApp({ store: { maxQueryMemoryBytes: 200_000 } })
    expect(await ask({ searchQuery: 'heavy | count | group by filler' })).toMatchObject({
      httpStatus: 200,
      state: 'Fail',
      code: 5,
    })
    await expect.poll(() => runningQueries(pipeline.engine.store), SOON).toEqual([])
  })
})

describe('the end of a search on a busy engine', () => {
  const apps: { stop(): Promise<void> }[] = []
  const openSlow = (search: Record<string, number> = {}) => {
    const app = openApp({ search }, slowed(pipeline.engine.store))
    apps.push(app.app)
    return app
  }
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.stop()))
    await waitRunning(0)
  })

  it('is code 3 when the time that was asked for is over, and the store is idle then', async () => {
    const answer = await openSlow().ask({ searchQuery: '*', timeout: 500 })
    expect(answer).toMatchObject({ code: 3, message: '3: the search ran longer than 500 ms' })
    await waitRunning(0)
  })

  it('is code 4 when its own user cancels it, and the store is soon idle', async () => {
    const { ask } = openSlow()
    const running = ask({ searchQuery: '*', searchId: 'mine' })
    await waitRunning(1)
    expect(await ask({ widgetId: 'cancelSearch', searchId: 'mine' })).toMatchObject({
      state: 'OK',
      numberOfResults: 0,
      rows: [],
    })
    expect(await running).toMatchObject({
      httpStatus: 200,
      code: 4,
      message: '4: the search was cancelled',
    })
    await waitRunning(0)
  })

  it('is cancelled by administrators, not by other users, also in another process', async () => {
    await pipeline.db.addUser('first', 'first password')
    await pipeline.db.addUser('other', 'other password')
    const as = (name: string) => ({
      autoLogin: 'true',
      username: name,
      password: `${name} password`,
    })
    const [here, elsewhere] = [openSlow(), openSlow()]
    const running = here.ask({ searchQuery: '*', searchId: 'named' }, as('first'))
    await waitRunning(1)
    const cancel = { widgetId: 'cancelSearch', searchId: 'named' }
    expect(await here.ask(cancel, as('other'))).toMatchObject({
      message: '1: no running search or page token of this name: it may have ended',
    })
    expect(await elsewhere.ask(cancel, as('other'))).toMatchObject({
      message: '1: no running search or page token of this name: it may have ended',
    })
    expect(await countRunning()).toBe(1)
    expect(await elsewhere.ask(cancel)).toMatchObject({ state: 'OK' })
    expect(await running).toMatchObject({ code: 4 })
  })

  it('comes when the client goes away', async () => {
    const { search } = openSlow()
    const client = new AbortController()
    const running = search({ searchQuery: '*' }, undefined, { signal: client.signal })
    await waitRunning(1)
    client.abort()
    await waitRunning(0)
    expect(await readState(await running)).toBe('200 Fail [4] 4: the search was cancelled')
  })

  it('comes for all when the product stops', async () => {
    const { ask, app } = openSlow()
    const running = [ask({ searchQuery: '*' }), ask({ searchQuery: '*' })]
    await waitRunning(2)
    await app.stop()
    for (const answer of await Promise.all(running)) expect(answer.code).toBe(4)
    await waitRunning(0)
  })

  it('makes room for who waits, in turns; who finds no room is told at once', async () => {
    const { ask, metrics } = openSlow({ maxConcurrent: 1, maxQueued: 1 })
    const first = ask({ searchQuery: '*', searchId: 'a' })
    await waitRunning(1)
    const second = ask({ searchQuery: '*', searchId: 'b' })
    await expect.poll(() => metrics.text(), SOON).toMatch(/logeye_searches_queued\{[^}]*\} 1\n/)
    expect(await ask({ searchQuery: '*' })).toMatchObject({
      code: 5,
      message: '5: too many searches run at once',
    })
    expect(await ask({ widgetId: 'cancelSearch', searchId: 'b' })).toMatchObject({ state: 'OK' })
    expect(await second).toMatchObject({ code: 4 })
    await ask({ widgetId: 'cancelSearch', searchId: 'a' })
    expect(await first).toMatchObject({ code: 4 })
    await waitRunning(0)
    expect(await metrics.text()).toMatch(/logeye_searches_total\{[^}]*code="4"[^}]*\} 2\n/)
  })
})

describe('rights', () => {
  it('hide a log in rows, counts and columns, and leave the rest', async () => {
    await pipeline.ingest([
      { message: 'rights kept', 'Hidden Column': 'x', productPath: 'Vault', productName: 'secret' },
      { message: 'rights shown', productName: 'public' },
    ])
    await pipeline.db.addUser('viewer', 'viewer password')
    await pipeline.db.database.write((transaction) =>
      setViewers(
        transaction,
        { kind: 'folder', levels: ['Events', 'Vault'] },
        { groups: [], users: [] },
      ),
    )
    await pipeline.db.metastore.refresh()
    const { ask } = openApp()
    const viewer = { autoLogin: 'true', username: 'viewer', password: 'viewer password' }
    expect((await ask({ searchQuery: 'rights' })).rows).toHaveLength(2)
    const seen = await ask({ searchQuery: 'rights' }, viewer)
    expect(seen.rows.map((row) => row.message)).toEqual(['rights shown'])
    for (const [there, absent] of [
      ['* in log.secret', '* in log.absent'],
      ['* in folder.Vault | count', '* in folder.Other | count'],
      ['Hidden Column = x', 'Hidden Absent = x'],
      ['* in log.secret | datastream', '* in log.absent | datastream'],
    ] as const) {
      const [a, b] = [
        await ask({ searchQuery: there }, viewer),
        await ask({ searchQuery: absent }, viewer),
      ]
      expect(a.document).toBe(b.document)
    }
  })
})

describe('the audit log', () => {
  it('says who searched what and when, also when it failed, and no process log does', async () => {
    const lines: string[] = []
    const log = (message: string, fields?: object) =>
      void lines.push(message + JSON.stringify(fields))
    const logger = { error: log, warn: log, info: log, debug: log, isEnabled: () => true }
    const { ask, app } = openApp({ logger })
    await ask({ searchQuery: 'auditedsecret one', searchId: 'a1' })
    await ask({ searchQuery: 'auditedsecret (' })
    await app.stop()
    const rows = await pipeline.db.database.read.selectFrom('audit').selectAll().execute()
    const mine = rows.filter((row) => JSON.stringify(row).includes('auditedsecret'))
    expect(mine.map((row) => [row.user_name, row.action, row.target, row.result])).toEqual([
      ['admin', 'search', 'a1', 'done'],
      ['admin', 'search', '', 'search.query'],
    ])
    expect(lines.join('\n')).not.toContain('auditedsecret')
  })
})
