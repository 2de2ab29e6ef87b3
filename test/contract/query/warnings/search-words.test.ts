// A searched word that no event has (decision 4.10), as far as the user may know.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setViewers } from '../../../../infra/metastore/rights/node-permissions.ts'
import { BESIDE_AFTER_MS } from '../../../../query/search/word-warnings.ts'
import { openDeliveryApp } from '../../../support/apps/delivery-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import { testClock } from '../../../support/run/test-clock.ts'

const READER = { autoLogin: 'true', username: 'reader', password: 'reader password' }

let pipeline: SearchPipeline
let app: ReturnType<typeof openDeliveryApp>

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  await pipeline.db.addUser(READER.username, READER.password)
  const shown = ['error of the disk', 'Warning of the fan', 'payment 17 declined']
  await pipeline.ingest(
    shown.map((message) => ({ message })),
    { hostName: 'web-01' },
  )
  const hidden = { message: 'eror treasure', productPath: 'Vault', productName: 'x' }
  await pipeline.ingest([hidden], { hostName: 'web-01' })
  const folder = { kind: 'folder', levels: ['Events', 'Vault'] } as const
  await pipeline.db.database.write((transaction) =>
    setViewers(transaction, folder, { groups: [], users: [] }),
  )
  await pipeline.db.metastore.refresh()
  app = openDeliveryApp(pipeline)
})
afterAll(() => pipeline?.stop())

async function warningsOf(searchQuery: string, user = READER): Promise<string[]> {
  const fields = { searchQuery, fixedInterval: 'allData', warnings: 'true' }
  const text = await (await app.search(fields, user)).text()
  return [...text.matchAll(/<Warning ([^>]*)>([^<]*)</g)].map(
    ([, at = '', message]) => `${at.replace(/ replacement=".*"/, '')} ${message}`,
  )
}

const say = (position: number, word: string, nearest?: string) =>
  `code="query.no_such_word" position="${position}" no event in scope and window has the word '${word}'${nearest === undefined ? '' : `; the nearest in the newest events is '${nearest}'`}`

it.each([
  ['eror', [say(1, 'eror', 'error')]],
  ['disk eror | count', [say(6, 'eror', 'error')]],
  ['eror OR payment', [say(1, 'eror', 'error')]],
  ['(disk AND wraning) in server.web-01', [say(11, 'wraning', 'warning')]],
  ['treasure', [say(1, 'treasure')]],
  ['error payment', []],
  ['NOT eror', []],
  ['err* OR payment', []],
  ['payment', []],
  ['ERROR', []],
  ['eror in server.nowhere', []],
])('%s', async (query, expected) => {
  expect(await warningsOf(query)).toEqual(expected)
})

it('is replaced by the nearest', async () => {
  const fields = { searchQuery: 'disk eror | count', fixedInterval: 'allData', warnings: 'true' }
  const text = await (await app.search(fields, READER)).text()
  expect(text).toContain('position="6" replacement="disk error | count">')
})

it('is there for who may see it', async () => {
  const admin = { autoLogin: 'true', username: 'admin', password: pipeline.db.adminPassword }
  expect(await warningsOf('eror', admin)).toEqual([])
})

it('is told where the store says nothing in time, and the answer may be empty for it', async () => {
  const LIMIT_MS = 7919
  const over = openDeliveryApp(pipeline, {
    clock: {
      ...testClock,
      // On a busy machine the search itself takes longer than what is asked beside it waits.
      sleep: async (ms, signal) => {
        if (ms === BESIDE_AFTER_MS) await aborted(signal)
        else if (ms !== LIMIT_MS) await testClock.sleep(ms, signal)
      },
    },
    search: { hintsWithinMs: LIMIT_MS },
  })
  const told = async (searchQuery: string) => {
    const fields = { searchQuery, fixedInterval: 'allData', warnings: 'true' }
    const text = await (await over.search(fields, READER)).text()
    return [...text.matchAll(/<Warning code="([^"]*)" position="([^"]*)">/g)].map(
      ([, code, position]) => `${code} ${position}`,
    )
  }
  expect(await told('disk eror')).toEqual(['query.not_checked 1'])
  expect(await told('disk | count')).toEqual(['query.not_checked 1'])
  expect(await told('error')).toEqual([])
  expect(await told('* | count')).toEqual([])
  // Its rows show that there are such events.
  expect(await told('disk | count | group by host')).toEqual([])
  expect(await told('eror OR payment')).toEqual([])
  expect(await told('eror | count | group by host')).toEqual(['query.not_checked 1'])
  // Texts among the numbers of this column are known without the store.
  await pipeline.ingest(['ok', 503].map((state) => ({ message: 'state', state })))
  expect(await told('state >= 500')).toEqual(['query.not_checked 1'])
})

const aborted = (signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
