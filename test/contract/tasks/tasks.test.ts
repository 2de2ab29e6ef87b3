// Tasks: made, changed, removed; run by a collector alone.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Lease } from '../../../infra/database/lease.ts'
import { readCollectMark, saveCollectMark } from '../../../infra/metastore/collect/collect-marks.ts'
import { markPlaceOf } from '../../../infra/metastore/tasks/query-task-mark.ts'
import { listTasks } from '../../../infra/metastore/tasks/tasks.ts'
import { addTemplate } from '../../../infra/metastore/templates/template-changes.ts'
import { requireLog } from '../../../infra/metastore/tree/find-node.ts'
import { openSdkChannel, type SdkChannel } from '../../support/apps/sdk-channel.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'

const SCAN = { name: 'nightly', directory: '/var/log' }
const FILE = `<SyncLogsConfiguration>
  <SyncLogsRepository repositoryDirectory="/mnt/repo"/>
  <SyncLogsNode repositoryDirectory="a">
    <Remote><Account name="files"/></Remote>
    <SyncLogsDirectory syncDirectory="/var/log"/>
  </SyncLogsNode>
</SyncLogsConfiguration>`
const SYNC = { name: 'copies', configFile: FILE }

let product: QueryDatabase
let directory = ''
let sdk: SdkChannel

beforeEach(async () => {
  product = await openQueryDatabase()
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-tasks-'))
  sdk = openSdkChannel(product, { keyFile: join(directory, 'secrets.key') })
})
afterEach(async () => {
  await product.close()
  rmSync(directory, { recursive: true, force: true })
})

async function run(...[command, given, user]: Parameters<SdkChannel>) {
  const answer = await sdk(command, given, user)
  expect([command, answer.status, answer.message]).toEqual([command, 200, ''])
  return answer.response
}

const addFiles = () =>
  run('addSSHAccount', { name: 'files', host: 'a.example', userName: 'logs', userPassword: 'p' })
const exported = async (type: string, name: string) =>
  JSON.stringify(await run('exportObject', { type, name }))

describe('a query task', () => {
  const TASK = { name: 'orders', account: 'shop', log: 'orders', markColumn: 'id' }
  const QUERY = 'SELECT * FROM orders WHERE id > :mark'

  /** A task that has read up to 41. */
  beforeEach(async () => {
    for (const name of ['shop', 'other'])
      await run('addDatabaseAccount', { name, host: 'a', database: 'b', userName: 'c' })
    await run('addLog', { name: 'orders' })
    await run('addLog', { name: 'elsewhere' })
    await run('addQueryTask', { ...TASK, query: QUERY, firstMark: '7' })
    const { database } = product
    const lease = { database, clock: testClock, name: 'collector' }
    const held = await new Lease(lease).tryTake()
    if (held === undefined) throw new Error('the lease is not free')
    const [task] = await database.snapshot((transaction) => listTasks(transaction, 'query'))
    const log = await database.snapshot((transaction) => requireLog(transaction, ['orders']))
    if (task === undefined) throw new Error('there is no task')
    const read = await readCollectMark(database.read, log.id, markPlaceOf(task))
    await saveCollectMark({ database, held }, { ...read, mark: '41' }, 0)
  })

  const change = async (given: Record<string, string>) =>
    (await run('addQueryTask', { name: 'orders', update: 'true', ...given })).notes
  const generation = async () =>
    (await product.database.snapshot((transaction) => listTasks(transaction, 'query')))[0]?.settings
      .generation
  const NOTE =
    'the mark begins anew: the next run reads all rows behind 7; to go on behind 41 give -update true -mark keep before it'

  it.each<Record<string, string>>([
    { query: `${QUERY} AND TRUE` },
    { account: 'other' },
    { markColumn: 'at' },
    { mark: 'anew' },
  ])('begins its mark anew, and says so, with %o', async (given) => {
    expect(await change(given)).toEqual([NOTE])
    expect(await generation()).toBe(1)
    expect(await change({ cron: '* * * * *' })).toEqual([NOTE])
    // Before the next run it can be taken back, and a mark is never kept for nothing.
    expect(await change({ mark: 'keep' })).toEqual([])
    expect(await generation()).toBe(0)
  })

  it.each<Record<string, string>>([
    { query: QUERY, account: 'SHOP', markColumn: 'id' },
    { messageColumn: 'text', timeColumn: 'at', firstMark: '9' },
    { query: `${QUERY} AND TRUE`, account: 'other', mark: 'keep' },
    { log: 'elsewhere' },
  ])('keeps its mark with %o', async (given) => {
    expect(await change(given)).toEqual([])
    expect(await generation()).toBe(0)
  })

  it('takes no mark of a query in between for one that came later', async () => {
    const { database } = product
    const lease = { database, clock: testClock, name: 'another' }
    const held = await new Lease(lease).tryTake()
    if (held === undefined) throw new Error('the lease is not free')
    await change({ log: 'elsewhere', query: `${QUERY} AND 2 = 2` })
    const [task] = await database.snapshot((transaction) => listTasks(transaction, 'query'))
    const log = await database.snapshot((transaction) => requireLog(transaction, ['elsewhere']))
    if (task === undefined) throw new Error('there is no task')
    const read = await readCollectMark(database.read, log.id, markPlaceOf(task))
    const { generation } = task.settings
    await saveCollectMark({ database, held }, { ...read, mark: '1000', generation }, 0)
    expect(await change({ log: 'orders', query: QUERY, mark: 'keep' })).toEqual([])
    await change({ query: `${QUERY} AND 3 = 3` })
    expect(await change({ log: 'elsewhere' })).toEqual([
      expect.stringMatching(/^the mark begins anew: .* behind 1000 /),
    ])
  })

  it('counts on where its log is gone', async () => {
    await run('removeMember', { path: 'orders', type: 'log' })
    expect(await change({ query: `${QUERY} AND TRUE` })).toEqual([])
    expect(await generation()).toBe(1)
    expect(await change({ mark: 'keep' })).toEqual([])
    expect(await generation()).toBe(1)
  })

  it('is told of an account that leads elsewhere', async () => {
    const lead = async (given: Record<string, string>) =>
      (await run('addDatabaseAccount', { name: 'SHOP', update: 'true', ...given })).notes
    expect(await lead({ host: 'a', port: '5432', description: 'the same' })).toEqual([])
    const note = expect.stringMatching(/^1 query task goes on behind its mark: where this is ano/)
    for (const [name, value] of Object.entries({ host: 'b', port: '1', database: 'c' }))
      expect(await lead({ [name]: value })).toEqual([note])
    expect(await lead({ userName: 'd', port: '1' })).toEqual([])
    const other = { name: 'other', update: 'true', host: 'b' }
    expect((await run('addDatabaseAccount', other)).notes).toEqual([])
  })

  it('refuses another word', async () => {
    const given = { name: 'orders', update: 'true', mark: 'again' }
    expect(await sdk('addQueryTask', given)).toMatchObject({ status: 400 })
    const made = { ...TASK, name: 'made', query: QUERY, mark: 'keep' }
    expect(await sdk('addQueryTask', made)).toMatchObject({ status: 400 })
  })
})

describe('a scan task', () => {
  it('shows its next five runs in the zone of the system, and runs', async () => {
    await run('settings', { set: 'system.timeZone=Asia/Kolkata' })
    const made = await run('addScanTask', { ...SCAN, cron: ' 30  2 * * * ' })
    expect(made).toEqual({
      ...{ name: 'nightly', kind: 'scan task', enabled: true },
      nextRuns: Array.from({ length: 5 }, () => expect.stringMatching(/T02:30\+05:30$/)),
      notes: [],
    })
    expect(new Set(made.nextRuns).size).toBe(5)
    expect(made.nextRuns).toEqual([...made.nextRuns].sort())
  })

  it('has no runs without a schedule, and none while it is disabled', async () => {
    expect((await run('addScanTask', SCAN)).nextRuns).toEqual([])
    const change = { ...SCAN, update: 'true' }
    expect((await run('addScanTask', { ...change, cron: '* * * * *' })).nextRuns).toHaveLength(5)
    expect(await run('addScanTask', { name: 'NIGHTLY', update: 'true', enabled: 'false' })).toEqual(
      {
        ...{ name: 'nightly', kind: 'scan task', enabled: false, nextRuns: [], notes: [] },
      },
    )
    expect(await exported('scanTask', 'nightly')).toContain('* * * * *')
    const again = { name: 'nightly', update: 'true', enabled: 'true' }
    expect((await run('addScanTask', again)).nextRuns).toHaveLength(5)
  })

  it('keeps what a change does not name', async () => {
    await run('addFolder', { name: 'Web' })
    await run('addScanTask', { ...SCAN, parentFolder: 'Web', include: '*.log', scanLevel: '2' })
    const describe = async () =>
      product.database.snapshot((transaction) => listTasks(transaction, 'scan'))
    const [before] = await describe()
    await run('addScanTask', { name: 'nightly', update: 'true', description: 'mine' })
    expect(await describe()).toMatchObject([
      { ...before, description: 'mine', changedMs: expect.any(Number) },
    ])
  })

  it.each([
    ['no name', { directory: '/a' }, 'name', 'missing'],
    ['an empty name', { ...SCAN, name: ' ' }, 'name', 'must not be empty'],
    ['a name with a line end', { ...SCAN, name: 'a\nb' }, 'name', 'control'],
    ['a long name', { ...SCAN, name: 'x'.repeat(10_000) }, 'name', '255'],
    ['no directory', { name: 'a' }, 'directory', 'is missing'],
    ['an empty directory', { ...SCAN, directory: '' }, 'directory', 'must not be empty'],
    ['a part of a path', { ...SCAN, directory: 'var/log' }, 'directory', 'whole path'],
    ['a way upwards', { ...SCAN, directory: '/var/../etc' }, 'directory', 'must hold no ..'],
    ['a NUL', { ...SCAN, directory: '/var\0' }, 'directory', 'control'],
    ['a wrong schedule', { ...SCAN, cron: '60 * * * *' }, 'cron', 'five fields'],
    ['a day that never is', { ...SCAN, cron: '0 0 30 2 *' }, 'cron', 'no month has'],
    ['a path of files', { ...SCAN, include: '../*.log' }, 'include', 'names of files'],
    ['a wrong level', { ...SCAN, scanLevel: '-1' }, 'scanLevel', 'whole number'],
    ['the folder of the product', { ...SCAN, parentFolder: 'System' }, 'parentFolder', 'System'],
    ['a wrong flag', { ...SCAN, enabled: 'yes' }, 'enabled', 'true or false'],
    ['an unknown argument', { ...SCAN, assignedNode: 'a' }, 'assignedNode', 'not an argument'],
  ])('is refused with %s', async (_what, given, argument, reason) => {
    const answer = await sdk('addScanTask', given)
    expect(answer.status).toBe(400)
    expect(answer.message).toContain(`-${argument}: `)
    expect(answer.message).toContain(reason)
    expect((await run('list', { type: 'scanTask' })).objects).toEqual([])
  })

  it.each([
    ['folder', { parentFolder: 'Nowhere' }, 'there is no folder Nowhere'],
    ['account', { account: 'none' }, 'there is no account of the address book none'],
    ['listener as account', { account: 'web' }, 'there is no account of the address book web'],
    ['policy', { collectionPolicy: 'None' }, 'there is no collection policy None'],
    ['template', { template: 'None' }, 'there is no template None'],
  ])('names a %s that is there', async (_what, given, message) => {
    await run('addListener', { name: 'web' })
    expect(await sdk('addScanTask', { ...SCAN, ...given })).toMatchObject({ status: 404, message })
  })

  it('has a name of its own among tasks of all kinds', async () => {
    await addFiles()
    await run('addScanTask', SCAN)
    for (const again of [SCAN, { ...SCAN, name: 'Nightly' }])
      expect(await sdk('addScanTask', again)).toMatchObject({ status: 409 })
    expect(await sdk('addSyncLogTask', { ...SYNC, name: 'nightly' })).toMatchObject({
      status: 409,
      message: expect.stringContaining('the scan task nightly exists already'),
    })
    expect(await sdk('addSyncLogTask', { name: 'nightly', update: 'true' })).toMatchObject({
      status: 404,
    })
  })
})

describe('a log sync task', () => {
  it('keeps its file as it was given', async () => {
    await addFiles()
    const made = await run('addSyncLogTask', { ...SYNC, cron: '*/30 * * * *' })
    expect(made).toMatchObject({ kind: 'log sync task', notes: [] })
    expect(made.nextRuns).toHaveLength(5)
    expect(await exported('syncLogTask', 'copies')).toContain('/mnt/repo')
  })

  it('is refused with a file that is not right, and then nothing is kept', async () => {
    await addFiles()
    for (const [configFile, reason] of [
      ['<x/>', '-configFile: "x" is not an element of this file'],
      [`<!DOCTYPE a>${FILE}`, '-configFile: must hold no DOCTYPE'],
      [FILE + ' '.repeat(256 * 1024), '-configFile: must have at most 256 KiB'],
      ['', '-configFile: must name a file'],
    ] as const) {
      const answer = await sdk('addSyncLogTask', { name: 'copies', configFile })
      expect(answer).toMatchObject({ status: 400, message: expect.stringContaining(reason) })
    }
    expect((await run('list', { type: 'syncLogTask' })).objects).toEqual([])
  })

  it('names accounts of the address book', async () => {
    expect(await sdk('addSyncLogTask', SYNC)).toMatchObject({
      ...{ status: 404, message: 'there is no account of the address book files' },
    })
  })

  it('is assigned to a node that is known', async () => {
    await addFiles()
    const given = { ...SYNC, assignedNode: 'node-a' }
    expect(await sdk('addSyncLogTask', given)).toMatchObject({
      ...{ status: 400, message: expect.stringContaining('-assignedNode: ') },
    })
    const seen_ms = testClock.nowMs()
    await product.database.write(async (transaction) => {
      for (const name of ['node-a', 'node-b'])
        await transaction.insertInto('listening_nodes').values({ name, seen_ms }).execute()
    })
    const answer = await sdk('addSyncLogTask', { ...given, assignedNode: 'node-c' })
    expect(answer.message).toContain('-assignedNode: there is no listening node node-c')
    await run('addSyncLogTask', given)
    expect(await exported('syncLogTask', 'copies')).toContain('node-a')
  })
})

describe('running a task', () => {
  it('is refused without a collector, and others are not found', async () => {
    await addFiles()
    await run('addScanTask', SCAN)
    await run('addSyncLogTask', SYNC)
    for (const [command, name, status, message] of [
      ['executeTask', 'nightly', 409, 'no process with the role collector runs'],
      ['executeTask', 'COPIES', 409, 'no process with the role collector runs'],
      ['executeScanTask', 'NIGHTLY', 409, 'the task nightly failed: no process'],
      ['executeScanTask', 'copies', 404, 'there is no scan task copies'],
      ['executeTask', 'none', 404, 'there is no task none'],
      ['executeTask', '', 400, '-name: must not be empty'],
    ] as const) {
      const answer = await sdk(command, { name })
      expect([name, answer.status]).toEqual([name, status])
      expect(answer.message).toContain(message)
    }
  })
})

describe('what a task names', () => {
  it('cannot be removed before the task', async () => {
    await addFiles()
    await run('addCollectionPolicy', { name: 'Shop' })
    const mine = { description: '', logTypes: ['mine'], patterns: ['{text:Message}'] }
    await product.database.write(async (transaction) => {
      await addTemplate(transaction, testClock, 'Mine', mine)
    })
    const names = { account: 'files', collectionPolicy: 'Shop', template: 'Mine' }
    await run('addScanTask', { ...SCAN, ...names })
    await run('addSyncLogTask', SYNC)
    const removals = [
      ['removeAccount', { name: 'files' }, '1 scan task, 1 log sync task'],
      ['removeObject', { type: 'collectionPolicy', name: 'shop' }, '1 scan task'],
      ['removeObject', { type: 'template', name: 'mine' }, '1 scan task'],
    ] as const
    for (const [command, given, users] of removals) {
      const answer = await sdk(command, given)
      expect(answer).toMatchObject({
        status: 409,
        message: expect.stringContaining(`in use: ${users}`),
      })
    }
    await run('removeObject', { type: 'scanTask', name: 'nightly' })
    await run('removeObject', { type: 'syncLogTask', name: 'copies' })
    for (const [command, given] of removals) await run(command, given)
    expect(await sdk('removeObject', { type: 'scanTask', name: 'nightly' })).toMatchObject({
      ...{ status: 404, message: 'there is no scan task nightly' },
    })
  })
})

describe('tasks', () => {
  const ann = { name: 'ann', password: 'her own password' }

  async function addAnn(operations: string) {
    await run('securityPolicies', { action: 'add', policyName: 'some', operations })
    const user = { action: 'add', userName: ann.name, userPassword: ann.password }
    await run('securityUsers', { ...user, policy: 'some' })
  }

  it('need their operation for everything', async () => {
    await addFiles()
    await run('addScanTask', SCAN)
    await addAnn('data.policies,data.accounts,data.listeners')
    for (const [command, given] of [
      ['addScanTask', { ...SCAN, name: 'b' }],
      ['addScanTask', { name: 'nightly', update: 'true', enabled: 'false' }],
      ['addSyncLogTask', SYNC],
      ['executeTask', { name: 'nightly' }],
      ['executeTask', { name: 'none' }],
      ['executeScanTask', { name: 'nightly' }],
      ['list', { type: 'scanTask' }],
      ['exportObject', { type: 'scanTask', name: 'nightly' }],
      ['removeObject', { type: 'scanTask', name: 'nightly' }],
      ['duplicate', { type: 'scanTask', name: 'nightly', newName: 'b' }],
    ] as const)
      expect([command, (await sdk(command, given, ann)).status]).toEqual([command, 403])
    expect((await run('list', { type: 'scanTask' })).objects).toHaveLength(1)
  })

  it('collect only into folders that the user may view', async () => {
    await run('addFolder', { name: 'Hidden' })
    await addAnn('data.tasks')
    await run('setPermissions', { path: 'Hidden', type: 'folder', viewGroups: 'administrators' })
    const hidden = await sdk('addScanTask', { ...SCAN, parentFolder: 'Hidden' }, ann)
    const missing = await sdk('addScanTask', { ...SCAN, parentFolder: 'Missing' }, ann)
    expect(hidden).toMatchObject({ status: 404, message: 'there is no folder Hidden' })
    expect(missing.status).toBe(404)
  })

  it('are changed only by users who may edit the log that they fill', async () => {
    await run('addDatabaseAccount', { name: 'shop', host: 'a', database: 'b', userName: 'c' })
    await run('addLog', { name: 'orders' })
    const query = 'SELECT * FROM orders WHERE id > :mark'
    const task = { name: 'orders', account: 'shop', log: 'orders', markColumn: 'id', query }
    await run('addQueryTask', task)
    await addAnn('data.tasks,data.accounts')
    await run('setPermissions', { path: 'orders', type: 'log', editGroups: 'administrators' })
    const change = { name: 'orders', update: 'true', description: 'of the shop' }
    expect((await sdk('addQueryTask', change, ann)).status).toBe(403)
    await run('setPermissions', { path: 'orders', type: 'log', inherit: 'true' })
    expect((await sdk('addQueryTask', change, ann)).status).toBe(200)
  })
})
