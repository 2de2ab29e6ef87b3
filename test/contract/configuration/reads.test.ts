// The three reads of the configuration: exact fields and bytes, and nothing of what a user may not
// view.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inheritViewers, setViewers } from '../../../infra/metastore/rights/node-permissions.ts'
import { PATTERN_TOOLS } from '../../../ingest/patterns/samples/pattern-tools.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { readTreePaths } from '../../support/data/tree-paths.ts'
import { makeNewLog } from '../../support/database/new-log.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

const ANN = { name: 'ann', password: 'her password' }

let db: QueryDatabase
let app: ReturnType<typeof openTestApp>
beforeAll(async () => {
  db = await openQueryDatabase()
  app = openTestApp(
    db,
    makeFailingStore(() => []),
    { patterns: PATTERN_TOOLS },
  )
  await db.addUser(ANN.name, ANN.password)
  await db.metastore.addLogs([
    makeNewLog({ folder: ['Web', 'Edge'], name: 'access', accountId: 1, appTags: ['Shop', 'A,b'] }),
    makeNewLog({ folder: ['Web'], name: 'b', appTags: ['Shop'] }),
    makeNewLog({ folder: ['Web'], name: 'B' }),
    makeNewLog({ folder: ['Secret'], name: 'keys', appTags: ['Shop'] }),
    makeNewLog({ folder: [], name: 'top' }),
  ])
  const secret = { kind: 'folder', levels: ['Secret'] } as const
  await db.database.write((t) => setViewers(t, secret, { groups: [], users: [] }))
  const { do: run } = admin()
  await run('settings', { set: 'system.timeZone=Europe/Berlin' })
  await run('addFolder', { name: 'Empty', description: 'nothing here' })
})
afterAll(async () => {
  await app.app.stop()
  await db.close()
})

const admin = () => makeConfigurationClient(app.call, { name: 'admin', password: db.adminPassword })
const ann = () => makeConfigurationClient(app.call, ANN)
const TREE = 'folders-and-logs-configuration'
const pathsOf = async (client: ReturnType<typeof ann>, sourceQuery?: string) =>
  readTreePaths(
    (await client.read(TREE, sourceQuery === undefined ? {} : { sourceQuery })).response,
  )

describe(TREE, () => {
  it('answers the envelope with the tree, to the byte', async () => {
    const answer = await admin().get(`restapi/${TREE}`, { sourceQuery: 'log.Web->Edge->access' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await answer.text()).toBe(
      '{"success":true,"errorMessage":null,"response":{"id":"root","name":"ROOT","description":"","type":"Module","hasChildrens":true,"children":[' +
        '{"id":"f2","name":"Web","description":"","type":"Module","hasChildrens":true,"children":[' +
        '{"id":"f3","name":"Edge","description":"","type":"Module","hasChildrens":true,"children":[' +
        '{"id":"l2","name":"access","description":"","type":"Log","hasChildrens":false,"children":[]}]}]}]},"httpStatusCode":200}\n',
    )
  })

  it('shows folders first, each by name, and what a sourceQuery selects', async () => {
    expect(await pathsOf(admin())).toEqual([
      ...['Empty/', 'Secret/', 'Secret/keys', 'System/', 'System/rejected'],
      ...['Web/', 'Web/Edge/', 'Web/Edge/access', 'Web/B', 'Web/b', 'top'],
    ])
    expect(await pathsOf(admin(), '')).toEqual(await pathsOf(admin()))
    expect(await pathsOf(admin(), '*')).toEqual(await pathsOf(admin()))
    expect(await pathsOf(admin(), 'apptag.Shop')).toEqual([
      ...['Secret/', 'Secret/keys', 'Web/', 'Web/Edge/', 'Web/Edge/access', 'Web/b'],
    ])
    expect(await pathsOf(admin(), 'folder.Edge, apptag.Nope, folder.Empty')).toEqual([
      ...['Empty/', 'Web/', 'Web/Edge/', 'Web/Edge/access'],
    ])
    expect(await pathsOf(admin(), 'folder.web')).toEqual([])
    const none = await admin().read(TREE, { sourceQuery: 'apptag.Nope' })
    expect(none.response).toEqual({
      ...{ id: 'root', name: 'ROOT', description: '', type: 'Module' },
      ...{ hasChildrens: false, children: [] },
    })
  })

  it('shows a user nothing of what he may not view', async () => {
    const seen = ['Empty/', 'Web/', 'Web/Edge/', 'Web/Edge/access', 'Web/B', 'Web/b', 'top']
    expect(await pathsOf(ann())).toEqual(seen)
    expect(await pathsOf(ann(), 'folder.Secret')).toEqual([])
    expect(await pathsOf(ann(), 'apptag.Shop')).not.toContain('Secret/keys')
    // A log that he may view shows the folders above it, though he may not view those.
    const keys = { kind: 'log', levels: ['Secret', 'keys'] } as const
    await db.database.write((t) => setViewers(t, keys, { groups: [], users: ['ann'] }))
    expect(await pathsOf(ann(), 'folder.Secret')).toEqual(['Secret/', 'Secret/keys'])
    await db.database.write((t) => inheritViewers(t, keys))
  })

  it('refuses what is no scope', async () => {
    for (const [sourceQuery, message] of [
      ['Web', 'sourceQuery: query error at 1: log., folder.'],
      ['folder.Web | count', 'sourceQuery: query error at 12: a comma or the end is expected'],
      ['folder.', 'sourceQuery: query error at 8: a name is expected'],
      ['server.web-01', 'sourceQuery: server. and file. name no logs'],
    ] as const)
      expect(await admin().read(TREE, { sourceQuery })).toEqual({
        success: false,
        errorMessage: expect.stringContaining(message),
        response: null,
        httpStatusCode: 400,
      })
    const twice = await admin().get(`restapi/${TREE}`, [
      ['sourceQuery', 'folder.Web'],
      ['sourceQuery', '*'],
    ])
    expect(twice.status).toBe(400)
  })
})

describe('log-configuration', () => {
  it('answers one definition, with ROOT and without', async () => {
    const shown = {
      ...{ type: 'Log', id: 'l2', name: 'access', description: '', path: 'Web->Edge' },
      ...{ appTags: ['Shop', 'A,b'], collectionPolicy: 'Default', patterns: [] },
      ...{ filePaths: 'listener:Default', accountName: '', charSet: 'UTF-8' },
      ...{ timeZone: 'Europe/Berlin', dataFilterQuery: '' },
    }
    const read = async (logPath: string) =>
      (await admin().read('log-configuration', { logPath, logName: 'access' })).response
    expect(await read('ROOT->Web->Edge')).toEqual(shown)
    expect(await read('Web->Edge')).toEqual(shown)
    await admin().do('addListener', { name: 'Default', update: 'true', timeZone: 'Asia/Tokyo' })
    expect(await read('Web->Edge')).toEqual({ ...shown, timeZone: 'Asia/Tokyo' })
  })

  it('answers what may not be viewed like what is not there', async () => {
    const read = (client: ReturnType<typeof ann>, logPath: string, logName: string) =>
      client.read('log-configuration', { logPath, logName })
    const missing = { success: false, response: null, httpStatusCode: 404 }
    expect(await read(ann(), 'ROOT->Secret', 'keys')).toEqual({
      ...missing,
      errorMessage: 'there is no log Secret->keys',
    })
    expect(await read(ann(), 'ROOT->Secret', 'nope')).toEqual({
      ...missing,
      errorMessage: 'there is no log Secret->nope',
    })
    expect(await read(admin(), 'ROOT->web', 'access')).toMatchObject(missing)
    expect(await admin().read('log-configuration', { logPath: 'ROOT' })).toMatchObject({
      httpStatusCode: 400,
      errorMessage: 'logName: is missing',
    })
    expect((await app.call('/logeye/restapi/log-configuration')).status).toBe(401)
  })
})

describe('logs-configuration', () => {
  it('answers a row of thirteen columns a log, sorted, as text', async () => {
    const answer = await admin().get('restapi/logs-configuration', { sourceQuery: 'folder.Web' })
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const zone = 'UTF-8 | Europe/Berlin | '
    expect(await answer.text()).toBe(
      [
        `Log | l4 | B |  | Web |  | Default |  |  |  | ${zone}\n`,
        `Log | l3 | b |  | Web | Shop | Default |  |  |  | ${zone}\n`,
        'Log | l2 | access |  | Web->Edge | Shop, A,b | Default |  | listener:Default |  | UTF-8 | Asia/Tokyo | \n',
      ].join(''),
    )
    const none = await admin().get('restapi/logs-configuration', { sourceQuery: 'apptag.Nope' })
    expect([none.status, await none.text()]).toEqual([200, ''])
  })

  it('keeps a row one row of thirteen columns, whatever values hold', async () => {
    const { do: run, rows, read } = admin()
    const hostile = { name: '🦊 .. " log', description: 'a | b || c', pattern: '{choice:M;,A|B}' }
    await run('addLog', { ...hostile, dataFilterQuery: 'x and y', appTags: '["a|b","c, d"]' })
    const found = (await rows()).filter((row) => row.includes('🦊'))
    expect(found.map((row) => row.split(' | ').length)).toEqual([13])
    expect(found[0]).toContain(
      ' | 🦊 .. " log | a   b    c |  | a b, c, d | Default | {choice:M;,A B} | ',
    )
    const { response } = await read('logs-configuration', { sourceQuery: 'apptag."a|b"' })
    expect(response).toEqual(found)
  })

  it('shows a user his logs only, and errors in the envelope', async () => {
    expect((await ann().rows()).join('\n')).not.toMatch(/Secret|System/)
    const wrong = await admin().get('restapi/logs-configuration', { sourceQuery: 'x' })
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toMatchObject({ success: false, httpStatusCode: 400 })
  })
})
