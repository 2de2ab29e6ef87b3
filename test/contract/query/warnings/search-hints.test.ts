// What the store is asked for a warning's sake (decisions 4.10, 0040): more rows than the default
// limit lets through, texts that a test with a number has taken, words of the JSON interface.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { table } from '../../../../query/search-json/calls/table.ts'
import { okEnvelope, withWarnings } from '../../../../schemas/search-json/answers.ts'
import { ingestNumbered, openDeliveryApp } from '../../../support/apps/delivery-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import { makeJsonClient } from '../../../support/clients/json-client.ts'

let pipeline: SearchPipeline
let app: ReturnType<typeof openDeliveryApp>

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  await ingestNumbered(pipeline, 'hundred', 100)
  await ingestNumbered(pipeline, 'thousand', 1001)
  const statuses = [200, 503, 'ok', '404', 'a,b']
  await pipeline.ingest(statuses.map((status) => ({ message: 'mixed', status, plain: 7 })))
  app = openDeliveryApp(pipeline)
})
afterAll(() => pipeline?.stop())

async function warningsOf(searchQuery: string, more: Record<string, string> = {}) {
  const fields = { searchQuery, warnings: 'true', ...more }
  const text = await (await app.search(fields)).text()
  return [...text.matchAll(/<Warning ([^>]*)>([^<]*)</g)].map(
    ([, at, message]) => `${at} ${message}`,
  )
}

const cut = (rows: number, parameter: string) =>
  `there are more results than these ${rows}, as many as are delivered without ${parameter}: it asks for more, as paging and exports do`

it('says that the default limit has cut the answer', async () => {
  expect(await warningsOf('thousand')).toEqual([`code="search.cut" ${cut(100, 'maxNumOfRecords')}`])
  expect(await warningsOf('thousand | count | group by n')).toEqual([
    `code="search.cut" ${cut(100, 'maxNumOfRecords')}`,
  ])
})

it.each([
  ['hundred', {}],
  ['thousand', { maxNumOfRecords: '100' }],
  ['thousand', { paginate: 'true' }],
  ['thousand | limit 100', {}],
])('says nothing of %s with %j', async (query, more) => {
  expect(await warningsOf(query, more)).toEqual([])
})

it('says that = means the whole value, where only parts of values are there', async () => {
  const paths = ['/checkout/cart', '/checkout/pay', '/cart']
  await pipeline.ingest(paths.map((path) => ({ message: 'card declined at last', path })))
  const told = (column: string, value: string) =>
    `no event in scope and window has exactly '${value}' in '${column}', but events have it within a longer value: = means the whole value, contains a part of it`
  const of = async (query: string) => (await ask(query)).warnings
  expect(await of('path = /checkout')).toEqual([
    {
      ...{ code: 'query.part_of_value', position: 1, message: told('path', '/checkout') },
      replacement: 'path contains "/checkout"',
    },
  ])
  expect(await of('message = "declined at"')).toEqual([
    {
      ...{ code: 'query.part_of_value', position: 1, message: told('message', 'declined at') },
      replacement: 'message contains "declined at"',
    },
  ])
  // One is there, or no part is; a number is another number.
  expect(await of('path = /cart')).toEqual([])
  expect(await of('path = /nowhere')).toEqual([])
  expect(await of('not path = /checkout | count')).toEqual([])
  const { numberOfResults } = await ask('path contains "/checkout"')
  expect(numberOfResults).toBe(2)
})

it('tells the text null from no value', async () => {
  const users = ['null', 'ann'].map((user) => ({ message: 'signed in', user }))
  await pipeline.ingest(users, { hostName: 'gate-01' })
  expect((await ask('user = null in server.gate-01 | count')).warnings).toEqual([
    {
      ...{ code: 'query.part_of_value', position: 1 },
      message:
        "every event in scope and window has 'user', some the text 'null': = null finds events without the column, = \"null\" the text",
      replacement: 'user = "null" in server.gate-01 | count',
    },
  ])
  expect((await ask('user not exists in server.gate-01')).warnings).toEqual([])
  expect((await ask('user = null in server.gate-01, server.nowhere')).warnings).not.toEqual([])
  await pipeline.ingest([{ message: 'no user' }], { hostName: 'gate-01' })
  expect((await ask('user = null in server.gate-01 | count')).warnings).toEqual([])
})

const client = () =>
  makeJsonClient(app.call, { name: 'admin', password: pipeline.db.adminPassword })
async function ask(query: string, more: object = {}) {
  const answer = await client().post('query', { query, interval: 'allData', ...more })
  return okEnvelope(withWarnings(table.answer)).parse(await answer.json()).response
}

it('says it in the JSON interface, too', async () => {
  const whole = await ask('thousand')
  expect(whole).toMatchObject({
    numberOfResults: 1000,
    hasMore: true,
    warnings: [{ code: 'search.cut', message: cut(1000, 'limit') }],
  })
  expect(await ask('thousand', { limit: 1000 })).toMatchObject({ hasMore: true, warnings: [] })
  expect(await ask('thousand', { limit: 1001 })).toMatchObject({ hasMore: false, warnings: [] })
})

it('tells a word that no event has of a table, too', async () => {
  expect(await ask('hundrd | count')).toMatchObject({
    warnings: [{ code: 'query.no_such_word', replacement: 'hundred | count' }],
  })
  expect(await ask('hundrd')).toMatchObject({ warnings: [{ code: 'query.no_such_word' }] })
})

it('offers no word for one of a language', async () => {
  const { warnings } = await ask('mixd since')
  expect(warnings.map(({ message }) => message)).toEqual([
    "no event in scope and window has the word 'mixd'; the nearest in the newest events is 'mixed'",
    "no event in scope and window has the word 'since'",
  ])
})

it.each([
  ['status >= 500', 'status', "'ok'", '(status >= 500 and status matches "^[-+]?[0-9.]+$")'],
  ['status between 1 and 600 or plain > 9', 'status', undefined, ''],
  [
    '* | where status > 500',
    'status',
    "'ok'",
    '* | where (status > 500 and status matches "^[-+]?[0-9.]+$")',
  ],
  ['status < 500', 'status', undefined, ''],
  ['plain > 5', 'plain', undefined, ''],
  ['status = 500', 'status', undefined, ''],
])('%s', async (query, column, value, replacement) => {
  const expected =
    value === undefined
      ? []
      : [
          {
            code: 'query.compared_as_text',
            message: expect.stringMatching(
              `^events with texts in '${column}', such as '(?:ok|a,b)'`,
            ),
            replacement,
          },
        ]
  expect(await ask(query)).toMatchObject({ warnings: expected })
  if (value === undefined) return
  // What it offers is without texts, and says nothing more.
  const rows = await ask(replacement)
  expect(rows).toMatchObject({ numberOfResults: 1, warnings: [] })
})

it('tells texts among the numbers that a function or a sorting takes', async () => {
  const values = [5, 40, 300, 'slow', '1,200']
  await pipeline.ingest(
    values.map((took) => ({ message: 'step', took, word: 'only words' })),
    { hostName: 'mixed-01' },
  )
  const only = 'in server.mixed-01'
  const of = async (query: string) => await ask(`step ${only} | ${query}`)
  const max = await of('max took')
  expect(max.warnings).toEqual([
    {
      ...{ code: 'query.mixed_values', position: `step ${only} | max t`.length },
      message: expect.stringMatching(
        "^'took' holds texts, too, such as '(?:slow|1,200)': with them max takes all values as texts, by the alphabet; a condition leaves numbers alone$",
      ),
      replacement: `step ${only} | max took if (took matches "^[-+]?[0-9.]+$")`,
    },
  ])
  expect(max.rows).toEqual([['slow']])
  expect(await ask(max.warnings[0]?.replacement ?? '')).toMatchObject({
    rows: [['300']],
    warnings: [],
  })
  const told = async (query: string) => (await of(query)).warnings.map(({ message }) => message)
  expect(await told('avg took, count | group by host')).toEqual([
    "'took' holds texts, too, such as 'slow': avg leaves them out, they do not read as numbers",
  ])
  expect(await told('order by took desc | limit 2')).toEqual([
    expect.stringContaining('ascending all numbers stand before them, descending after them'),
  ])
  expect(await told('max word, min word')).toEqual([])
  expect(await told('order by word')).toEqual([])
  expect(await told('where took != slow | avg took, sum took')).toEqual([])
  expect(await told('count took, values took')).toEqual([])
})

it('tells a phrase that no event has, and of JSON how it is written', async () => {
  const event = { message: 'signed off', kind: 'exit', http: { code: 418 } }
  await pipeline.ingest([event, { message: 'sent {"kind":"ping"} off' }])
  const none = 'no event in scope and window has the phrase'
  expect((await ask('"signed of"')).warnings).toEqual([
    { code: 'query.no_such_word', position: 1, message: `${none} 'signed of'` },
  ])
  for (const phrase of ['{"kind":"exit"}', '"kind": "exit"', '"kind":"exit",']) {
    const { warnings } = await ask(JSON.stringify(phrase))
    expect(warnings).toMatchObject([{ replacement: 'kind = "exit"' }])
  }
  const [nested] = (await ask('"{\\"http\\":{\\"code\\":418}}" signed')).warnings
  expect(nested?.replacement).toBe('(http.code = 418) signed')
  expect(await ask(nested?.replacement ?? '')).toMatchObject({ numberOfResults: 1, warnings: [] })
  // A text that holds JSON is found by it.
  expect(await ask('"{\\"kind\\":\\"ping\\"}"')).toMatchObject({ numberOfResults: 1, warnings: [] })
})

it('says that host is not what events hold under this name, where they differ', async () => {
  const send = async (host: string) =>
    await pipeline.ingest([{ message: 'greeting', host }], { hostName: 'greet-01' })
  await send('GREET-01')
  const query = '* in server.greet-01 | count group by host'
  expect((await ask(query)).warnings).toEqual([])
  await send('other-02')
  expect((await ask(query)).warnings).toMatchObject([
    { code: 'query.hidden_column', replacement: query.replace('by host', 'by column.host') },
  ])
  expect((await ask('host = other-02')).warnings).toMatchObject([
    { code: 'query.hidden_column', replacement: 'column.host = other-02' },
  ])
  expect((await ask('column.host = other-02')).warnings).toEqual([])
})
