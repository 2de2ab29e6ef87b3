// A column that events spell in two ways, beside words and in a calculation, over all times: the
// engine then joins what its indexes leave (docs/decisions/0018), and finds all the same.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { table } from '../../../query/search-json/calls/table.ts'
import { openDeliveryApp } from '../../support/apps/delivery-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeJsonClient } from '../../support/clients/json-client.ts'

let pipeline: SearchPipeline
let json: ReturnType<typeof makeJsonClient>

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  await pipeline.ingest([
    { message: 'try failed', Actor: 'root' },
    { message: 'try failed', actor: 'ann' },
    { message: 'try failed', actor: 'bob' },
    { message: 'try 10.0.0.7 again', Actor: 'ann' },
  ])
  const { call } = openDeliveryApp(pipeline)
  json = makeJsonClient(call, { name: 'admin', password: pipeline.db.adminPassword })
})
afterAll(() => pipeline?.stop())

const FILTERS: readonly (readonly [string, number])[] = [
  ['failed Actor != bob', 2],
  ['failed actor = ann', 1],
  ['failed actor exists', 3],
  ['fail* Actor = ann', 1],
  ['"try failed" actor not in (bob, root)', 1],
  ['try not Actor = bob', 3],
  ['try actor not contains b', 3],
  ['10.0.0.7 Actor exists', 1],
  ['(failed or again) Actor != root', 3],
  ['try not (failed actor = bob)', 3],
  ['failed or actor != bob', 4],
  ['not (failed or Actor = root)', 1],
  ['try not timestamp < 2020-01-01', 4],
  ['failed not in log.nowhere', 3],
  ['failed not log = nowhere', 3],
  ['failed host = nowhere or actor = ann', 2],
]

it.each(FILTERS)('%s', async (filter, count) => {
  const ask = async (query: string) => await json.ask(table, { query, interval: 'allData' })
  expect((await ask(filter)).numberOfResults).toBe(count)
  expect((await ask(`${filter} | count`)).rows).toEqual([[`${count}`]])
  expect((await ask(`${filter} | count | group by log`)).rows).toEqual([['Default', `${count}`]])
  expect((await ask(`${filter} | datastream`)).rows).not.toEqual([])
})
