// Results above the inline limit as files (decision 4.5), and streaming exports, over real engines.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '../../../../infra/clock.ts'
import { setViewers } from '../../../../infra/metastore/rights/node-permissions.ts'
import { cleanResults } from '../../../../query/search/results/result-cleaner.ts'
import {
  type DeliveryApp,
  ingestNumbered,
  OTHER,
  openDeliveryApp,
  withSetting,
} from '../../../support/apps/delivery-app.ts'
import { type Fields, readState } from '../../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import { testClock } from '../../../support/run/test-clock.ts'

const ROWS = 2500
/** What is sent at once (text-chunks.ts). */
const CHUNK_BYTES = 64 * 1024

let pipeline: SearchPipeline

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  await ingestNumbered(pipeline, 'paged', ROWS)
  await pipeline.db.addUser('other', 'other password')
})
afterAll(() => pipeline?.stop())

describe('a result above the inline limit', () => {
  const LIMIT = 'widgets.searchAPI.maxInlineBytes'

  it.each(['xml', 'csv'])(
    'is a file with the bytes that %s would have had inline',
    async (format) => {
      const app = openDeliveryApp(pipeline)
      const fields = { searchQuery: 'paged n < 1000', maxNumOfRecords: 900, resultFormat: format }
      const inline = await app.ask(fields)
      const answer = await withSetting(pipeline, LIMIT, '1000', () => app.ask(fields))
      expect(answer).toMatchObject({ state: 'OK', numberOfResults: 900, token: '', rows: [] })
      expect(answer.document).toMatch(/<Data\/>/)
      const url = /<Url>(.*)<\/Url>/.exec(answer.document)?.[1] ?? ''
      expect(url).toMatch(
        new RegExp(`^http://localhost:30303/logeye/results/[A-Za-z0-9_-]{32}\\.${format}$`),
      )
      const file = await openDeliveryApp(pipeline).file(url)
      expect(file.status).toBe(200)
      expect(file.headers.get('cache-control')).toBe('no-store')
      const text = await file.text()
      const data = /<!\[CDATA\[(.*)\]\]>/s.exec(inline.document)?.[1]
      expect(text).toBe(format === 'xml' ? inline.document : data)
    },
  )

  it('is read by who asked only, under its own name only', async () => {
    const app = openDeliveryApp(pipeline)
    const fields = { searchQuery: 'paged', maxNumOfRecords: 100 }
    const [answer, others] = await withSetting(pipeline, LIMIT, '1000', async () => [
      await app.ask(fields),
      await app.ask(fields, OTHER),
    ])
    const urlOf = (document = '') => /<Url>(.*)<\/Url>/.exec(document)?.[1] ?? ''
    const url = urlOf(answer?.document)
    expect((await app.file(url, OTHER)).status).toBe(404)
    // Also not for an administrator, who may see everything.
    expect((await app.file(urlOf(others?.document))).status).toBe(404)
    expect((await app.file(urlOf(others?.document), OTHER)).status).toBe(200)
    expect((await app.file(url, {})).status).toBe(401)
    expect((await app.file(url.replace('.xml', '.csv'))).status).toBe(404)
    expect((await app.file(url)).status).toBe(200)
  })

  it('is a page of a paging, with another secret than its token', async () => {
    const app = openDeliveryApp(pipeline)
    await withSetting(pipeline, LIMIT, '2000', async () => {
      const first = await app.ask({
        searchQuery: 'paged n < 2500',
        paginate: 'true',
        maxRecordsPerPage: 100,
        resultFormat: 'csv',
      })
      const second = await app.ask({ token: first.token, resultFormat: 'csv' })
      const urls = [first, second].map(
        ({ document }) => /<Url>(.*)<\/Url>/.exec(document)?.[1] ?? '',
      )
      expect(new Set([...urls, first.token]).size).toBe(3)
      for (const url of urls) expect(url).not.toContain(first.token)
      const texts = await Promise.all(urls.map(async (url) => (await app.file(url)).text()))
      for (const text of texts) expect(text.split('\n')).toHaveLength(102)
      expect(texts[0]?.split('\n')[1]).not.toBe(texts[1]?.split('\n')[1])
    })
  })

  it('is kept a day, then its rows go from the store with the record', async () => {
    const { database, metastore } = pipeline.db
    const moved = { ms: 0 }
    const clock: Clock = { ...testClock, nowMs: () => testClock.nowMs() + moved.ms }
    const app = openDeliveryApp(pipeline, { clock })
    const answer = await withSetting(pipeline, LIMIT, '1000', () =>
      app.ask({ searchQuery: 'paged', maxNumOfRecords: 100 }),
    )
    const url = /<Url>(.*)<\/Url>/.exec(answer.document)?.[1] ?? ''
    const clean = () => cleanResults({ store: pipeline.engine.store, database, clock })
    moved.ms = 23.9 * 3_600_000
    await clean()
    expect((await app.file(url)).status).toBe(200)
    moved.ms = 24.1 * 3_600_000
    expect((await app.file(url)).status).toBe(404)
    await clean()
    await clean()
    const left = await pipeline.engine.store.query<{ count: string }>({
      sql: 'SELECT count() AS count FROM results',
    })
    const records = await database.read.selectFrom('search_results').selectAll().execute()
    expect([Number(left[0]?.count), records]).toEqual([0, []])
    expect(metastore.isSecurityOn()).toBe(true)
  })
})

describe('an export', () => {
  const read = async (app: DeliveryApp, fields: Fields) => {
    const answer = await app.search({ ...fields })
    return {
      type: answer.headers.get('content-type'),
      bytes: Buffer.from(await answer.arrayBuffer()),
    }
  }

  it('gives every row as an object of its own line, what is missing left out', async () => {
    const app = openDeliveryApp(pipeline)
    const { type, bytes } = await read(app, { searchQuery: 'paged n < 2500', resultFormat: 'json' })
    expect(type).toBe('application/x-ndjson; charset=utf-8')
    const lines = bytes.toString().trimEnd().split('\n')
    expect(lines).toHaveLength(ROWS)
    const last = JSON.parse(lines.at(-1) ?? '')
    expect(last).toMatchObject({ log: 'Default', folder: 'Events', message: 'paged 0', n: '0' })
    const cut = await read(app, { searchQuery: 'paged', resultFormat: 'json', maxNumOfRecords: 3 })
    expect(cut.bytes.toString().trimEnd().split('\n')).toHaveLength(3)
  })

  it('has computed numbers as numbers, and a plain CSV without the envelope', async () => {
    const app = openDeliveryApp(pipeline)
    const searchQuery = 'paged n < 3 | count as Hits | group by n | where Hits > 0'
    const json = await read(app, { searchQuery, resultFormat: 'json' })
    const rows = json.bytes
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows).toEqual(['0', '1', '2'].map((n) => ({ n, Hits: 1 })))
    const csv = await read(app, { searchQuery, resultFormat: 'csv-plain' })
    expect([csv.type, csv.bytes.toString()]).toEqual([
      'text/csv; charset=utf-8',
      'n,Hits\n0,1\n1,1\n2,1\n',
    ])
    const none = { searchQuery: 'nothinglikethat' }
    expect((await read(app, { ...none, resultFormat: 'json' })).bytes).toHaveLength(0)
    expect((await read(app, { ...none, resultFormat: 'csv-plain' })).bytes.toString()).toBe(
      'timestamp,log,folder,host,source,message\n',
    )
  })

  it('neutralizes texts and no number for a spreadsheet, and nothing elsewhere', async () => {
    const cells = ['=1+1', '@SUM(A1)', '-5', '+1.5e3', '-1+1', '\uff1d1', '\t=1', 'plain']
    await pipeline.ingest(cells.map((cell, n) => ({ message: 'formula', n, '=x': cell })))
    const app = openDeliveryApp(pipeline)
    const searchQuery = 'formula | order by n | display only "=x"'
    const exported = async (fields: Fields) => (await read(app, { searchQuery, ...fields })).bytes
    const plain = ['=x', ...cells]
    const safe = [
      "'=x",
      ...cells.map((cell) => (/^(?:-5|\+1.5e3|plain)$/.test(cell) ? cell : `'${cell}`)),
    ]
    const lines = (texts: readonly string[]) => `${texts.join('\n')}\n`
    const asked = { resultFormat: 'csv-plain' }
    expect((await exported(asked)).toString()).toBe(lines(plain))
    expect((await exported({ ...asked, spreadsheet: 'false' })).toString()).toBe(lines(plain))
    expect((await exported({ ...asked, spreadsheet: 'true' })).toString()).toBe(lines(safe))
    for (const fields of [
      { resultFormat: 'json' },
      { resultFormat: 'csv' },
      { resultFormat: 'xml' },
    ])
      expect(
        await readState(await app.search({ searchQuery, ...fields, spreadsheet: 'true' })),
      ).toContain('Fail [1]')
    expect(
      await readState(await app.search({ searchQuery, ...asked, spreadsheet: 'x' })),
    ).toContain('Fail [1]')
  })

  it('names in its CSV the columns that its rows have', async () => {
    await pipeline.ingest([
      { message: 'headed', 'Zeile, "1"': 'x', leer: '' },
      { message: 'headed', später: 'y' },
    ])
    const { bytes } = await read(openDeliveryApp(pipeline), {
      searchQuery: 'headed',
      resultFormat: 'csv-plain',
    })
    const [header, ...lines] = bytes.toString().trimEnd().split('\n')
    expect(header).toBe('timestamp,log,folder,host,source,message,"Zeile, ""1""",später')
    expect(lines.map((line) => line.split(',').slice(-2))).toEqual([
      ['', 'y'],
      ['x', ''],
    ])
  })

  it('keeps every byte of an event, also what is no UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"message":"bytewise '),
      Buffer.from([0xff, 0x20, 0xe2, 0x82]),
      Buffer.from('\u2028 \u00e9 \u{1f600}","x":"ü"}'),
    ])
    await pipeline.ingest([bytes])
    const app = openDeliveryApp(pipeline)
    const searchQuery = 'bytewise | display only raw'
    const json = await read(app, { searchQuery, resultFormat: 'json' })
    const quoted = json.bytes.subarray('{"raw":"'.length, -'"}\n'.length)
    const unquoted = quoted.toString('latin1').replaceAll('\\"', '"')
    expect(Buffer.from(unquoted, 'latin1').equals(bytes)).toBe(true)
    const csv = await read(app, { searchQuery, resultFormat: 'csv-plain' })
    const cell = csv.bytes.subarray('raw\n"'.length, -'"\n'.length)
    expect(cell.toString('latin1').replaceAll('""', '"')).toBe(bytes.toString('latin1'))
  })

  it('fails before its first byte as every search', async () => {
    const app = openDeliveryApp(pipeline)
    for (const resultFormat of ['json', 'csv-plain']) {
      const fail = (fields: Fields) => app.search({ resultFormat, ...fields })
      expect(await readState(await fail({ searchQuery: '(' }))).toContain('200 Fail [1]')
      expect(await readState(await fail({ searchQuery: 'paged', abortOn: 1 }))).toContain(
        '200 Fail [2]',
      )
      expect(await readState(await fail({ searchQuery: 'paged', timeout: 1 }))).toContain(
        '200 Fail [3]',
      )
    }
  })

  it('that fails behind its first byte is no whole body', async () => {
    const app = openDeliveryApp(pipeline)
    const answer = await app.search({ searchQuery: 'paged', resultFormat: 'json', searchId: 'cut' })
    const reader = answer.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    expect(await app.ask({ widgetId: 'cancelSearch', searchId: 'cut' })).toMatchObject({
      state: 'OK',
    })
    await expect(
      (async () => {
        for (let n = 0; n < 1000; n += 1) if ((await reader?.read())?.done) return
      })(),
    ).rejects.toThrow('the search was cancelled')
  })

  it('is cut off when its user loses the right to a log of its rows on the way, and so is a file', async () => {
    await pipeline.ingest([{ message: 'shutting', productName: 'shutting log' }])
    const moved = { ms: 0 }
    const elapsedMs = () => testClock.elapsedMs() + moved.ms
    const app = openDeliveryApp(pipeline, { clock: { ...testClock, elapsedMs } })
    const { document } = await withSetting(
      pipeline,
      'widgets.searchAPI.maxInlineBytes',
      '1000',
      () => app.ask({ searchQuery: 'paged', maxNumOfRecords: ROWS }, OTHER),
    )
    const open = [
      await app.search({ searchQuery: 'paged', resultFormat: 'json' }, OTHER),
      await app.file(/<Url>(.*)<\/Url>/.exec(document)?.[1] ?? '', OTHER),
    ]
    await pipeline.db.database.write((transaction) =>
      setViewers(
        transaction,
        { kind: 'log', levels: ['Events', 'shutting log'] },
        { groups: [], users: [] },
      ),
    )
    moved.ms = 1000
    for (const answer of open) {
      expect(answer.status).toBe(200)
      // Nobody has read it before, so that it waits with its first chunk of several.
      let bytes = 0
      const read = async () => {
        for await (const chunk of answer.body ?? []) bytes += chunk.length
      }
      await expect(read()).rejects.toThrow('this user may not do that')
      expect(bytes).toBeGreaterThan(0)
      expect(bytes).toBeLessThan(2 * CHUNK_BYTES)
    }
  })

  it('is audited when the product stops on its way, and so is a file', async () => {
    const { database } = pipeline.db
    const app = openDeliveryApp(pipeline)
    const { document } = await withSetting(
      pipeline,
      'widgets.searchAPI.maxInlineBytes',
      '1000',
      () => app.ask({ searchQuery: 'paged', maxNumOfRecords: ROWS }),
    )
    await app.search({ searchQuery: 'paged', resultFormat: 'json' })
    await app.file(/<Url>(.*)<\/Url>/.exec(document)?.[1] ?? '')
    const audited = () => database.read.selectFrom('audit').selectAll().orderBy('id').execute()
    const before = (await audited()).at(-1)?.id ?? 0
    await app.app.stop()
    const cut = (await audited()).filter(({ id, result }) => id > before && result !== 'done')
    expect(cut.map(({ action, result }) => [action, result]).sort()).toEqual([
      ['search', 'search.cancelled'],
      ['search.file', 'search.cancelled'],
    ])
  })

  it('leaves places to searches, however slow its clients are', async () => {
    const app = openDeliveryApp(pipeline, { search: { maxConcurrent: 2 } })
    const exports = await Promise.all([app.search({ searchQuery: 'paged', resultFormat: 'json' })])
    const waiting = app.search({ searchQuery: 'paged', resultFormat: 'json' }, OTHER)
    expect(await app.ask({ searchQuery: 'paged', timeout: 5000 })).toMatchObject({ state: 'OK' })
    for (const answer of exports) await answer.body?.cancel()
    await (await waiting).body?.cancel()
  })
})
