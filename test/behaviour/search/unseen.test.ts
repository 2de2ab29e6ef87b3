// What a user may not view does not exist, also where it could show without its rows: how words are
// cut into columns, limits, counts, the SDK, paths of logs (decision 4.9). Rows, scopes and
// errors: security.test.ts.
import { beforeAll, describe, expect, it } from 'vitest'
import {
  makeWord,
  productUrl,
  sdk,
  search,
  searchUntil,
  sendEvents,
  type User,
} from '../../support/clients/product-client.ts'

const id = makeWord('')
const word = `unseen${id}`
const reader: User = { name: `reader ${id}`, password: `password of ${id}` }
// The same in length and shape; `b` never exists.
const hidden = { folder: `Vault a${id}`, log: `deep a${id}`, column: `pin a${id}`, user: `admin` }
const absent = { folder: `Vault b${id}`, log: `deep b${id}`, column: `pin b${id}`, user: `admin` }
const neutral = (text: string) => text.replaceAll(`a${id}`, '?').replaceAll(`b${id}`, '?')

beforeAll(async () => {
  await sdk('securityUsers', {
    action: 'add',
    userName: reader.name,
    userPassword: reader.password,
  })
  await sendEvents([
    {
      message: `${word} kept`,
      [hidden.column]: '1',
      productPath: hidden.folder,
      productName: hidden.log,
    },
    // The second word of the hidden column is a column here: `pin a… = 1` must be the word pin and
    // this test.
    {
      message: `${word} shown pin`,
      [`a${id}`]: '1',
      [`b${id}`]: '1',
      productPath: `Open ${id}`,
      productName: `open ${id}`,
    },
    {
      message: `${word} shown`,
      [`a${id}`]: '1',
      [`b${id}`]: '1',
      productPath: `Open ${id}`,
      productName: `open ${id}`,
    },
  ])
  await searchUntil(3, { searchQuery: word })
  await sdk('setPermissions', { path: `Events->${hidden.folder}`, type: 'folder', viewUsers: '' })
  await searchUntil(2, { searchQuery: word }, { user: reader })
})

async function expectSame(query: (names: typeof hidden) => string, more = {}) {
  const ask = (names: typeof hidden) =>
    search({ searchQuery: query(names), fixedInterval: 'allData', ...more }, { user: reader })
  const [ofHidden, ofAbsent] = [await ask(hidden), await ask(absent)]
  expect(neutral(ofHidden.document)).toBe(neutral(ofAbsent.document))
  expect(ofHidden.document).not.toContain('kept')
  return ofHidden
}

describe('a column of a log that may not be viewed', () => {
  it('does not bind words: the test is one of the visible column', async () => {
    const found = await expectSame(({ column }) => `${word} ${column} = 1 | list message`)
    expect(found.rows).toEqual([{ message: `${word} shown pin` }])
    const { document } = await search({
      searchQuery: `${word} ${hidden.column} = 1 | list message`,
      fixedInterval: 'allData',
    })
    expect(document).toContain('kept')
  })

  it.each<[string, (names: typeof hidden) => string]>([
    ['a list', ({ column }) => `${word} | list ${column}, message`],
    ['a shown column', ({ column }) => `${word} | display only ${column}, message`],
    ['two keys', ({ column }) => `${word} | count | group by ${column}, log`],
    ['a distinct count', ({ column }) => `${word} | distinct count ${column}`],
    ['a where', ({ column }) => `${word} | list ${column} | where ${column} exists`],
    ['a comparison', ({ column }) => `${word} ${column} > 0`],
    ['an opposite', ({ column }) => `${word} NOT ${column} = 1`],
    ['a mistake behind it', ({ column }) => `${word} ${column} = `],
  ])('shows nothing in %s', async (_, query) => {
    await expectSame(query)
  })

  it('is not among the columns of an answer', async () => {
    const answer = await search(
      { searchQuery: '*', fixedInterval: 'allData', resultFormat: 'csv' },
      { user: reader },
    )
    expect(answer.columns).not.toContain(hidden.column)
  })
})

describe('its events', () => {
  it('do not count towards abortOn', async () => {
    const limited = (abortOn: number) =>
      search({ searchQuery: word, fixedInterval: 'allData', abortOn }, { user: reader })
    expect(await limited(2)).toMatchObject({ state: 'OK', numberOfResults: 2 })
    expect(await limited(1)).toMatchObject({ code: 2 })
  })

  it('are in no count, flow or group of all', async () => {
    for (const query of [
      '* | count | group by log',
      '* | datastream | group by folder',
      '* | count | group by log, folder',
    ]) {
      const answer = await search(
        { searchQuery: query, fixedInterval: 'allData', maxNumOfRecords: 100_000 },
        { user: reader },
      )
      expect(answer.state).toBe('OK')
      expect(answer.document).not.toContain(`a${id}</Cell>`)
    }
  })
})

describe('the SDK', () => {
  it.each<[string, (names: typeof hidden) => Readonly<Record<string, string>>]>([
    [
      'setPermissions',
      ({ folder }) => ({ path: `Events->${folder}`, type: 'folder', viewUsers: reader.name }),
    ],
    [
      'setPermissions',
      ({ folder, log }) => ({
        path: `Events->${folder}->${log}`,
        type: 'log',
        viewUsers: reader.name,
      }),
    ],
    ['addListener', ({ folder }) => ({ name: makeWord(), parentFolder: `Events->${folder}` })],
    ['securityUsers', ({ user }) => ({ action: 'edit', userName: user, displayName: 'x' })],
    ['enableAccount', ({ log }) => ({ name: log, enabled: 'false' })],
    ['settings', () => ({ list: 'true' })],
  ])('%s refuses the user alike for what exists and what does not', async (command, given) => {
    const ask = async (names: typeof hidden) => {
      const answer = await fetch(`${productUrl()}/logeye/sdk/${command}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from(`${reader.name}:${reader.password}`).toString('base64')}`,
        },
        body: JSON.stringify(given(names)),
      })
      return [answer.status, neutral(await answer.text())]
    }
    expect(await ask(hidden)).toEqual(await ask(absent))
    expect((await ask(hidden))[0]).toBe(403)
  })
})
