// Seen from outside, and shown in no other file: codes in every format, every parameter in both
// formats, tokens and files of others. Code 5 needs a small limit of memory
// (own-product/search-end.test.ts).
import { beforeAll, describe, expect, it } from 'vitest'
import {
  admin,
  callSearch,
  type Fields,
  makeWord,
  productUrl,
  readAnswer,
  sdk,
  search,
  searchUntil,
  sendEvents,
  type User,
} from '../../support/clients/product-client.ts'
import { repeatUntil, waitUntil } from '../../support/run/wait-until.ts'

const BULKY = 4000
const FILLER = 'the quick brown fox jumps over the lazy dog '.repeat(45)
const START_MS = Date.UTC(2026, 0, 15, 12)
/** Seconds of work: each is a walk over every byte of every message. */
const SLOW = Array.from({ length: 400 }, (_, n) => {
  const last = String.fromCharCode(97 + (n % 26), 97 + ((n * 7 + 1) % 26))
  return `message matches "[b-y][0-9]{${2 + (n % 5)}}[${last}]"`
}).join(' OR ')
const FORMATS = ['xml', 'csv', 'json', 'csv-plain']

const small = makeWord('small')
const bulky = makeWord('bulky')
const makeUser = () => ({ name: makeWord('user'), password: 'a good password' })
const other = makeUser()
/** Sees what the other sees. */
const owner = makeUser()

beforeAll(async () => {
  const numbered = Array.from({ length: 300 }, (_, n) => ({
    timestamp: new Date(START_MS + n * 1000).toISOString(),
    message: `${small} ${n}`,
    n,
  }))
  await sendEvents([...numbered, { message: `${small} now`, n: 300 }])
  for (let from = 0; from < BULKY; from += 1000)
    await sendEvents(
      Array.from({ length: 1000 }, (_, n) => ({ message: `${bulky} ${from + n} ${FILLER}${n}` })),
    )
  await searchUntil(301, { searchQuery: small, maxNumOfRecords: 1000 })
  await waitUntil('the bulky events are found', async () => {
    const { rows } = await search({ searchQuery: `${bulky} | count`, fixedInterval: 'allData' })
    return rows[0]?.count === `${BULKY}`
  })
  for (const { name, password } of [other, owner])
    await sdk('securityUsers', { action: 'add', userName: name, userPassword: password })
})

describe.each(FORMATS)('as %s, a failure is the XML document with code', (resultFormat) => {
  const all = { fixedInterval: 'allData', resultFormat }
  it.each<[number, Fields, string]>([
    [1, { searchQuery: 'small AND (' }, '1: query error at 12: '],
    [1, { searchQuery: small, maxNumOfRecords: 'x' }, '1: maxNumOfRecords: '],
    [2, { searchQuery: small, abortOn: 300 }, '2: the search gives more than 300 results'],
    [3, { searchQuery: `${SLOW} | count`, timeout: 100 }, '3: the search ran longer than 100 ms'],
  ])('%i', async (code, fields, message) => {
    const answer = await callSearch({ ...all, ...fields }, { method: 'POST' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/xml; charset=utf-8',
    ])
    const read = readAnswer(200, await answer.text(), false)
    expect(read).toMatchObject({ state: 'Fail', token: '', numberOfResults: 0, code, rows: [] })
    expect(read.message.slice(0, message.length)).toBe(message)
  })

  it('4', async () => {
    // On a fast machine the search may end before the cancel that meets it.
    const read = await waitUntil('a search is canceled', async () => {
      const searchId = makeWord(resultFormat)
      const fields = { ...all, searchQuery: `${SLOW} | count`, searchId }
      let isOver = false
      const running = callSearch(fields, { method: 'POST' }).finally(() => {
        isOver = true
      })
      await repeatUntil(
        () => isOver,
        () => search({ widgetId: 'cancelSearch', searchId }),
      )
      const document = await (await running).text()
      return document.includes('<Message code="4">') && readAnswer(200, document, false)
    })
    expect(read).toMatchObject({ code: 4, message: '4: the search was cancelled' })
  })
})

const both = async (fields: Fields) => {
  const [xml, csv] = [
    await search({ searchQuery: small, ...fields }),
    await search({ searchQuery: small, resultFormat: 'csv', ...fields }),
  ]
  expect(csv.rows).toEqual(xml.rows)
  expect(csv.columns).toEqual(xml.rows.length === 0 ? csv.columns : xml.columns)
  expect([csv.state, csv.numberOfResults]).toEqual(['OK', xml.numberOfResults])
  return xml
}
type Rows = { readonly rows: readonly Readonly<Record<string, string>>[] }
const numbers = ({ rows }: Rows) => rows.map((row) => Number(row.n))

describe('an interval', () => {
  let sent = { day: '', word: '' }

  /** What it holds of an event of the same day, in the product's time zone, which is this one. */
  async function askOnOneDay(fixedInterval: string): Promise<number[]> {
    for (;;) {
      const day = new Date().toDateString()
      if (sent.day !== day) {
        sent = { day, word: makeWord('today') }
        await sendEvents({ message: sent.word, n: 7 })
        await searchUntil(1, { searchQuery: sent.word })
      }
      const answer = await both({ fixedInterval, searchQuery: sent.word })
      if (new Date().toDateString() === day) return numbers(answer)
    }
  }

  it.each([
    ...['last15Minutes', 'last30Minutes', 'last60Minutes', 'last3Hours', 'last12Hours'],
    ...['last24Hours', 'last7Days', 'last14Days', 'last1Months', 'last6Months'],
    ...['currentDay', 'currentWeek'],
  ])('%s holds what came now', async (name) => {
    expect(await askOnOneDay(name)).toEqual([7])
  })

  it.each(['previousDay', 'previousWeek'])('%s holds nothing of now', async (name) => {
    expect(await askOnOneDay(name)).toEqual([])
  })

  it('allData holds all of it, and without any time it is the last 24 hours', async () => {
    expect((await both({ fixedInterval: 'allData', maxNumOfRecords: 1000 })).rows).toHaveLength(301)
    expect(numbers(await both({}))).toEqual([300])
  })
})

describe('every parameter', () => {
  const within = {
    startTimeFullStr: '01/15/2026 12:00:00',
    endTimeFullStr: '01/15/2026 12:04:59',
  }

  it('startTimeFullStr and endTimeFullStr are both included', async () => {
    const end = { ...within, endTimeFullStr: '01/15/2026 12:00:02' }
    expect(numbers(await both(end))).toEqual([2, 1, 0])
  })

  it('maxNumOfRecords is 100 unless it is given', async () => {
    expect(numbers(await both(within))).toEqual(Array.from({ length: 100 }, (_, n) => 299 - n))
    expect(numbers(await both({ ...within, maxNumOfRecords: 2 }))).toEqual([299, 298])
  })

  it('paginate, token and maxRecordsPerPage give each row once, in either format', async () => {
    for (const resultFormat of ['xml', 'csv']) {
      const fields = { ...within, searchQuery: small, resultFormat }
      const read: number[] = []
      let page = await search({ ...fields, paginate: 'true', maxRecordsPerPage: 70 })
      for (let n = 0; page.token !== '' && n < 10; n += 1) {
        expect([page.state, page.numberOfResults]).toEqual(['OK', 300])
        read.push(...numbers(page))
        page = await search({ token: page.token, resultFormat })
      }
      expect([page.state, page.rows, page.token]).toEqual(['OK', [], ''])
      expect(read).toEqual(Array.from({ length: 300 }, (_, n) => 299 - n))
    }
  })

  it('maxRecordsPerPage is 100 unless it is given; paginate=false pages nothing', async () => {
    const paged = await search({ ...within, searchQuery: small, paginate: 'true' })
    expect(paged.rows).toHaveLength(100)
    expect(await both({ ...within, paginate: 'false' })).toMatchObject({ token: '' })
  })

  it('abortOn, timeout and searchId change nothing while they are not reached', async () => {
    const limits = { abortOn: 300, timeout: 30_000, searchId: makeWord('unreached') }
    expect((await both({ ...within, ...limits })).rows).toHaveLength(100)
  })
})

describe('of another user', () => {
  const asIf = (text: string) => text.replaceAll(/[A-Za-z0-9_-]{32}/g, '?')

  // Also to an administrator, who may see everything and cancel everybody's.
  it.each<[string, () => User, readonly string[]]>([
    ['a user', () => other, ['searchAPI', 'cancelSearch']],
    ['an administrator', admin, ['searchAPI']],
  ])('a token answers %s as one that never was', async (_, asker, widgets) => {
    const fields = { searchQuery: small, fixedInterval: 'allData', paginate: 'true' }
    const { token } = await search(fields, { user: owner })
    for (const widgetId of widgets) {
      const theirs = await callSearch({ widgetId, token }, { user: asker() })
      const nobodys = await callSearch({ widgetId, token: 'A'.repeat(32) }, { user: asker() })
      expect(theirs.status).toBe(nobodys.status)
      expect(asIf(await theirs.text())).toBe(asIf(await nobodys.text()))
    }
    expect((await search({ token }, { user: owner })).rows).toHaveLength(100)
  })

  it.each<[string, () => User]>([
    ['a user', () => other],
    ['an administrator', admin],
  ])('a file answers %s as one that never was', async (_, asker) => {
    const fields = { searchQuery: bulky, fixedInterval: 'allData', maxNumOfRecords: 1000 }
    const { document } = await search(fields, { user: owner })
    const { pathname } = new URL(/<Url>(.*)<\/Url>/.exec(document)?.[1] ?? '')
    const read = (path: string, { name, password }: User) => {
      const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
      return fetch(`${productUrl()}${path}`, { headers: { authorization } })
    }
    const theirs = await read(pathname, asker())
    const nobodys = await read(pathname.replace(/[\w-]{32}/, 'A'.repeat(32)), asker())
    expect(theirs.status).toBe(404)
    expect([theirs.status, await theirs.text()]).toEqual([nobodys.status, await nobodys.text()])
    expect((await read(pathname, owner)).status).toBe(200)
  })
})
