// Folders and logs by the SDK, each judged by what the reads of the configuration show then.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raiseVersion } from '../../../infra/metastore/counters.ts'
import { setViewers } from '../../../infra/metastore/rights/node-permissions.ts'
import { PATTERN_TOOLS } from '../../../ingest/patterns/samples/pattern-tools.ts'
import { open, useServers } from '../../support/apps/http-server.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { callSdkClient } from '../../support/clients/call-sdk-client.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { readTreePaths } from '../../support/data/tree-paths.ts'
import { makeNewLog } from '../../support/database/new-log.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

useServers()

let db: QueryDatabase
let app: ReturnType<typeof openTestApp>
beforeAll(async () => {
  db = await openQueryDatabase()
  app = openTestApp(
    db,
    makeFailingStore(() => []),
    { patterns: PATTERN_TOOLS },
  )
})
afterAll(async () => {
  await app.app.stop()
  await db.close()
})

const admin = () => makeConfigurationClient(app.call, { name: 'admin', password: db.adminPassword })
const pathsOf = async (client = admin()) =>
  readTreePaths((await client.read('folders-and-logs-configuration')).response)
const defined = async (logPath: string, logName: string) =>
  (await admin().read('log-configuration', { logPath, logName })).response
const audited = async (action: string) => {
  const rows = db.database.read.selectFrom('audit').select(['target', 'result', 'user_name'])
  return await rows.where('action', '=', action).orderBy('id').execute()
}

describe('addFolder', () => {
  it('makes folders, changes them, and says what is wrong', async () => {
    const { do: run, read } = admin()
    expect(await run('addFolder', { name: 'Web' })).toMatchObject({
      success: true,
      response: { path: 'ROOT->Web' },
    })
    const given = { name: 'Edge', parentFolder: 'Web', description: 'the edge' }
    const made = (await run('addFolder', given)).response as { id: string }
    expect(made).toEqual({ id: expect.stringMatching(/^f\d+$/), path: 'ROOT->Web->Edge' })
    expect(await pathsOf()).toEqual(expect.arrayContaining(['Web/', 'Web/Edge/']))
    const nodeOf = async () => {
      const tree = await read('folders-and-logs-configuration', { sourceQuery: 'folder.Web->Edge' })
      return (tree.response as { children: { children: unknown[] }[] }).children[0]?.children[0]
    }
    const node = { ...made, path: undefined, name: 'Edge', type: 'Module', hasChildrens: false }
    const { path: _, ...shown } = { ...node, description: 'the edge', children: [] }
    expect(await nodeOf()).toEqual(shown)
    await run('addFolder', { ...given, description: 'changed', update: 'true' })
    expect(await nodeOf()).toEqual({ ...shown, description: 'changed' })
    await run('addFolder', { name: 'Edge', parentFolder: 'ROOT->Web', update: 'true' })
    expect(await nodeOf()).toEqual({ ...shown, description: 'changed' })
    const before = await pathsOf()
    const cases = [
      [{ name: 'Edge', parentFolder: 'Web' }, 409, 'the folder Web->Edge exists already, give'],
      [{ name: 'x', parentFolder: 'Nowhere' }, 404, 'there is no folder Nowhere'],
      [{ name: 'x', update: 'true' }, 404, 'there is no folder x'],
      [{ name: 'x', parentFolder: 'System' }, 400, '-parentFolder: the folder System is the prod'],
      [{ name: 'ROOT' }, 400, '-name: must not be ROOT'],
      [{}, 400, '-name: is missing'],
      [{ name: 'x', nme: 'y' }, 400, '-nme: is not an argument of this command'],
      [{ name: 'x', update: 'maybe' }, 400, '-update: must be true or false'],
    ] as const
    for (const [body, status, message] of cases)
      expect(await run('addFolder', body)).toMatchObject({
        success: false,
        httpStatusCode: status,
        errorMessage: expect.stringContaining(message),
      })
    expect(await pathsOf()).toEqual(before)
    expect(await audited('sdk.addFolder')).toEqual(
      expect.arrayContaining([
        { user_name: 'admin', target: 'Edge', result: 'done' },
        { user_name: 'admin', target: 'Edge', result: 'object.exists' },
      ]),
    )
  })

  it('takes any name that is one level, and refuses what is not, with a reason', async () => {
    const { do: run } = admin()
    await run('addFolder', { name: 'Names' })
    const good = [
      '..',
      '.',
      '🦊 log',
      '@#@',
      '-',
      'a>b',
      '日本',
      '-name',
      "'; drop",
      'n'.repeat(255),
    ]
    for (const name of good)
      expect([name, await run('addFolder', { name, parentFolder: 'Names' })]).toMatchObject([
        name,
        { success: true },
      ])
    expect(await pathsOf()).toEqual(expect.arrayContaining(good.map((it) => `Names/${it}/`)))
    const bad = [
      ['a->b', 'must hold no ->, | or @#@#'],
      ['a|b', 'must hold no ->, | or @#@#'],
      ['a@#@#b', 'must hold no ->, | or @#@#'],
      ['a\u0000b', 'must hold no control character'],
      ['a\nb', 'must hold no control character'],
      ['\ud83e', 'must be valid Unicode'],
      ['   ', 'must not be empty'],
      ['n'.repeat(256), 'must have at most 255 characters'],
      ['n'.repeat(10_000), 'must have at most 255 characters'],
    ] as const
    for (const command of ['addFolder', 'addLog'])
      for (const [name, reason] of bad)
        expect(await run(command, { name, parentFolder: 'Names' })).toMatchObject({
          httpStatusCode: 400,
          errorMessage: `-name: ${reason}`,
        })
    const refused = (await audited('sdk.addLog')).filter(({ result }) => result === 'sdk.argument')
    expect(refused.length).toBe(bad.length)
    expect(refused.map(({ target }) => target)).toContain('a\ufffdb')
  })
})

describe('addLog', () => {
  it('keeps every field of a definition, changes what is given, and says what has no effect yet', async () => {
    const { do: run } = admin()
    await run('addFolder', { name: 'Shop' })
    const given = {
      name: 'access',
      parentFolder: 'Shop',
      description: 'of the shop',
      filePaths: '/var/log/a.log@#@#/var/log/b.log',
      unc: '\\\\host\\System',
      pattern: '{text:A}@#@#{text:B}',
      template: 'Apache',
      collectionPolicy: 'default',
      appTags: 'Store,store,Edge',
      charSet: 'ISO-8859-1',
      timeZone: 'Asia/Kathmandu',
      dataFilterQuery: 'error or level = warn',
    }
    const answer = await run('addLog', given)
    expect(answer).toMatchObject({
      response: {
        path: 'ROOT->Shop->access',
        notes: ['unc: kept; it is read with -account and a Windows share account that is mounted'],
      },
    })
    const shown = {
      type: 'Log',
      id: (answer.response as { id: string }).id,
      name: 'access',
      description: 'of the shop',
      path: 'Shop',
      appTags: ['Store', 'Edge'],
      collectionPolicy: 'Default',
      patterns: ['{text:A}', '{text:B}'],
      filePaths: '/var/log/a.log@#@#/var/log/b.log',
      accountName: '',
      charSet: 'ISO-8859-1',
      timeZone: 'Asia/Kathmandu',
      dataFilterQuery: 'error or level = warn',
    }
    expect(await defined('ROOT->Shop', 'access')).toEqual(shown)
    const change = { name: 'access', parentFolder: 'Shop', update: 'true' }
    expect(
      await run('addLog', { ...change, description: '', filePaths: '', timeZone: '', charSet: '' }),
    ).toMatchObject({ success: true })
    const systemZone = db.metastore.setting('system.timeZone')
    expect(await defined('Shop', 'access')).toEqual({
      ...shown,
      ...{ description: '', filePaths: '', timeZone: systemZone, charSet: 'UTF-8' },
    })
    expect(await run('addLog', { name: 'plain' })).toMatchObject({ response: { notes: [] } })
    expect(await defined('ROOT', 'plain')).toMatchObject({ path: '', name: 'plain' })
  })

  it('refuses what it cannot keep, and keeps nothing of it', async () => {
    const { do: run } = admin()
    await run('addLog', { name: 'taken' })
    const before = await pathsOf()
    const cases = [
      [{ name: 'taken' }, 409, 'the log taken exists already, give -update true to change it'],
      [{ name: 'x', parentFolder: 'Nowhere' }, 404, 'there is no folder Nowhere'],
      [{ name: 'x', parentFolder: 'System->y' }, 400, 'the folder System'],
      [{ name: 'x', collectionPolicy: 'Gold' }, 404, 'there is no collection policy Gold'],
      [{ name: 'x', account: 'ssh-1' }, 404, 'there is no account of the address book ssh-1'],
      [{ name: 'x', charSet: 'klingon' }, 400, '-charSet: must be a character set, for example'],
      [{ name: 'x', timeZone: 'Mars/Base' }, 400, '-timeZone: must be an IANA time zone'],
      [{ name: 'x', dataFilterQuery: 'a | count' }, 400, '-dataFilterQuery: query error at'],
      [{ name: 'x', dataFilterQuery: 'a in log.b' }, 400, 'a scope (in …) is not possible'],
      [{ name: 'x', dataFilterQuery: 'a and' }, 400, '-dataFilterQuery: query error at'],
      [{ name: 'x', pattern: '{nope:A}' }, 400, '-pattern: '],
      [{ name: 'x', filePaths: 'a\u0007b' }, 400, '-filePaths: must hold no control character'],
      [{ name: 'x', indexingNode: 'n' }, 400, '-indexingNode: is not an argument'],
      [{ parentFolder: 'Shop' }, 400, '-name: is missing'],
    ] as const
    for (const [body, status, message] of cases)
      expect(await run('addLog', body)).toMatchObject({
        httpStatusCode: status,
        errorMessage: expect.stringContaining(message),
      })
    expect(await pathsOf()).toEqual(before)
  })
})

describe('addLog of a mounted share', () => {
  it('reads its paths where it is mounted, and refuses others', async () => {
    const { do: run } = admin()
    const share = { share: '\\\\files\\logs', mountPath: '/mnt/logs/' }
    await run('addWindowsShareAccount', { name: 'share', ...share })
    await run('addWindowsShareAccount', { name: 'far', share: '\\\\files\\far' })
    const add = (name: string, given: object) => run('addLog', { name, account: 'share', ...given })
    expect(await add('winlogs', { unc: '\\\\FILES\\Logs\\sub\\*.evtx' })).toMatchObject({
      response: { notes: ['unc: read as /mnt/logs/sub/*.evtx at the node of the collector'] },
    })
    expect(await defined('ROOT', 'winlogs')).toMatchObject({
      filePaths: '/mnt/logs/sub/*.evtx',
      accountName: 'share',
    })
    for (const [given, reason] of [
      [{ unc: '\\\\files\\logs2\\a.evtx' }, 'must lie below the share of share'],
      [{ unc: '\\\\files\\logs\\..\\a.evtx' }, 'must lie below the share of share'],
      [{ unc: '\\\\files\\logs\\a.evtx', filePaths: '/etc' }, 'instead of filePaths'],
      [{ unc: '\\\\files\\far\\a.evtx', account: 'far' }, 'is mounted nowhere'],
    ] as const)
      expect((await add('refused', given)).errorMessage).toContain(reason)
    const change = (given: object) => run('addLog', { name: 'winlogs', update: 'true', ...given })
    const pathsOf = async (given: object) => {
      expect(await change(given)).toMatchObject({ success: true })
      return await defined('ROOT', 'winlogs')
    }
    // What is not said again is as it was.
    expect(await pathsOf({ unc: '\\\\files\\logs\\b.evtx' })).toMatchObject({
      filePaths: '/mnt/logs/b.evtx',
    })
    expect(await pathsOf({ description: 'read' })).toMatchObject({ filePaths: '/mnt/logs/b.evtx' })
    await run('addWindowsShareAccount', { name: 'near', ...share, mountPath: '/mnt/near' })
    expect(await pathsOf({ account: 'near' })).toMatchObject({ filePaths: '/mnt/near/b.evtx' })
    expect((await change({ account: 'far' })).errorMessage).toContain('is mounted nowhere')
  })
})

describe('removeMember', () => {
  it('takes a folder with everything in it out of every read; made again, a log is the same one', async () => {
    const { do: run } = admin()
    await db.metastore.addLogs([
      makeNewLog({ folder: ['Old', 'Deep'], name: 'a', accountId: 1 }),
      makeNewLog({ folder: ['Old'], name: 'b' }),
    ])
    const idOf = async () => (await defined('Old->Deep', 'a')) as { id: string }
    const { id } = await idOf()
    expect(await run('removeMember', { path: 'ROOT->Old', type: 'folder' })).toMatchObject({
      response: {
        path: 'ROOT->Old',
        folders: 2,
        logs: 2,
        notes: [
          'the listener account Default has written here: its next event for such a log makes it again',
        ],
      },
    })
    expect((await pathsOf()).filter((path) => path.startsWith('Old'))).toEqual([])
    expect((await admin().rows()).filter((row) => row.includes('Old'))).toEqual([])
    expect(await idOf()).toBeNull()
    const gone = { httpStatusCode: 404, errorMessage: 'there is no folder Old' }
    expect(await run('removeMember', { path: 'Old', type: 'folder' })).toMatchObject(gone)

    await db.metastore.addLogs([makeNewLog({ folder: ['Old', 'Deep'], name: 'a', accountId: 1 })])
    expect((await pathsOf()).filter((path) => path.startsWith('Old'))).toEqual([
      'Old/',
      'Old/Deep/',
      'Old/Deep/a',
    ])
    expect((await idOf()).id).toBe(id)
    const log = { path: 'Old->Deep->a', type: 'log', data: 'keep' }
    expect(await run('removeMember', log)).toMatchObject({ response: { folders: 0, logs: 1 } })
    await run('addLog', { name: 'a', parentFolder: 'Old->Deep', description: 'again' })
    expect(await idOf()).toMatchObject({ id, description: 'again', filePaths: '' })
  })

  it('refuses what is not there, built in, or cannot be done yet', async () => {
    const { do: run } = admin()
    await run('addLog', { name: 'stays' })
    const cases = [
      [
        { path: 'stays', type: 'log', data: 'delete' },
        501,
        'deleting data with a log cannot be done yet, deleteData deletes its events; then give -data keep',
      ],
      [{ path: 'stays', type: 'folder' }, 404, 'there is no folder stays'],
      [{ path: 'System->rejected', type: 'log' }, 409, 'the log System->rejected is built in'],
      [{ path: 'System', type: 'folder' }, 409, 'the folder System is built in'],
      [{ path: 'ROOT', type: 'folder' }, 400, '-path: names no folder'],
      [{ path: 'a->->b', type: 'log' }, 400, '-path: "" is not a folder name'],
      [{ path: 'stays' }, 400, '-type: is missing'],
      [{ path: 'stays', type: 'log', force: 'true' }, 400, '-force: is not an argument'],
    ] as const
    for (const [body, status, message] of cases)
      expect(await run('removeMember', body)).toMatchObject({
        httpStatusCode: status,
        errorMessage: expect.stringContaining(message),
      })
    expect(await pathsOf()).toContain('stays')
  })
})

it('lets a user with data.logs change what he may view, and nothing else', async () => {
  const ann = makeConfigurationClient(app.call, { name: 'ann', password: 'her password' })
  const userId = await db.addUser('ann', 'her password')
  const names = [
    makeNewLog({ folder: ['Mixed', 'Hidden'], name: 'x' }),
    makeNewLog({ folder: ['Mixed'] }),
  ]
  await db.metastore.addLogs(names)
  const hidden = { kind: 'folder', levels: ['Mixed', 'Hidden'] } as const
  await db.database.write((t) => setViewers(t, hidden, { groups: [], users: [] }))
  const before = await pathsOf()
  for (const [command, given] of [
    ['addFolder', { name: 'y' }],
    ['addLog', { name: 'y' }],
    ['removeMember', { path: 'Mixed->log', type: 'log' }],
  ] as const)
    expect(await ann.do(command, given)).toMatchObject({ httpStatusCode: 403 })
  await db.database.write(async (t) => {
    const policy = { id: 50, name: 'logs', name_folded: 'logs', display_name: '', description: '' }
    const row = { ...policy, operations: '["data.logs"]', is_fixed: 0 } as const
    await t.insertInto('policies').values(row).execute()
    await t.updateTable('users').set({ policy_id: 50 }).where('id', '=', userId).execute()
    await raiseVersion(t, 'security')
  })
  for (const [command, given, status] of [
    ['addLog', { name: 'y', parentFolder: 'Mixed->Hidden' }, 404],
    ['addLog', { name: 'x', parentFolder: 'Mixed->Hidden', update: 'true' }, 404],
    ['addFolder', { name: 'Hidden', parentFolder: 'Mixed', update: 'true' }, 404],
    ['removeMember', { path: 'Mixed->Hidden->x', type: 'log' }, 404],
    ['removeMember', { path: 'Mixed->Hidden', type: 'folder' }, 404],
    ['removeMember', { path: 'Mixed', type: 'folder' }, 403],
  ] as const)
    expect([given, await ann.do(command, given)]).toMatchObject([given, { httpStatusCode: status }])
  expect(await pathsOf()).toEqual(before)
  expect(await ann.do('addLog', { name: 'y', parentFolder: 'Mixed' })).toMatchObject({
    success: true,
  })
  expect(await pathsOf()).toContain('Mixed/y')
})

it('exit codes are those of the client', async () => {
  const server = await open({ fetch: (request, client) => app.app.fetch(request, client) })
  const asAdmin = (command: string, ...words: string[]) =>
    callSdkClient([
      ...['-productURL', `http://127.0.0.1:${server.port}/logeye`, '-user', 'admin'],
      ...['-password', db.adminPassword, '-api', command, ...words],
    ])
  const made = await asAdmin('addLog', '-name', 'cli', '-charSet', 'GBK')
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toContain('notes: charSet: has no effect without filePaths\n')
  expect(await pathsOf()).toContain('cli')
  expect(await asAdmin('addLog', '-name', 'cli')).toMatchObject({
    code: 1,
    err: 'logeye-sdk: the log cli exists already, give -update true to change it\n',
  })
  expect(await asAdmin('addLog', '-name', 'a|b')).toMatchObject({
    code: 2,
    err: 'logeye-sdk: -name: must hold no ->, | or @#@#\n',
  })
  const words = ['-path', 'cli', '-type', 'log']
  expect((await asAdmin('removeMember', ...words, '-data', 'delete')).code).toBe(1)
  expect((await asAdmin('removeMember', ...words)).code).toBe(0)
  expect(await pathsOf()).not.toContain('cli')
})
