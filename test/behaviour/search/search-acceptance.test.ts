// Seen from outside, and shown in no other file: codes in every format, tokens and files of others.
// Code 5 needs a small limit of memory (own-product/search-end.test.ts).
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
  await sendEvents(Array.from({ length: 301 }, (_, n) => ({ message: `${small} ${n}` })))
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
