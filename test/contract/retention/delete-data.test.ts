// deleteData as a program calls it (docs/decisions/0085): from its answer on no surface shows the
// events, others stay, and minutes later they are out of the store.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addArchive } from '../../../infra/metastore/archive/archives.ts'
import { look } from '../../../ingest/ledger/look.ts'
import { UnitReader } from '../../../ingest/ledger/unit-sums.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { makeJsonClient } from '../../support/clients/json-client.ts'
import { testClock } from '../../support/run/test-clock.ts'

/** What may stand in a value: quotes, backslashes, what looks like a parameter, a line end. */
const NASTY = `o'ne"il\\ {p0:String} \u0000 \u2028 \\' ') OR 1 -- ü`
const LOG = 'Events->Default'

let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>
beforeAll(async () => {
  pipeline = await openSearchPipeline({ clock: testClock })
  const { readArrived } = pipeline
  app = openTestApp(pipeline.db, pipeline.engine.store, { clock: testClock, readArrived })
  await pipeline.ingest([
    { message: 'planted one', user: 'PLANTED', n: 7 },
    { message: 'planted two', user: 'PLANTED', n: 8 },
    { message: 'kept', user: 'other', n: 9 },
    { message: 'odd', user: NASTY, n: 10 },
    { message: 'nearly odd', user: `${NASTY}x`, n: 11 },
  ])
})
afterAll(async () => {
  await app.app.stop()
  await pipeline.stop()
})

const user = () => ({ name: 'admin', password: pipeline.db.adminPassword })
const sdk = (command: string, given: Readonly<Record<string, string>>) =>
  makeConfigurationClient(app.call, user()).do(command, given)
const text = async (fields: Readonly<Record<string, string | number>>) =>
  await (await app.search({ fixedInterval: 'allData', ...fields })).text()
const json = async (name: string, body: object) =>
  await (await makeJsonClient(app.call, user()).post(name, body)).text()

/** Every surface that answers with values of events. */
async function everywhere(): Promise<Readonly<Record<string, string>>> {
  const window = { interval: 'last24Hours' }
  return {
    rows: await text({ searchQuery: '*' }),
    grouped: await text({ searchQuery: '* | count | group by user' }),
    sorted: await text({ searchQuery: '* | order by n' }),
    subQuery: await text({ searchQuery: 'user in [* | group by user | display user]' }),
    exported: await text({ searchQuery: '*', resultFormat: 'json' }),
    exportedCsv: await text({ searchQuery: '*', resultFormat: 'csv-plain' }),
    paged: await text({ searchQuery: '*', paginate: 'true', maxNumOfRecords: 100 }),
    facets: await json('facets', { ...window, query: '*', columns: ['user'] }),
    histogram: await json('histogram', { ...window, query: '*', by: 'user' }),
    events: await json('events', { ...window, query: '*' }),
    complete: await json('complete', { ...window, query: 'user = ' }),
    table: await json('query', { ...window, query: '* | count | group by user' }),
  }
}

const showing = async (planted: string) => {
  const answers = Object.entries(await everywhere())
  return answers.filter(([, answer]) => answer.includes(planted)).map(([name]) => name)
}
const countOf = async (query: string) =>
  Number(
    /count\s+(\d+)/.exec(await text({ searchQuery: `${query} | count`, resultFormat: 'csv' }))?.[1],
  )

describe('deleteData', () => {
  it('names an archive that is being written, of which nobody knows yet what it holds', async () => {
    const { database } = pipeline.db.metastore
    const place = { account: '', directory: '/none', policyId: 1, day: 1, policy: 'Default' }
    const { number } = await database.write(async (transaction) => {
      const asked = { askedBy: '', askedMs: 0 }
      const archive = await addArchive(transaction, { ...place, ...asked }, 'abc')
      await transaction.updateTable('archives').set({ state: 'writing' }).execute()
      return archive
    })
    const dry = await sdk('deleteData', { log: LOG, dryRun: 'true' })
    expect(dry).toMatchObject({ response: { archives: [number] } })
    await database.write((transaction) => transaction.deleteFrom('archives').execute())
  })

  it('names an archive whose writing begins between its look and its commit', async () => {
    const { metastore } = pipeline.db
    const { database } = metastore
    let meanwhile: (() => Promise<void>) | undefined
    const hooked: typeof database = {
      read: database.read,
      snapshot: (work) => database.snapshot(work),
      close: () => database.close(),
      write: async (work) => {
        const act = meanwhile
        meanwhile = undefined
        await act?.()
        return await database.write(work)
      },
    }
    const other = new Proxy(metastore, {
      get(target, name) {
        if (name === 'database') return hooked
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const db = { ...pipeline.db, metastore: other }
    const { readArrived } = pipeline
    const second = openTestApp(db, pipeline.engine.store, { readArrived })
    try {
      const begun: number[] = []
      meanwhile = async () => {
        const place = { account: '', directory: '/none', policyId: 1, day: 1, policy: 'Default' }
        await database.write(async (transaction) => {
          const asked = { askedBy: '', askedMs: 0 }
          begun.push((await addArchive(transaction, { ...place, ...asked }, 'abc')).number)
          await transaction.updateTable('archives').set({ state: 'writing' }).execute()
        })
      }
      const client = makeConfigurationClient(second.call, user())
      const done = await client.do('deleteData', { log: LOG, query: 'n = 4711' })
      expect(begun).toHaveLength(1)
      expect(done).toMatchObject({ response: { events: 0, archives: begun } })
      expect(JSON.stringify(done.response)).toContain('removeArchive')
    } finally {
      await second.app.stop()
      await database.write(async (transaction) => {
        await transaction.deleteFrom('archives').execute()
        await transaction.deleteFrom('deletions').execute()
      })
    }
  })

  it('counts in a dry run and deletes nothing', async () => {
    const dry = await sdk('deleteData', { log: LOG, query: 'user = PLANTED', dryRun: 'true' })
    expect(dry).toMatchObject({ success: true, response: { number: null, events: 2, backups: [] } })
    expect(await countOf('*')).toBe(5)
    const answers = await everywhere()
    expect(await showing('PLANTED')).toEqual(Object.keys(answers))
  })

  it('hides the events from every surface at once, kept results too', async () => {
    const first = await text({ searchQuery: '*', paginate: 'true', pageSize: 1 })
    const token = /token="([^"]+)"/.exec(first)?.[1] ?? ''
    expect(token).not.toBe('')
    const done = await sdk('deleteData', { log: LOG, query: 'user = PLANTED' })
    expect(done).toMatchObject({ success: true, response: { events: 2 } })
    expect(await showing('PLANTED')).toEqual([])
    expect(await showing('planted')).toEqual([])
    expect(await countOf('*')).toBe(3)
    expect(await text({ token })).toMatch(/state="Fail"/)
    expect(await sdk('listDeletions', {})).toMatchObject({
      response: { deletions: [{ log: LOG, state: 'hidden', events: 2, askedBy: 'admin' }] },
    })
  })

  it('removes them from the store, and the ledger agrees', async () => {
    await pipeline.retain()
    const { store } = pipeline.engine
    const rows = await store.query<{ message: string }>({
      sql: 'SELECT message FROM events ORDER BY message',
    })
    expect(rows.map(({ message }) => message)).toEqual(['kept', 'nearly odd', 'odd'])
    expect(await sdk('listDeletions', {})).toMatchObject({
      response: { deletions: [{ state: 'removed', events: 2 }] },
    })
    const { signal } = new AbortController()
    const reader = new UnitReader(store, signal)
    const eventLog = { partitions: 0, position: () => Promise.reject(new Error('none')) }
    // Without the watch: nothing is excused.
    expect((await look({ reader, eventLog, clock: testClock, signal })).found).toEqual([])
    expect(await showing('kept')).toContain('rows')
  })

  it('deletes what a value of any characters says, and nothing beside it', async () => {
    const quoted = `"${NASTY.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    const found = await countOf(`user = ${quoted}`)
    const done = await sdk('deleteData', { log: LOG, query: `user = ${quoted}` })
    expect(done).toMatchObject({ success: true, response: { events: found } })
    expect(found).toBe(1)
    await pipeline.retain()
    expect((await text({ searchQuery: '*' })).match(/odd/g)).toHaveLength(1)
  })

  it('refuses what a legal hold keeps, the folder System, and a query with stages', async () => {
    const held = await sdk('addHold', { log: LOG, reason: 'case 7' })
    expect(held).toMatchObject({ success: true, response: { kind: 'log', target: LOG } })
    const refused = await sdk('deleteData', { log: LOG })
    expect(refused).toMatchObject({ success: false, httpStatusCode: 409 })
    expect(refused.errorMessage).toMatch(/legal hold/)
    const { number } = held.response as { number: number }
    await sdk('removeHold', { number: String(number) })
    expect(await sdk('deleteData', { log: 'System->audit' })).toMatchObject({ success: false })
    expect(await sdk('deleteData', { log: LOG, query: '* | count' })).toMatchObject({
      success: false,
    })
    expect(await sdk('deleteData', { log: 'no->such' })).toMatchObject({ httpStatusCode: 404 })
    expect(await countOf('*')).toBe(2)
  })

  it('deletes by time, and all of a log', async () => {
    const none = { startTime: '2020-01-01T00:00:00Z', endTime: '2021-01-01T00:00:00Z' }
    const nothing = await sdk('deleteData', { log: LOG, ...none, dryRun: 'true' })
    expect(nothing).toMatchObject({ response: { events: 0, from: null } })
    expect(await sdk('deleteData', { log: LOG, startTime: '-1h' })).toMatchObject({
      response: { events: 2 },
    })
    expect(await countOf('*')).toBe(0)
    await pipeline.ingest([{ message: 'after it', user: 'new' }])
    expect(await countOf('*')).toBe(1)
    await pipeline.retain()
    expect(await countOf('*')).toBe(1)
  })
})
