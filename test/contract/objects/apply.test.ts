// A configuration from a file, by apply and exportAll: judged by what other commands and reads
// show.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATTERN_TOOLS } from '../../../ingest/patterns/samples/pattern-tools.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { readTreePaths } from '../../support/data/tree-paths.ts'
import { makeNewLog } from '../../support/database/new-log.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

async function openProduct() {
  const db = await openQueryDatabase()
  const store = makeFailingStore(() => [])
  const app = openTestApp(db, store, { patterns: PATTERN_TOOLS })
  const as = (name: string, password: string) =>
    makeConfigurationClient(app.call, { name, password })
  const admin = as('admin', db.adminPassword)
  const close = async () => {
    await app.app.stop()
    await db.close()
  }
  return { db, as, admin, close }
}

type Product = Awaited<ReturnType<typeof openProduct>>
let product: Product
let other: Product
beforeAll(async () => {
  product = await openProduct()
  other = await openProduct()
})
afterAll(async () => {
  await product.close()
  await other.close()
})

const TREE = 'folders-and-logs-configuration'
const pathsOf = async ({ admin }: Product) => readTreePaths((await admin.read(TREE)).response)
const namesOf = async ({ admin }: Product, type: string) => {
  const { response } = await admin.do('list', { type })
  return (response as { objects: { name: string }[] }).objects.map(({ name }) => name)
}
const auditedBy = async ({ database }: QueryDatabase, action: string) =>
  await database.read
    .selectFrom('audit')
    .select(['target', 'result', 'details'])
    .where('action', '=', action)
    .orderBy('id')
    .execute()

const FILE = `
# Permissions stand first on purpose: the order of the file does not count.
permission:
  - path: Web->Edge
    type: folder
    viewGroups: []
    viewUsers: [ann]
user:
  - userName: ann
    userPassword: \${env:ANN_PASSWORD}
    groups: ''
log:
  - name: access
    parentFolder: Web->Edge
    description: "who came, and when"
    filePaths:
      - /var/log/a.log
      - /var/log/b, c.log
folder:
  - name: Edge
    parentFolder: Web
  - name: Web
listener:
  - name: web
    parentFolder: Web
    ipMask: 255.255.255.0
    jsonParsingLevel: 2
    enabled: true
setting:
  - set: system.dateFormat=dd.MM.yyyy HH:mm:ss
`
const environment = JSON.stringify({ ANN_PASSWORD: 'her own password' })

describe('apply', () => {
  it('tells a plan and does nothing of it', async () => {
    const { admin, db } = product
    const before = await pathsOf(product)
    const planned = await admin.do('apply', { file: FILE, environment, dryRun: 'true' })
    expect(planned).toMatchObject({
      success: true,
      response: { dryRun: true, made: 6, changed: 1, unchanged: 0, removed: 0 },
    })
    expect(JSON.stringify(planned)).not.toContain('le_')
    expect(await pathsOf(product)).toEqual(before)
    expect(await namesOf(product, 'user')).toEqual(['admin'])
    expect(await auditedBy(db, 'sdk.addFolder')).toEqual([])
    const audited = JSON.stringify(await auditedBy(db, 'sdk.apply'))
    expect(audited).toContain('done')
    expect(audited).not.toContain('her own password')
    expect(audited).not.toContain('who came')
  })

  it('refuses what is wrong with its line, and changes nothing', async () => {
    const { admin } = product
    const before = await pathsOf(product)
    const cases = [
      [
        'permission:\n  - path: ROOT\n    type: folder\n    inherit: true\n',
        'line 2, permission folder.ROOT: there is no permission folder.ROOT',
      ],
      ['folder:\n  - name: a|b\n', 'line 2, name of a folder: must hold no ->, | or @#@#'],
      ['folder:\n  - name: a\n    nme: b\n', 'line 3, nme of a folder: is not an argument'],
      ['folder:\n  - name: a\n  - name: a\n', 'line 3: the folder a stands in line 2 already'],
      ['folders:\n  - name: a\n', 'line 1: there is no type folders; there are '],
      ['folder:\n  - a\n', 'line 2: an object of the type folder must be arguments'],
      ['folder:\n  - name: a\n  - name: b\n   bad\n', 'line 4: '],
      ['folder:\n  - &a\n    name: a\n  - *a\n', 'aliases are not read'],
      ['folder:\n  - name: a\n    name: b\n', 'line 3: name stands in this folder already'],
      ['user:\n  - userName: eve\n', 'line 2, userPassword of a user: is missing'],
      [
        `user:\n  - userName: eve\n    userPassword: \${env:EVE}\n`,
        'line 3, userPassword of a user: the environment variable EVE is not set',
      ],
      [
        `folder:\n  - name: \${env:ANN_PASSWORD}\n`,
        'line 2, name of a folder: only secrets are taken from the environment',
      ],
      ['user:\n  - userName: admin\n    action: remove\n', 'line 3, action of a user: is not part'],
      [
        'folder:\n  - name: ok\nlog:\n  - name: x\n    parentFolder: Nowhere\n',
        'line 4, log Nowhere->x: there is no folder Nowhere',
      ],
      [
        'folder:\n  - name: x|y\nuser:\n  - userName: a:b\n',
        '; line 4, userName of a user: must hold no colon',
      ],
    ] as const
    for (const [file, message] of cases)
      expect([file, await admin.do('apply', { file, environment })]).toMatchObject([
        file,
        { success: false, httpStatusCode: 400, errorMessage: expect.stringContaining(message) },
      ])
    expect(await pathsOf(product)).toEqual(before)
    expect(await namesOf(product, 'user')).toEqual(['admin'])
  })

  it('makes everything in its order, and a second time nothing', async () => {
    const { admin, db, as } = product
    const done = await admin.do('apply', { file: FILE, environment })
    expect(done).toMatchObject({ success: true, response: { made: 6, changed: 1, removed: 0 } })
    const { objects } = done.response as { objects: { type: string; shownOnce?: object }[] }
    expect(objects.map(({ type }) => type)).toEqual([
      ...['setting', 'user', 'folder', 'folder', 'listener', 'log', 'permission'],
    ])
    expect(objects.find(({ type }) => type === 'listener')?.shownOnce).toEqual({
      token: expect.stringMatching(/./),
    })
    expect(await pathsOf(product)).toEqual(
      expect.arrayContaining(['Web/', 'Web/Edge/', 'Web/Edge/access']),
    )
    const defined = await admin.read('log-configuration', {
      logPath: 'Web->Edge',
      logName: 'access',
    })
    expect(JSON.stringify(defined.response)).toContain('/var/log/b, c.log')
    // The password is the one of the environment, and the rights are those of the file.
    const ann = as('ann', 'her own password')
    expect(readTreePaths((await ann.read(TREE)).response)).toContain('Web/Edge/access')
    const settings = await admin.do('settings', { get: 'system.dateFormat' })
    expect(settings.response).toEqual({ 'system.dateFormat': 'dd.MM.yyyy HH:mm:ss' })
    expect(await auditedBy(db, 'sdk.addFolder')).toMatchObject([
      { target: 'Web', result: 'done' },
      { target: 'Edge', result: 'done' },
    ])
    expect(JSON.stringify(await auditedBy(db, 'sdk.securityUsers'))).not.toContain('her own')

    const versions = () => db.database.read.selectFrom('changes').selectAll().execute()
    const before = await versions()
    // Not even the variable is needed for what is there.
    const again = await admin.do('apply', { file: FILE })
    expect(again).toMatchObject({
      response: { made: 0, changed: 0, removed: 0, unchanged: 7, objects: [] },
    })
    expect(await versions()).toEqual(before)
  })

  it('changes what differs, and tells from what to what', async () => {
    const { admin } = product
    const file = FILE.replace('who came, and when', 'short').replace('Level: 2', 'Level: 4')
    const changed = await admin.do('apply', { file })
    expect(changed).toMatchObject({
      response: {
        ...{ made: 0, changed: 2, unchanged: 5 },
        objects: [
          { type: 'listener', changes: [{ field: 'jsonParsingLevel', from: '2', to: '4' }] },
          {
            ...{ type: 'log', name: 'Web->Edge->access', done: 'changed' },
            changes: [{ field: 'description', from: 'who came, and when', to: 'short' }],
          },
        ],
      },
    })
    await admin.do('apply', { file: FILE })
  })

  it("puts an operator's template into the place of a built-in one", async () => {
    const { admin } = product
    const own =
      'template:\n  - name: Apache access\n    logTypes: web\n    patterns: "{text:All}"\n'
    expect(await admin.do('apply', { file: own })).toMatchObject({ response: { made: 1 } })
    expect(await admin.do('apply', { file: own })).toMatchObject({ response: { unchanged: 1 } })
    const { response } = await admin.do('exportObject', { type: 'template', name: 'Apache access' })
    expect(response).toContain('patterns: "{text:All}"')
    const pruned = await admin.do('apply', { file: 'template: []\n', prune: 'true' })
    expect(pruned).toMatchObject({ response: { removed: 1 } })
    const { response: back } = await admin.do('list', { type: 'template', names: 'Apache access' })
    expect(back).toEqual({ objects: [{ name: 'Apache access', origin: 'product' }] })
  })

  it('does what its plan said or nothing', async () => {
    const { admin } = product
    const file = 'folder:\n  - name: Planned\n'
    const { response } = await admin.do('apply', { file, dryRun: 'true' })
    const { plan } = response as { plan: string }
    await admin.do('addFolder', { name: 'Planned', description: 'by somebody else' })
    expect(await admin.do('apply', { file, plan })).toMatchObject({ httpStatusCode: 409 })
    await admin.do('removeMember', { path: 'Planned', type: 'folder' })
    expect(await admin.do('apply', { file, plan })).toMatchObject({ success: true })
    await admin.do('removeMember', { path: 'Planned', type: 'folder' })
  })

  it('is done as a whole or not at all', async () => {
    const { admin, db } = product
    const before = await pathsOf(product)
    const file =
      'folder:\n  - name: First\nuser:\n  - userName: eve\n    userPassword: a long one\n    policy: nope\n'
    const failed = await admin.do('apply', { file })
    expect(failed).toMatchObject({
      success: false,
      errorMessage: expect.stringContaining('line 4, user eve: there is no policy nope'),
    })
    expect(await pathsOf(product)).toEqual(before)
    expect(await auditedBy(db, 'sdk.addFolder')).not.toMatchObject([{ target: 'First' }])
  })

  it('needs the right of every type that is in the file', async () => {
    const { as, db } = product
    await db.addUser('bob', 'his password')
    const bob = as('bob', 'his password')
    for (const file of ['folder:\n  - name: Mine\n', 'user: []\n', FILE])
      expect(await bob.do('apply', { file, environment })).toMatchObject({ httpStatusCode: 403 })
    expect(await pathsOf(product)).not.toContain('Mine/')
    await product.admin.do('securityUsers', { action: 'remove', userName: 'bob' })
  })
})

describe('exportAll', () => {
  it('writes what apply makes an equal configuration of, without secrets', async () => {
    await product.db.metastore.addLogs([
      makeNewLog({ folder: ['Hosts', 'a'], name: 'by-data', accountId: 1 }),
    ])
    const { response: file } = await product.admin.do('exportAll', {})
    if (typeof file !== 'string') throw new Error('no file')
    expect(file).not.toMatch(/her own password|\$argon|le_[A-Za-z0-9]/)
    expect(file).not.toContain('Hosts')
    const missing = await other.admin.do('apply', { file, dryRun: 'true' })
    expect(missing.errorMessage).toMatch(/variable LOGEYE_USER_ANN_USERPASSWORD is not set/)
    const values = JSON.stringify({ LOGEYE_USER_ANN_USERPASSWORD: 'another password' })
    expect(await other.admin.do('apply', { file, environment: values })).toMatchObject({
      success: true,
    })
    expect((await other.admin.do('exportAll', {})).response).toBe(file)
    expect(await other.admin.do('apply', { file })).toMatchObject({ response: { objects: [] } })
    expect(await product.admin.do('apply', { file, prune: 'true' })).toMatchObject({
      response: { objects: [] },
    })
  })

  it('says what the caller may not read', async () => {
    const ann = product.as('ann', 'her own password')
    const { response: file } = await ann.do('exportAll', {})
    expect(file).toContain('# left out, you may not read them: setting, ')
    expect(file).toContain('name: access')
    expect(file).not.toContain('userName')
  })
})

describe('apply -prune', () => {
  it('removes what operators made, of the types in the file, and says what becomes of data', async () => {
    const { admin } = product
    await admin.do('addFolder', { name: 'Old' })
    await admin.do('addFolder', { name: 'Older', parentFolder: 'Old' })
    await admin.do('addLog', { name: 'log', parentFolder: 'Old->Older' })
    const before = await pathsOf(product)
    // Web and Web->Edge are needed by the log, though the file does not name them.
    const file = 'folder: []\nlog:\n  - name: access\n    parentFolder: Web->Edge\nsetting: []\n'
    const planned = await admin.do('apply', { file, prune: 'true', dryRun: 'true' })
    const { objects } = planned.response as { objects: { name: string; notes: string[] }[] }
    expect(objects.map(({ name }) => name)).toEqual([
      ...['Old->Older->log', 'Old->Older', 'Old', 'system.dateFormat'],
    ])
    expect(objects[0]?.notes.join()).toContain('events stay on disk')
    expect(await pathsOf(product)).toEqual(before)
    await admin.do('apply', { file, prune: 'true' })
    expect(await pathsOf(product)).toEqual(before.filter((path) => !path.startsWith('Old/')))
    expect(await pathsOf(product)).toContain('Hosts/a/by-data')
    // Of types that the file does not name, nothing.
    expect(await namesOf(product, 'user')).toEqual(['admin', 'ann'])
    expect(await admin.do('apply', { file, prune: 'true' })).toMatchObject({
      response: { objects: [] },
    })
    const users = await admin.do('apply', { file: 'user: []\n', prune: 'true' })
    expect(users).toMatchObject({ response: { objects: [{ name: 'ann', done: 'removed' }] } })
    expect(await namesOf(product, 'user')).toEqual(['admin'])
  })
})
