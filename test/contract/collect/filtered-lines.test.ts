// The filter of a log collects the lines of its files that a search of it finds when they are
// stored: lines that are objects of JSON have columns, others are text (docs/decisions/0131).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeSourceVersion } from '../../../infra/metastore/collect/collect-sources.ts'
import { addLog } from '../../../infra/metastore/tree/log-changes.ts'
import { type CutPiece, cutPiece, type KeepsEvent } from '../../../ingest/collect/cut-piece.ts'
import { FILE_FORM } from '../../../ingest/collect/file-form.ts'
import { makeKeepsBy } from '../../../ingest/collect/filter-events.ts'
import { textFormOf } from '../../../ingest/collect/text-form.ts'
import { makeEventFilter } from '../../../query/language/event-filter.ts'
import { table } from '../../../query/search-json/calls/table.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { okEnvelope, withWarnings } from '../../../schemas/search-json/answers.ts'
import { openDeliveryApp } from '../../support/apps/delivery-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeJsonClient } from '../../support/clients/json-client.ts'
import { testClock } from '../../support/run/test-clock.ts'

/** Each has an own word, by which it is told. */
const LINES = [
  '{"status":500,"message":"id0 boom","level":"ERROR","http":{"path":"/a b","ms":1.50}}',
  '{"status":"500","msg":"id1 calm","Level":"warn"}',
  '{"status":404,"message":"id2","level":"info","tags":["blue","red"]}',
  '{"time":"2026-01-02T03:04:05Z","log":"id3","user":"bob","productName":"shop"}',
  '{"id4":null,"user":"","a":{"b":{"c":{"d":{"e":"id4 deep"}}}}}',
  '{"note":"id5","host":"inner","copied.cut":"x","trace":"4f3e2d1c-9a8b-7c6d-5e4f-deadbeef1234"}',
  '  {"status":500,"message":"id6 behind spaces"}',
  '{"status":500,"message":"id7"} and more',
  'status=500 level=error id8',
  '{"status":500,"message":"id9","user":"größe","flag":true}',
  '{"status":5e2,"message":"id10","status":501}',
  '{}id11',
  '{"STATUS":7,"message":"id12","user":42}',
]
const FILTERS = [
  ...['status = 500', 'status != 500', 'status > 403', 'status >= 500', 'status exists'],
  ...['not status = 500', 'status not exists', 'status in (404, 500)', 'status = 5*'],
  ...['level = error', 'level >= warn and status = 500', 'level = warn or user = bob'],
  ...['http.path = "/a b"', 'http.ms = 1.5', 'http.path contains b', 'http exists'],
  ...['tags contains blue', 'blue', 'a.b.c exists', 'deep', 'a.b.c contains deep'],
  ...['message contains boom', 'message = "id7"', 'message starts with "{"', 'message exists'],
  ...['user exists', 'user = größe', 'user > 41', 'flag = true', 'column.host = inner'],
  ...['productName = shop', 'column.time exists', 'trace starts with 4f3e', 'deadbeef1234'],
  ...[
    'error',
    'status',
    '500',
    'not (status = 500 or blue)',
    '*',
    'note = id5',
    'column.status = 500',
  ],
]

let pipeline: SearchPipeline
beforeAll(async () => {
  pipeline = await openSearchPipeline()
})
afterAll(() => pipeline?.stop())

const idOf = (text: string) => /id\d+/.exec(text)?.[0] ?? ''

function cut(account: ListenerAccount, keeps: KeepsEvent | undefined): CutPiece {
  const form = textFormOf(Buffer.from('text'), null)
  if (form === undefined) throw new Error('it is text')
  const bytes = Buffer.from(LINES.map((line) => `${line}\n`).join(''))
  return cutPiece(bytes, { form, account, isFinal: true, keeps })
}

function eventsOf({ body, ranges }: CutPiece): readonly Uint8Array[] {
  return Array.from({ length: ranges.length / 2 }, (_, at) =>
    body.subarray(ranges[at * 2], ranges[at * 2 + 1]),
  )
}

it.each([
  ['lines', []],
  ['lines-by-pattern', ['{string:All}']],
])('collects of %s what a search finds', async (name, patterns) => {
  const { metastore, database } = pipeline.db
  const { id: logId } = await database.write((transaction) =>
    addLog(transaction, testClock, { parent: [], name }, { definition: { patterns } }),
  )
  await metastore.refresh()
  const source = {
    ...{ folder: [], name, policyId: 1, patterns, template: '' },
    ...{ timeZone: null, charSet: null, filter: '' },
  }
  const version = await database.write((transaction) =>
    takeSourceVersion(transaction, logId, source, testClock.nowMs()),
  )
  const account = await metastore.accountVersion(-logId, version)
  const sent = { accountId: -logId, accountVersion: version, form: FILE_FORM.name }
  await pipeline.ingest(eventsOf(cut(account, undefined)), sent)
  const { call } = openDeliveryApp(pipeline)
  const client = makeJsonClient(call, { name: 'admin', password: pipeline.db.adminPassword })
  const ask = async (filter: string) => {
    const query = `(${filter}) in log.${name} | list raw`
    const answer = await client.post('query', { query, interval: 'allData' })
    const { response } = okEnvelope(withWarnings(table.answer)).parse(await answer.json())
    return response.rows.map((row) => idOf(String(row.at(-1))))
  }
  const makeKeeps = makeKeepsBy(makeEventFilter)
  const differing: string[] = []
  let passed = 0
  for (const filter of FILTERS) {
    const own = eventsOf(cut(account, makeKeeps(filter, account))).map((event) =>
      idOf(Buffer.from(event).toString()),
    )
    passed += own.length
    const [mine, theirs] = [own, await ask(filter)].map((ids) => [...ids].sort().join(' '))
    if (mine !== theirs) differing.push(`${filter}: filter ${mine}; search ${theirs}`)
  }
  expect(differing).toEqual([])
  expect(passed).toBeGreaterThan(FILTERS.length)
})
