// What a user may not view changes no answer that he gets: the same calls before there are such
// logs, and when they hold everything that could show: the same words, other spellings, columns
// that would bind words, names of logs and hosts near to his, older and newer times, more values
// than his own (decision 4.9).
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Clock } from '../../../../infra/clock.ts'
import { setViewers } from '../../../../infra/metastore/rights/node-permissions.ts'
import { openDeliveryApp } from '../../../support/apps/delivery-app.ts'
import type { Fields } from '../../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import { testClock } from '../../../support/run/test-clock.ts'
import { isFullTier, series } from '../../../support/run/tier.ts'

const READER = { autoLogin: 'true', username: 'reader', password: 'reader password' }
const START_MS = Date.UTC(2026, 0, 15, 10)
const WINDOW = { start: '2026-01-15T09:00:00Z', end: '2026-01-15T12:00:00Z' }
const TIMES = { startTimeFullStr: '2026-01-15T09:00:00Z', endTimeFullStr: '2026-01-15T12:00:00Z' }
const COLUMNS = ['log', 'folder', 'host', 'source', 'colour', 'size2', 'pin', 'Pin Code', 'none']

let pipeline: SearchPipeline

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  await pipeline.db.addUser(READER.username, READER.password)
})
afterAll(() => pipeline?.stop())

const at = (second: number) => new Date(START_MS + second * 1000).toISOString()

/** Every sixth is a step of a transaction. */
const shown = Array.from({ length: 60 }, (_, n) => ({
  timestamp: at(n * 7),
  message: `payment ${n} ${n % 6 === 0 ? 'Begin' : n % 6 === 5 ? 'End' : 'card declined'}`,
  colour: ['red', 'Green', 'blue'][n % 3],
  size2: n / 4,
  session: `s${Math.floor(n / 6)}`,
  Code: n % 4,
  productPath: n % 2 === 0 ? 'Open->Web' : 'Open',
  productName: n % 2 === 0 ? 'front' : 'back office',
}))

const hiddenLogs = ['front', 'back office', 'fronts', 'back office two', 'payment', 'deep']

/** Beside, before and after what is shown. */
function makeHidden(): object[] {
  const places = [-3e9, -1, 0, 7, 14, 21, 28, 100, 200, 413, 414, 5e7, 2e9]
  return places.flatMap((second) =>
    hiddenLogs.map((productName, n) => ({
      timestamp: at(second),
      message: `payment ${n} Begin End card declined treasure treason`,
      Colour: ['RED', 'GREEN', 'purple', 'blues'][n % 4],
      size2: n % 2 === 0 ? 'many' : 10_000,
      session: `s${n}`,
      'Pin Code': `secret ${n}`,
      pin: n,
      coluor: 'x',
      'payment card': 'declined',
      'declined or colour': 'y',
      Code: `${n}${second}`,
      [`only${n}`]: 'z',
      productPath: n % 2 === 0 ? 'Vault->Web' : 'Vault',
      productName,
    })),
  )
}

const FILTERS = [
  '*',
  'payment',
  'treasure',
  'treas*',
  'payment card = declined',
  'payment Pin Code = 2',
  'payment NOT pin = 2',
  'colour = red',
  'coluor = x',
  'size2 > 5',
  'size2 = many',
  'payment in log.front',
  'payment in log.fronts',
  'payment in log.back office two',
  'payment in folder.Vault',
  'payment in folder.Open->Web',
  'payment in server.vault-*',
  'payment not in log.front',
  'message matches "trea.*e"',
  'payment only1 exists',
  'payment colour = null',
  'payment colour =',
  '"card declined" declined or colour = y',
]

const STAGES = [
  '| count',
  '| count, distinct count colour, values colour, min size2, max size2, first message, last message',
  '| count | group by colour',
  '| count | group by colour, log, host, pin',
  '| count | group by Pin Code or "none"',
  '| count | interval 1 day',
  '| count | interval 10 minutes | group by log',
  '| sum size2, avg size2, percentile 95 size2, stdev size2, percent if (colour = red)',
  '| datastream',
  '| datastream | group by folder',
  '| order by size2 desc | limit 7',
  '| percentile 95 | count',
  '| dedup colour | list colour, pin, message',
  '| list pin, Pin Code, only1, colour | order by colour',
  '| display only column.Pin Code, message',
  '| count | group by colour | transpose colour',
  '| count | group by session | join [ treasure | count as Other | group by session ] on session = session',
  '| extract "(?<w>treas\\w+)" from message | count | group by w',
  '| cuont',
  '| count | group by coluor | where pni > 1',
]

const QUERIES = [
  ...FILTERS.map((filter) => `${filter} | count | group by log`),
  ...STAGES.map((stage) => `payment ${stage}`),
  'payment session in [ treasure | count | group by session ]',
  'payment colour in [ * | count | group by colour ]',
  'transaction("Begin","session","Begin" -> "End","session","End")',
  'transaction("Begin","Pin Code","Begin" -> "End","pin","End") | count',
]

const LIMITS: readonly Fields[] = [{}, { abortOn: 60 }, { abortOn: 59 }, { maxNumOfRecords: 5 }]

/** What differs from call to call without a cause in the data: costs, secrets, cursors. */
function neutral(text: string): string {
  return text
    .replaceAll(/"(nextCursor|tailId)":"[^"]*"/g, '"$1":""')
    .replaceAll(/token="[\w-]{32}"/g, 'token="?"')
}

/** All in `test:all`; in `npm test` one for each query, another one than for the query before. */
async function askSome(at: number, all: readonly (() => Promise<unknown>)[]): Promise<void> {
  await Promise.all(all.filter((_, n) => isFullTier || n === at % all.length).map((ask) => ask()))
}

async function readAll(): Promise<ReadonlyMap<string, string>> {
  // The same moment each time, where an answer begins or ends now.
  const clock: Clock = { ...testClock, nowMs: () => START_MS + 86_400_000 }
  const app = openDeliveryApp(pipeline, { clock })
  const found = new Map<string, string>()
  const note = async (name: string, answer: Response) =>
    found.set(name, neutral(`${answer.status} ${await answer.text()}`))
  const pair = Buffer.from(`${READER.username}:${READER.password}`).toString('base64')
  const headers = { 'content-type': 'application/json', authorization: `Basic ${pair}` }
  const post = async (name: string, body: object) => {
    const given = JSON.stringify(body)
    const init = { method: 'POST', headers, body: given }
    const answer = await app.call(`/logeye/api/search/${name}`, init)
    const text = await answer.clone().text()
    await note(`${name} ${given}`, answer)
    return text
  }
  const xml = async (fields: Fields) =>
    await note(JSON.stringify(fields), await app.search(fields, READER))

  for (const [at, query] of FILTERS.entries()) {
    const all = { query, interval: 'allData' }
    await askSome(at, [
      () => post('events', { ...all, limit: 20 }),
      () => post('overview', { ...all, columns: COLUMNS, buckets: 12, limit: 3 }),
      () => post('histogram', { ...all, by: 'colour', step: '1 day' }),
      () => post('explain', all),
    ])
  }
  await post('facets', { query: 'payment', columns: COLUMNS, limit: 100, ...WINDOW })
  for (const query of [
    'pi',
    'in log.',
    'in folder.V',
    'colour = ',
    'Colour = "R',
    'in server.',
    'pin = ',
    'payment | c',
    'only',
  ])
    await post('complete', { query, limit: 50, interval: 'allData' })
  for (const [at, query] of QUERIES.entries())
    await askSome(at, [
      () => post('query', { query, interval: 'allData' }),
      () => post('explain', { query, ...WINDOW }),
      () => xml({ searchQuery: query, ...TIMES }),
    ])
  for (const [at, resultFormat] of ['xml', 'csv', 'json', 'csv-plain'].entries())
    await askSome(
      at,
      LIMITS.map((fields) => {
        const all = { searchQuery: '*', fixedInterval: 'allData', resultFormat, ...fields }
        return () => xml(all)
      }),
    )
  await xml({ searchQuery: 'payment', paginate: 'true', maxRecordsPerPage: 50, ...TIMES })

  const page = await post('events', { query: 'payment', limit: 1000, ...WINDOW })
  const ids = [...page.matchAll(/"id":"([\w-]+)"/g)].map((match) => match[1] ?? '')
  for (const event of [ids[0], ids[30], ids.at(-1)])
    for (const among of ['log', 'source'])
      for (const query of ['*', 'treasure'])
        await post('context', { event, among, query, before: 5, after: 5 })
  return found
}

it('changes no answer: pages, counts, tables, explanations, completions, contexts, exports', async () => {
  await pipeline.ingest(shown, { hostName: 'web-01' })
  const before = await readAll()
  await pipeline.ingest([{ message: 'first', productPath: 'Vault', productName: 'x' }])
  const folder = { kind: 'folder', levels: ['Events', 'Vault'] } as const
  await pipeline.db.database.write((transaction) =>
    setViewers(transaction, folder, { groups: [], users: [] }),
  )
  await pipeline.ingest(makeHidden(), { hostName: 'vault-07' })
  await pipeline.ingest(makeHidden(), { hostName: 'WEB-01' })
  await pipeline.db.metastore.refresh()
  // The hidden events are there, for who may see them.
  const admin = await openDeliveryApp(pipeline).ask({ searchQuery: 'treasure | count' })
  expect(Number(admin.rows[0]?.count)).toBe(13 * 6 * 2)
  const after = await readAll()
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort())
  const answers = [...before.values()]
  const least = series(70, 200)
  expect(answers.filter((answer) => answer.startsWith('200')).length).toBeGreaterThan(least)
  const timeless = (text = '') => text.replaceAll(/"elapsedMs":[\d.e-]+/g, '"elapsedMs":0')
  const changed = [...before].filter(
    ([name, answer]) => timeless(after.get(name)) !== timeless(answer),
  )
  expect(changed.map(([name, answer]) => [name, answer, after.get(name)])).toEqual([])
  // Whole tens: what the store measures exactly would tell of hidden events.
  const elapsed = [...after.values()].flatMap(
    (answer) => /"elapsedMs":([\d.e-]+)/.exec(answer)?.[1] ?? [],
  )
  expect(elapsed.length).toBeGreaterThan(series(10, 20))
  for (const ms of elapsed) expect(Number(ms) % 10).toBe(0)
}, 180_000)
