// What `?debug=1` says is what the writer does (decision 2.5), on the real engines.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeExplain } from '../../../ingest/writer/explain.ts'
import { makeRequest } from '../../support/ingest/sent-request.ts'
import { openWriterPlace, type WriterPlace } from '../../support/writer/writer-place.ts'

const LIMITS = { newLogsPerHour: 2, logsPerAccount: 100, columnsPerLog: 3 }

let place: WriterPlace
beforeAll(async () => {
  place = await openWriterPlace()
})
afterAll(() => place.close())

const events = [
  { message: 'a', log: 'x', timestamp: '2024-01-02T03:04:05.678901Z', n: 1.5, ok: true },
  { message: 'b', log: 'y', productPath: 'Deep->er', exact: '1.10', trace: 'a'.repeat(32) },
  { message: 'c', log: 'beyond', one: 1 },
  '{"message":"d","log":"x","a":1,"b":2,"c":3,"d":1.10}',
]

describe('the answer to debug=1', () => {
  test('makes nothing and says what is stored afterwards', async () => {
    const { metastore } = place
    const explain = makeExplain({ metastore, limits: LIMITS })
    const request = makeRequest({ events, hostName: 'web-07' })
    const account = await metastore.accountVersion(1, 1)
    const logsBefore = (await metastore.tree()).logs.size
    const explained = await explain({ account, ...request })
    expect((await metastore.tree()).logs.size).toBe(logsBefore)

    await place.append([{ events, hostName: 'web-07', receivedMs: request.receivedMs }])
    await place.storeAll({ limits: LIMITS })
    const rows = await place.engine.store.query<{
      log_id: number
      host: string
      time: string
      columns: Record<string, unknown>
      id_names: string
      ids: string
    }>({
      sql: 'SELECT log_id, host, toString(timestamp) AS time, columns, id_names, ids FROM events ORDER BY `index`',
    })
    const { logs } = await metastore.tree()
    const stored = rows.map(({ log_id, host, time, columns, id_names, ids }) => ({
      path: logs.get(log_id)?.folder.join('->'),
      log: logs.get(log_id)?.name,
      host,
      template: null,
      pattern: null,
      columns: Object.fromEntries(
        Object.entries({ ...columns, ...(id_names === '' ? {} : { [id_names]: ids }) }).map(
          ([name, value]) => [name, String(value)],
        ),
      ),
      time: `${time.replace(' ', 'T').replace(/(\.\d{3}\d*?)0*$/, '$1')}Z`,
    }))
    expect(explained).toEqual(stored)
    expect(explained.map(({ log }) => log)).toContain('account 1 overflow')
  })
})
