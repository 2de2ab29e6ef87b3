// A filter of single events decides as a search of the same events in the store does: it is asked
// of events that are split as the writer splits them (docs/decisions/0100).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAccountSplitter } from '../../../ingest/split/account-splitter.ts'
import { toFilteredEvent } from '../../../ingest/split/filtered-event.ts'
import { makeSplitEvent } from '../../../ingest/split/split-event.ts'
import { makeEventFilter } from '../../../query/language/event-filter.ts'
import { table } from '../../../query/search-json/calls/table.ts'
import { okEnvelope, withWarnings } from '../../../schemas/search-json/answers.ts'
import { openDeliveryApp } from '../../support/apps/delivery-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeJsonClient } from '../../support/clients/json-client.ts'
import { mapAtOnce } from '../../support/run/map-at-once.ts'

const AT_ONCE = 4

/** As sent: numbers keep their spelling. */
const EVENTS = [
  '{"message":"disk full on /var","level":"ERROR","status":500}',
  '{"message":"Disk  full","level":"warn","status":"500","took":1.10}',
  '{"message":"ok","level":"Warning","status":"5e2","took":1e3}',
  '{"message":"none","status":"n/a","took":0.30000000000000004,"level":""}',
  '{"message":"addresses","ip":"10.0.0.7","took":123456789012345678901234567890}',
  '{"message":"addresses","ip":"::ffff:10.0.0.8","flag":true}',
  '{"message":"addresses","ip":"2001:DB8:0:0::17","flag":false}',
  '{"message":"deep","a":{"b":{"c":{"d":{"e":{"f":"buried treasure"}}}}},"list":["alpha","beta gamma"]}',
  '{"message":"ids","trace":"4f3e2d1c-9a8b-7c6d-5e4f-deadbeef1234","session":"0123456789abcdef"}',
  '{"message":"two","Level":"fatal","level":"debug"}',
  '{"message":"ΟΔΟΣ größe İstanbul","user":"GRÖßE"}',
  '{"message":"","user":"bob","host":"inner-01"}',
  '{"message":"a.b/c:d user_id=7 [x] 100%","user":"Bob","column.user":"eve"}',
  '{"message":"numbers","status":404,"took":-0.0,"user":42}',
  '{"message":"texts","status":"0404","took":"1,234","user":"null"}',
  '{"other":"taken whole","n":1}',
]
const FILTERS = [
  ...[
    'disk',
    '"disk full"',
    'dis*',
    '*ull',
    'd*k',
    '*',
    'not disk',
    'treasure',
    '"buried treasure"',
  ],
  ...['beta', '"alpha beta"', 'user_id', '"a.b/c:d"', 'a.b*d', '???', '100', '404', '500', 'οδος'],
  ...['deadbeef1234', '9a8b-7c6d', '4f3e2d1c', 'dead*', '01*ef', '1.10', '10.0.0.7', '10.0.0'],
  ...['level = error', 'level != error', 'level >= warn', 'level < error', 'level = warn*'],
  ...['level = ""', 'level exists', 'level not exists', 'level = null', 'level contains arn'],
  ...['level in (ERROR, warn)', 'level not in (ERROR, warn)', 'level between info and error'],
  ...['status = 500', 'status != 500', 'status > 400', 'status >= 500.0', 'status < n/b'],
  ...[
    'status = 5*',
    'status in (404, "n/a")',
    'status not in (404, 500)',
    'status between 1 and 600',
  ],
  ...['took = 1.1', 'took > 0.3', 'took = 1000', 'took = 0', 'took < abc', 'took > 1e29'],
  ...['took = 123456789012345678901234567890', 'took > 123456789012345678901234567889'],
  ...['took starts with 1', 'took != abc', 'took = 0.3', 'took contains ","'],
  ...['ip within 10.0.0.0/8', 'ip not within 10.0.0.0/8', 'ip = 10.0.0.8', 'ip > 10.0.0.7'],
  ...['ip = 2001:db8::17', 'ip within 2001:db8::/32', 'ip = 10.0.0.*'],
  ...['flag = true', 'flag = TRUE', 'flag != true', 'flag > false', 'a.b.c.d.e.f contains buried'],
  ...['user = bob', 'user = größe', 'user = 42', 'user > 41', 'user = null', 'user = "null"'],
  ...['column.user = eve', 'column.host = inner-01', 'host = web-*', 'source exists', 'host != x'],
  ...['message exists', 'message not exists', 'message contains FULL', 'message ends with r'],
  ...[
    'trace = 4F3E2D1C-9a8b*',
    'session starts with 0123',
    'other = "taken whole"',
    'whole',
    'n = 1',
  ],
  ...['list contains alpha', 'list = "[*"', 'disk and status = 500', 'disk or not level exists'],
  ...[
    'not (disk or addresses) and (user exists or took > 1)',
    'not (status = 500 and level = warn)',
  ],
]

/** What decision 0100 leaves: two spellings in one event, a number in another form beside texts. */
const LEFT = [
  'level >= warn: filter e0 e1 e2 e9; search e0 e1 e2',
  'level < error: filter e1 e2; search e1 e2 e9',
  'took < abc: filter e14; search e1 e13 e14 e2 e4',
]

let pipeline: SearchPipeline
let ask: (query: string) => Promise<readonly string[]>
let events: readonly { readonly id: string; readonly bytes: Buffer }[]

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  events = EVENTS.map((text, at) => {
    const id = `e${at}`
    return { id, bytes: Buffer.from(text.replace(/\}$/, `,"eventNo":"${id}"}`)) }
  })
  await pipeline.ingest(events.map(({ bytes }) => bytes))
  const app = openDeliveryApp(pipeline)
  const client = makeJsonClient(app.call, { name: 'admin', password: pipeline.db.adminPassword })
  ask = async (filter) => {
    const query = `(${filter}) and eventNo exists | list eventNo`
    const answer = await client.post('query', { query, interval: 'allData' })
    const { response } = okEnvelope(withWarnings(table.answer)).parse(await answer.json())
    return response.rows.map((row) => String(row.at(-1)))
  }
})
afterAll(() => pipeline?.stop())

it('passes the events that a search of it finds', { timeout: 240_000 }, async () => {
  const account = await pipeline.db.metastore.accountVersion(1, 1)
  const splitter = makeAccountSplitter(account, 'UTC')
  const out = makeSplitEvent()
  const known = ['message', 'host', 'source'] as const
  const answers = await mapAtOnce(FILTERS, AT_ONCE, async (text) => {
    const passes = makeEventFilter(text, known)
    const own = events
      .filter(({ bytes }) => {
        const place = { body: bytes, start: 0, end: bytes.length, isLine: false, receivedMs: 0 }
        splitter.split(out, { ...place, hostName: 'web-01', peer: '127.0.0.1', given: undefined })
        return passes(toFilteredEvent(out, 'Default'))
      })
      .map(({ id }) => id)
    const found = await ask(text)
    const [mine, theirs] = [own, found].map((ids) => [...ids].sort().join(' '))
    return { text, mine, theirs, passed: own.length }
  })
  const differing = answers.filter(({ mine, theirs }) => mine !== theirs)
  expect(
    differing.map(({ text, mine, theirs }) => `${text}: filter ${mine}; search ${theirs}`),
  ).toEqual(LEFT)
  expect(answers.reduce((sum, { passed }) => sum + passed, 0)).toBeGreaterThan(FILTERS.length)
})
