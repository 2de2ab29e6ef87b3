// Objects one by one: exportObject, importObject, duplicate, removeObject, and the client's part.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATTERN_TOOLS } from '../../../ingest/patterns/samples/pattern-tools.ts'
import { OBJECT_TYPES } from '../../../schemas/object-types.ts'
import { open, useServers } from '../../support/apps/http-server.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { callSdkClient } from '../../support/clients/call-sdk-client.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { readTreePaths } from '../../support/data/tree-paths.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

useServers()

let db: QueryDatabase
let app: ReturnType<typeof openTestApp>
let folder: string
beforeAll(async () => {
  db = await openQueryDatabase()
  const store = makeFailingStore(() => [])
  app = openTestApp(db, store, { patterns: PATTERN_TOOLS })
  folder = mkdtempSync(join(tmpdir(), 'logeye-test-objects-'))
  await admin().do('addFolder', { name: 'Web' })
  await admin().do('addLog', { name: 'access', parentFolder: 'Web', description: 'one' })
  await admin().do('addListener', { name: 'web', parentFolder: 'Web', ipMask: '16' })
  await admin().do('addFolder', { name: 'Secret' })
  await admin().do('setPermissions', { path: 'Secret', type: 'folder', viewGroups: '' })
  await db.addUser('ann', 'her password')
})
afterAll(async () => {
  await app.app.stop()
  await db.close()
  rmSync(folder, { recursive: true })
})

const as = (name: string, password: string) => makeConfigurationClient(app.call, { name, password })
const admin = () => as('admin', db.adminPassword)
const ann = () => as('ann', 'her password')
const namesOf = async (type: string, names = '*', client = admin()) =>
  (
    (await client.do('list', { type, names })).response as { objects: { name: string }[] }
  ).objects.map(({ name }) => name)
const exported = async (type: string, name: string) => {
  const { response } = await admin().do('exportObject', { type, name })
  if (typeof response !== 'string') throw new Error(`${type} ${name} was not exported`)
  return response
}

describe('list', () => {
  it('finds names by a glob', async () => {
    expect(await namesOf('log')).toEqual(['Web->access'])
    expect(await namesOf('log', 'web->*s?')).toEqual(['Web->access'])
    expect(await namesOf('log', '*x*')).toEqual([])
    expect(await namesOf('listener')).toEqual(['Default', 'web'])
    expect(await namesOf('setting', 'system.*')).toContain('system.timeZone')
  })

  it('shows a user what he may know of', async () => {
    expect(await namesOf('folder', '*', ann())).toEqual(['Web'])
    for (const type of OBJECT_TYPES.filter((it) => it !== 'folder' && it !== 'log'))
      expect([type, await ann().do('list', { type })]).toMatchObject([
        type,
        { httpStatusCode: 403 },
      ])
    const hidden = { type: 'folder', name: 'Secret' }
    for (const command of ['exportObject', 'duplicate'] as const)
      expect(
        await ann().do(command, {
          ...hidden,
          ...(command === 'duplicate' ? { newName: 'x' } : {}),
        }),
      ).toMatchObject({
        httpStatusCode: 404,
        errorMessage: 'there is no folder Secret',
      })
    const web = { type: 'folder', name: 'Web', newName: 'Mine' }
    expect(await ann().do('duplicate', web)).toMatchObject({ httpStatusCode: 403 })
    const file = 'folder:\n  - name: Mine\n'
    expect(await ann().do('importObject', { file })).toMatchObject({ httpStatusCode: 403 })
  })
})

describe('exportObject and importObject', () => {
  it('give back what was changed in between, once', async () => {
    const file = await exported('listener', 'WEB')
    expect(file).toContain('secrets:\n      - token\n')
    expect(await admin().do('importObject', { file })).toMatchObject({ response: { unchanged: 1 } })
    await admin().do('addListener', { name: 'web', update: 'true', ipMask: '8', timeKey: 'at' })
    const dry = await admin().do('importObject', { file, dryRun: 'true' })
    const changes = [
      { field: 'ipMask', from: '8', to: '16' },
      { field: 'timeKey', from: 'at', to: '' },
    ]
    expect(dry).toMatchObject({ response: { dryRun: true, objects: [{ changes }] } })
    expect(await exported('listener', 'web')).not.toBe(file)
    expect(await admin().do('importObject', { file })).toMatchObject({
      response: { dryRun: false, changed: 1, objects: [{ done: 'changed', changes }] },
    })
    expect(await exported('listener', 'web')).toBe(file)
  })

  it('say what is missing, and what a file must hold', async () => {
    const file = await exported('user', 'ann')
    expect(file).toContain(`userPassword: \${env:LOGEYE_USER_ANN_USERPASSWORD}`)
    const other = file.replaceAll('ann', 'eve')
    const cases = [
      [other, 'line 8, userPassword of a user: the environment variable LOGEYE_USER_ANN_USERP'],
      ['user: []\n', 'holds 0 objects, not one: use apply'],
      [`${other}folder:\n  - name: x\n`, 'holds 2 objects, not one'],
    ] as const
    for (const [given, message] of cases)
      expect(await admin().do('importObject', { file: given })).toMatchObject({
        httpStatusCode: 400,
        errorMessage: expect.stringContaining(message),
      })
    expect(await admin().do('exportObject', { type: 'log', name: 'nope' })).toMatchObject({
      httpStatusCode: 404,
    })
  })
})

describe('duplicate', () => {
  it('makes a second one with the same arguments', async () => {
    const made = await admin().do('duplicate', { type: 'listener', name: 'web', newName: 'web 2' })
    expect(made).toMatchObject({
      response: { name: 'web 2', done: 'made', shownOnce: { token: expect.any(String) } },
    })
    expect((await exported('listener', 'web 2')).replace('web 2', 'web')).toBe(
      await exported('listener', 'web'),
    )
    const log = { type: 'log', name: 'Web->access', newName: 'Web->second' }
    expect(await admin().do('duplicate', log)).toMatchObject({ success: true })
    const paths = readTreePaths((await admin().read('folders-and-logs-configuration')).response)
    expect(paths).toContain('Web/second')
    expect(await admin().do('duplicate', log)).toMatchObject({ httpStatusCode: 409 })
    const user = await admin().do('duplicate', { type: 'user', name: 'ann', newName: 'eve' })
    expect(user.errorMessage).toContain('-name: needs userPassword, which is not copied')
    const setting = { type: 'setting', name: 'system.security', newName: 'x' }
    expect((await admin().do('duplicate', setting)).errorMessage).toContain('cannot be duplicated')
  })
})

describe('removeObject', () => {
  it('names the command that removes it', async () => {
    const refused = await admin().do('removeObject', { type: 'folder', name: 'Web' })
    expect(refused).toMatchObject({
      httpStatusCode: 400,
      errorMessage: '-type: a folder is removed with -api removeMember -path Web -type folder',
    })
  })
})

describe('the client', () => {
  it('shows the plan, carries it out, and takes secrets from its environment', async () => {
    const url = `http://127.0.0.1:${(await open({ fetch: (request) => app.app.fetch(request, { address: '10.0.0.1' }) })).port}/logeye`
    const run = (...words: string[]) =>
      callSdkClient(['-productURL', url, '-user', 'admin', '-api', ...words], {
        password: db.adminPassword,
      })
    const file = join(folder, 'site.yaml')
    const text = `folder:\n  - name: Shop\nuser:\n  - userName: tom\n    userPassword: \${env:LOGEYE_PASSWORD}\n`
    writeFileSync(file, text)
    const first = await run('apply', '-file', file)
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toBe(
      [
        'plan: 2 to make, 0 to change, 0 to remove, 0 unchanged',
        ...['  make user tom', '  make folder Shop'],
        'done: 2 made, 0 changed, 0 removed, 0 unchanged',
        ...['  made user tom', '  made folder Shop', ''],
      ].join('\n'),
    )
    expect(await as('tom', db.adminPassword).do('list', { type: 'folder' })).toMatchObject({
      success: true,
    })
    expect((await run('apply', '-file', file)).out).toContain('nothing to change: 2 unchanged')
    writeFileSync(file, text.replace('tom', 'tim').replace('LOGEYE_PASSWORD', 'LOGEYE_NOT_SET'))
    const refused = await run('apply', '-file', file)
    expect(refused).toMatchObject({
      ...{ code: 1, out: '' },
      err: 'logeye-sdk: -file: line 5, userPassword of a user: the environment variable LOGEYE_NOT_SET is not set\n',
    })
    const all = await run('exportAll')
    expect(all.out).toContain('# Configuration of Logeye')
    writeFileSync(file, all.out)
    expect((await run('apply', '-file', file, '-prune')).out).toContain('nothing to change')
    const json = await run('apply', '-file', file, '-output', 'json')
    expect(JSON.parse(json.out)).toMatchObject({ success: true, response: { dryRun: false } })
    writeFileSync(file, `# ${'x'.repeat(800 * 1024)}`)
    expect(await run('apply', '-file', file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('has more than 768 KiB'),
    })
  })
})
