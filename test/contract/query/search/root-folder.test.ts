// Logs at the root lie in the folder ROOT, in every answer.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addAccount } from '../../../../infra/metastore/accounts/listener-accounts.ts'
import { raiseVersion } from '../../../../infra/metastore/counters.ts'
import { openTestApp } from '../../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import { readAnswer } from '../../../support/clients/product-client.ts'
import { testClock } from '../../../support/run/test-clock.ts'

const WINDOW = { fixedInterval: 'allData' }
let pipeline: SearchPipeline

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  const { database } = pipeline.db
  const { account } = await database.write((transaction) =>
    addAccount(transaction, testClock, 'top', { parentFolder: ['Moved'] }),
  )
  await pipeline.db.metastore.refresh()
  await pipeline.ingest(['{"message":"at the root"}'], { accountId: account.id })
  // Only the collector fills logs at the root: here one is moved there.
  await database.write(async (transaction) => {
    const changed = await raiseVersion(transaction, 'tree')
    await transaction
      .updateTable('logs')
      .set({ folder_id: 0, name: 'top', changed })
      .where('account_id', '=', account.id)
      .execute()
  })
  await pipeline.db.metastore.refresh()
  await pipeline.ingest(['{"message":"below"}', '{"message":"below too"}'])
})
afterAll(() => pipeline?.stop())

async function rowsOf(searchQuery: string) {
  const app = openTestApp(pipeline.db, pipeline.engine.store)
  const answer = await app.search({ ...WINDOW, searchQuery })
  return readAnswer(answer.status, await answer.text(), false).rows
}

it.each([
  ['* | count group by folder', ['Events 2', 'ROOT 1']],
  ['* | datastream | group by folder', ['Events 2', 'ROOT 1']],
])('is counted: %s', async (query, wanted) => {
  const rows = await rowsOf(query)
  expect(rows.map((row) => `${row.folder} ${row.count ?? row.events}`).sort()).toEqual(wanted)
})

it.each([
  'folder = ROOT',
  'folder = "ROOT"',
  '* in folder.ROOT not in folder.Events',
  '* not in folder.Events',
])('is found: %s', async (query) => {
  expect(await rowsOf(query)).toMatchObject([{ log: 'top', folder: 'ROOT' }])
})

it('holds everything', async () => {
  expect(await rowsOf('* in folder.ROOT')).toHaveLength(3)
})
