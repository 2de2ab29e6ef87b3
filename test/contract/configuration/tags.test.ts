// App tags by the SDK. A tag's members are the same for the search, the reads of the configuration,
// the statistics, completion and answers of the JSON interface.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raiseVersion } from '../../../infra/metastore/counters.ts'
import { openMetastore } from '../../../infra/metastore/open.ts'
import { setViewers } from '../../../infra/metastore/rights/node-permissions.ts'
import { requireTag } from '../../../infra/metastore/tags/app-tags.ts'
import { readTagQuery } from '../../../query/configuration/source-scope.ts'
import { complete } from '../../../query/search-json/calls/complete.ts'
import { events } from '../../../query/search-json/calls/events.ts'
import { statisticsAnswer } from '../../../schemas/public-calls/configuration.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import {
  type Credentials,
  makeConfigurationClient,
} from '../../support/clients/configuration-client.ts'
import { makeJsonClient } from '../../support/clients/json-client.ts'
import { readTreePaths } from '../../support/data/tree-paths.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { SOON } from '../../support/run/patience.ts'
import { testClock } from '../../support/run/test-clock.ts'

const ANN = { name: 'ann', password: 'her password' }
const WINDOW = { start: '2020-01-01T00:00:00Z', end: '2100-01-01T00:00:00Z' }

let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>
let root: Credentials
beforeAll(async () => {
  pipeline = await openSearchPipeline()
  root = { name: 'admin', password: pipeline.db.adminPassword }
  app = openTestApp(pipeline.db, pipeline.engine.store, { readArrived: pipeline.readArrived })
  await send('Web->Edge', 'access')
  await send('Web->Edge', 'errors')
  await send('Shop', 'access 2')
  await send('Shop', 'orders')
  await send('Vault', 'gold')
  const userId = await pipeline.db.addUser(ANN.name, ANN.password)
  const vault = { kind: 'folder', levels: ['Events', 'Vault'] } as const
  await pipeline.db.database.write(async (t) => {
    await setViewers(t, vault, { groups: [], users: [] })
    const row = { id: 51, name: 'tags', name_folded: 'tags', display_name: '', description: '' }
    const operations = '["data.appTags"]'
    await t
      .insertInto('policies')
      .values({ ...row, operations, is_fixed: 0 })
      .execute()
    await t.updateTable('users').set({ policy_id: 51 }).where('id', '=', userId).execute()
    await raiseVersion(t, 'security')
  })
})
afterAll(async () => {
  await app.app.stop()
  await pipeline.stop()
})

const send = (path: string, log: string) =>
  pipeline.ingest([{ message: `of ${log}`, productPath: path, productName: log }])
const as = (user: Credentials) => makeConfigurationClient(app.call, user)
const tag = (given: Readonly<Record<string, string>>, user = root) =>
  as(user).do('addAppTag', given)

/** Names of the tag's logs, as every read tells them. */
async function membersOf(name: string, user = root) {
  const client = as(user)
  const sourceQuery = `apptag.${name}`
  const credentials = { autoLogin: 'true', username: user.name, password: user.password }
  const query = `* in apptag.${name} | count | group by log | order by log`
  const found = await app.search(
    { searchQuery: query, fixedInterval: 'allData', resultFormat: 'csv' },
    credentials,
  )
  const csv = /CDATA\[(.*?)\]\]/s.exec(await found.text())?.[1] ?? ''
  const searched = csv
    .split('\n')
    .slice(1, -1)
    .map((row) => row.split(',')[0])
  const rows = (await client.rows({ sourceQuery })).map((row) => row.split(' | ')[2])
  const { response } = await client.read('folders-and-logs-configuration', { sourceQuery })
  const tree = readTreePaths(response).filter((path) => !path.endsWith('/'))
  const described = await Promise.all(
    tree.map(async (path) => {
      const levels = path.split('/')
      const [logName = ''] = levels.slice(-1)
      const logPath = levels.slice(0, -1).join('->')
      return (await client.read('log-configuration', { logPath, logName })).response
    }),
  )
  const statistics = await client.get('message/messageJsonApi.jsp', {
    ...{ api: 'collectedDataInfo', type: 'AppTags', timeFrame: 'allData' },
  })
  const counted = statisticsAnswer
    .parse(await statistics.json())
    .data.collectionData.find((it) => 'AppTags' in it && it.AppTags === name)
  const json = await makeJsonClient(app.call, user).ask(events, {
    ...WINDOW,
    query: `apptag = "${name}"`,
  })
  const named = new Set(json.data.map(({ log }) => log))
  const suggested = await makeJsonClient(app.call, user).ask(complete, {
    ...WINDOW,
    query: `* in apptag.${name.slice(0, 2)}`,
  })
  const names = [...searched].sort()
  expect([...rows].sort()).toEqual(names)
  expect(tree.map((path) => path.split('/').at(-1)).sort()).toEqual(names)
  for (const one of described)
    expect(one).toMatchObject({ appTags: expect.arrayContaining([name]) })
  expect(counted?.totalLogs ?? 0).toBe(names.length)
  expect([...named].sort()).toEqual(names)
  expect(suggested.suggestions.some(({ text }) => text.includes(name))).toBe(names.length > 0)
  return names
}

describe('addAppTag', () => {
  it('has members by a source query, also logs that are new', async () => {
    expect(await tag({ name: 'Front', sourceQuery: 'folder.Web, log.access*' })).toMatchObject({
      success: true,
      response: { name: 'Front', notes: [] },
    })
    expect(await membersOf('Front')).toEqual(['access', 'access 2', 'errors'])
    await send('Web->Deep->Down', 'new one')
    expect(await membersOf('Front')).toEqual(['access', 'access 2', 'errors', 'new one'])
    await tag({ name: 'front', sourceQuery: 'log.access*', update: 'true' })
    expect(await membersOf('Front')).toEqual(['access', 'access 2'])
  })

  it('unites names on logs, folders, logs, accounts and the query', async () => {
    await as(root).do('addLog', { name: 'by name', parentFolder: 'Events', appTags: 'Union' })
    await pipeline.ingest([{ message: 'x', productName: 'by name' }])
    expect(await membersOf('Union')).toEqual(['by name'])
    await tag({ name: 'Union', folders: 'Events->Web->Edge' })
    expect(await tag({ name: 'Union' })).toMatchObject({ httpStatusCode: 409 })
    expect(await membersOf('Union')).toEqual(['access', 'by name', 'errors'])
    await tag({ name: 'Union', logs: 'Events->Shop->orders', update: 'true' })
    expect(await membersOf('Union')).toEqual(['access', 'by name', 'errors', 'orders'])
    await tag({ name: 'Union', folders: '', sourceQuery: 'apptag.Front', update: 'true' })
    expect(await membersOf('Union')).toEqual(['access', 'access 2', 'by name', 'orders'])
    await as(root).do('addListener', { name: 'other', parentFolder: 'Other' })
    await tag({ name: 'Union', logs: '', sourceQuery: '', accounts: 'OTHER', update: 'true' })
    const accounts = pipeline.db.database.read.selectFrom('listener_accounts').select('id')
    const { id } = await accounts.where('name', '=', 'other').executeTakeFirstOrThrow()
    await pipeline.ingest([{ message: 'y' }], { accountId: id })
    expect(await membersOf('Union')).toEqual(['by name', 'other'])
  })

  it('keeps description, parameters and zone', async () => {
    const given = {
      description: 'shop',
      parameters: 'owner=shop team,tier=1',
      timeZone: 'Asia/Tokyo',
    }
    expect(await tag({ name: 'Facts', ...given })).toMatchObject({
      response: { notes: ['parameters: kept, but nothing of this version uses them'] },
    })
    const kept = await pipeline.db.database.write((t) => requireTag(t, 'facts'))
    expect(kept).toMatchObject({
      name: 'Facts',
      tag: {
        description: 'shop',
        parameters: { owner: 'shop team', tier: '1' },
        timeZone: 'Asia/Tokyo',
      },
    })
    expect(await membersOf('Facts')).toEqual([])
  })

  it('refuses what is wrong, and changes nothing by it', async () => {
    await tag({ name: 'A', sourceQuery: 'apptag.B' })
    await tag({ name: 'B', sourceQuery: 'apptag.C*' })
    const before = await pipeline.db.database.write((t) => requireTag(t, 'Front'))
    const cases = [
      [{ name: 'front' }, 409, 'the app tag front exists already, give -update true'],
      [{ name: 'none', update: 'true' }, 404, 'there is no app tag none'],
      [{ name: 'a,b' }, 400, '-name: must hold no ,'],
      [
        { name: 'x', sourceQuery: 'server.web*' },
        400,
        '-sourceQuery: server. and file. name no logs',
      ],
      [{ name: 'x', sourceQuery: 'nothing' }, 400, '-sourceQuery: '],
      [
        { name: 'x', sourceQuery: 'apptag.x' },
        400,
        '-sourceQuery: asks for logs with this tag itself',
      ],
      [
        { name: 'x', sourceQuery: 'apptag.*' },
        400,
        '-sourceQuery: asks for logs with this tag itself',
      ],
      [
        { name: 'C1', sourceQuery: 'apptag.A' },
        400,
        '-sourceQuery: asks for a tag that asks for this',
      ],
      [{ name: 'x', folders: 'Nowhere' }, 404, 'there is no folder Nowhere'],
      [{ name: 'x', folders: 'ROOT' }, 400, '-folders: the root is no member'],
      [{ name: 'x', logs: 'Events->Web' }, 404, 'there is no log Events->Web'],
      [{ name: 'x', accounts: 'nobody' }, 404, 'there is no account nobody'],
      [{ name: 'x', timeZone: 'Mars/Base' }, 400, '-timeZone: must be an IANA'],
      [{ name: 'x', parameters: 'a' }, 400, '-parameters: must be at most 100'],
      [{ name: 'x', parameters: 'a=1,a=2' }, 400, '-parameters: must be at most 100'],
      [{ name: 'x', color: 'red' }, 400, '-color: is not an argument of this command'],
    ] as const
    for (const [given, status, message] of cases)
      expect([given, await tag(given)]).toMatchObject([
        given,
        { success: false, httpStatusCode: status, errorMessage: expect.stringContaining(message) },
      ])
    expect(await pipeline.db.database.write((t) => requireTag(t, 'Front'))).toEqual(before)
    expect(await tag({ name: 'x', update: 'true' })).toMatchObject({ httpStatusCode: 404 })
  })
})

describe('for a user who may not view some logs', () => {
  it('a tag holds what he may view, and one of other logs is not there', async () => {
    await tag({ name: 'Mixed', sourceQuery: 'log.gold, log.orders' })
    await tag({ name: 'Secret', folders: 'Events->Vault' })
    expect(await membersOf('Mixed')).toEqual(['gold', 'orders'])
    expect(await membersOf('Secret')).toEqual(['gold'])
    expect(await membersOf('Mixed', ANN)).toEqual(['orders'])
    expect(await membersOf('Secret', ANN)).toEqual([])
    const answers = []
    for (const name of ['Secret', 'Never'])
      answers.push(await tag({ name, description: 'x', update: 'true' }, ANN))
    expect(answers[0]?.errorMessage?.replace('Secret', 'Never')).toBe(answers[1]?.errorMessage)
  })

  it('he takes out nothing that he may not view, and adds nothing', async () => {
    await tag({ name: 'Hand', folders: 'Events->Vault', logs: 'Events->Shop->orders' })
    expect(await tag({ name: 'Hand', folders: '', logs: '', update: 'true' }, ANN)).toMatchObject({
      success: true,
    })
    expect(await membersOf('Hand')).toEqual(['gold'])
    const hidden: Record<string, string>[] = [
      { folders: 'Events->Vault' },
      { logs: 'Events->Vault->gold' },
    ]
    for (const given of hidden)
      expect(await tag({ name: 'Mine', ...given }, ANN)).toMatchObject({ httpStatusCode: 404 })
    await pipeline.db.addUser('bob', 'his password')
    const bob = { name: 'bob', password: 'his password' }
    expect(await tag({ name: 'Mine' }, bob)).toMatchObject({ httpStatusCode: 403 })
  })
})

it('is soon known to every process', async () => {
  const other = await openMetastore({
    database: pipeline.db.database,
    logger: silentLogger,
    clock: testClock,
  })
  other.readSourceQueriesBy(readTagQuery)
  await tag({ name: 'Quick', sourceQuery: 'log.orders' })
  await expect.poll(() => other.tag('Quick')?.tag.sourceQuery, SOON).toBe('log.orders')
  const { logs } = await other.tree()
  const members = [...logs.values()].filter(({ appTags }) => appTags.includes('Quick'))
  expect(members.map(({ name }) => name)).toEqual(['orders'])
  await other.close()
})

it('a removed tag is on no log, and an account that gives it keeps it', async () => {
  await tag({ name: 'Gone', sourceQuery: 'folder.Shop' })
  await as(root).do('addLog', { name: 'direct', parentFolder: 'Events', appTags: 'Gone' })
  await pipeline.ingest([{ message: 'z', productName: 'direct' }])
  expect(await membersOf('Gone')).toEqual(['access 2', 'direct', 'orders'])
  await as(root).do('addListener', { name: 'giver', appTags: 'Gone' })
  const remove = (user = root) => as(user).do('removeObject', { type: 'appTag', name: 'gone' })
  expect(await remove()).toMatchObject({
    httpStatusCode: 409,
    errorMessage: expect.stringContaining('is in use'),
  })
  await as(root).do('addListener', { name: 'giver', appTags: '', update: 'true' })
  for (const name of ['Secret', 'Never'])
    expect(await as(ANN).do('removeObject', { type: 'appTag', name })).toMatchObject({
      httpStatusCode: 404,
      errorMessage: `there is no app tag ${name}`,
    })
  expect(await remove()).toMatchObject({ success: true })
  expect(await membersOf('Gone')).toEqual([])
})
