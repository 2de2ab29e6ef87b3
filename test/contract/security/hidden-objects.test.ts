// An operator who may change tags, tasks, logs and folders, and may not view the folder Vault: no
// command about objects tells him what lies there.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp } from '../../support/apps/query-app.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { makeNewLog } from '../../support/database/new-log.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

const directory = mkdtempSync(join(tmpdir(), 'logeye-test-hidden-'))
let db: QueryDatabase
let app: ReturnType<typeof openTestApp>

const clerk = () =>
  makeConfigurationClient(app.call, { name: 'clerk', password: 'password of clerk' })
const officer = () =>
  makeConfigurationClient(app.call, { name: 'officer', password: 'password of officer' })
const admin = () => makeConfigurationClient(app.call, { name: 'admin', password: db.adminPassword })

beforeAll(async () => {
  db = await openQueryDatabase()
  app = openTestApp(
    db,
    makeFailingStore(() => []),
    { keyFile: join(directory, 'secrets.key') },
  )
  for (const name of ['clerk', 'officer']) await db.addUser(name, `password of ${name}`)
  await db.metastore.addLogs([
    makeNewLog({ folder: ['Open'], name: 'front' }),
    makeNewLog({ folder: ['Vault', 'deep'], name: 'gold' }),
  ])
  const setUp: [string, Record<string, string>][] = [
    ['securityPolicies', { action: 'add', policyName: 'clerk', operations: 'data' }],
    ['securityPolicies', { action: 'add', policyName: 'officer', operations: 'system.security' }],
    ['securityUsers', { action: 'edit', userName: 'clerk', policy: 'clerk' }],
    ['securityUsers', { action: 'edit', userName: 'officer', policy: 'officer' }],
    ['setPermissions', { path: 'Vault', type: 'folder', viewGroups: 'administrators' }],
    ['addAppTag', { name: 'both', folders: 'Open,Vault', logs: 'Vault->deep->gold,Open->front' }],
  ]
  for (const [command, given] of setUp)
    expect(await admin().do(command, given)).toMatchObject({ success: true })
})
afterAll(async () => {
  await app.app.stop()
  await db.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('a scan task of a folder that may not be viewed', () => {
  it('is answered as one that does not exist', async () => {
    const given = { name: 'night', directory: '/var/log' }
    expect(
      await admin().do('addScanTask', { ...given, parentFolder: 'Vault->deep' }),
    ).toMatchObject({ success: true })
    const asked: [string, Record<string, string>][] = [
      ['exportObject', { type: 'scanTask' }],
      ['duplicate', { type: 'scanTask', newName: 'mine' }],
      ['removeObject', { type: 'scanTask' }],
      ['addScanTask', { directory: '/etc', update: 'true' }],
      ['executeScanTask', {}],
      ['executeTask', {}],
    ]
    for (const [command, more] of asked) {
      const hidden = await clerk().do(command, { ...more, name: 'night' })
      const none = await clerk().do(command, { ...more, name: 'light' })
      expect([command, hidden.httpStatusCode]).toEqual([command, 404])
      const told = hidden.errorMessage?.replace('night', 'light')
      expect([command, told]).toEqual([command, none.errorMessage])
    }
    expect((await clerk().do('list', { type: 'scanTask' })).response).toEqual({ objects: [] })
    expect((await admin().do('list', { type: 'scanTask' })).response).toMatchObject({
      objects: [{ name: 'night' }],
    })
    const file = 'scanTask: []\n'
    expect((await clerk().do('apply', { file, prune: 'true' })).response).toMatchObject({
      removed: 0,
    })
    expect((await admin().do('removeObject', { type: 'scanTask', name: 'night' })).success).toBe(
      true,
    )
  })
})

describe('a listener account of a folder that may not be viewed', () => {
  it('is in no list and no file', async () => {
    const given = { name: 'miners', parentFolder: 'Vault->deep' }
    expect(await admin().do('addListener', given)).toMatchObject({ success: true })
    const listed = await clerk().do('list', { type: 'listener' })
    const exported = await clerk().do('exportAll', {})
    const shown = await clerk().do('exportObject', { type: 'listener', name: 'miners' })
    expect(JSON.stringify([listed, exported])).not.toMatch(/miners|Vault/)
    expect(shown).toMatchObject({ httpStatusCode: 404 })
    expect(JSON.stringify(await admin().do('list', { type: 'listener' }))).toContain('miners')
  })
})

describe('a new name that looks like a hidden one', () => {
  it('is refused without telling that one', async () => {
    const hidden = { parentFolder: 'Vault', directory: '/var/log' }
    for (const [command, given] of [
      ['addAppTag', { name: 'Gold Vein', folders: 'Vault' }],
      ['addScanTask', { ...hidden, name: 'Gold Rush' }],
      ['addSSHAccount', { name: 'Gold Mine', host: 'a.example', userName: 'a', userPassword: 'b' }],
      ['addApp', { name: 'Gold Fever', viewGroups: 'administrators' }],
    ] as const)
      expect([command, await admin().do(command, given)]).toMatchObject([
        command,
        { errorMessage: null },
      ])
    const asked: [string, Record<string, string>][] = [
      ['addAppTag', { name: 'go1d vein' }],
      ['addScanTask', { name: 'go1d rush', directory: '/var/log', parentFolder: 'Open' }],
      ['addListener', { name: 'go1d mine' }],
      ['addApp', { name: 'go1d fever' }],
    ]
    for (const [command, given] of asked) {
      const { httpStatusCode, errorMessage } = await clerk().do(command, given)
      expect([command, httpStatusCode, errorMessage]).toEqual([
        command,
        409,
        expect.stringMatching(
          /^the name "go1d \w+" looks like that of another (app tag|task|account|app)$/,
        ),
      ])
    }
  })
})

describe('a source query', () => {
  it('tells whoever writes it of no hidden name', async () => {
    const tell = async (sourceQuery: string) => {
      const made = await clerk().do('addAppTag', { name: 'probe', sourceQuery })
      const listed = await clerk().do('list', { type: 'appTag', names: 'probe' })
      const shown = await clerk().do('exportObject', { type: 'appTag', name: 'probe' })
      const changed = await clerk().do('addAppTag', {
        name: 'probe',
        timeZone: 'UTC',
        update: 'true',
      })
      const removed = await clerk().do('removeObject', { type: 'appTag', name: 'probe' })
      return JSON.stringify([made, listed, shown, changed, removed]).replaceAll(sourceQuery, '…')
    }
    const answers = [await tell('folder.V*'), await tell('folder.Q*')]
    expect(answers[1]).toBe(answers[0])
    expect(answers[0]).toContain('probe')
  })
})

const TAG = 'appTag:\n- name: both\n  description: of two\n'

describe('a file of objects', () => {
  it('tells of a changed tag only the members that the caller may view', async () => {
    const planned = await clerk().do('apply', { file: TAG, dryRun: 'true' })
    const imported = await clerk().do('importObject', { file: TAG })
    for (const { response } of [planned, imported])
      expect(response).toMatchObject({
        objects: [{ name: 'both', changes: [{ field: 'description', from: '', to: 'of two' }] }],
      })
    expect(JSON.stringify([planned, imported])).not.toContain('Vault')
  })

  it('tells of folders and logs that it makes itself', async () => {
    const file = 'folder:\n- name: New\nappTag:\n- name: both\n  folders: Open,New\n'
    const { response } = await clerk().do('apply', { file, dryRun: 'true' })
    expect(response).toMatchObject({
      objects: [
        { type: 'folder', name: 'New', done: 'made' },
        { name: 'both', changes: [{ field: 'folders', from: 'Open', to: 'Open,New' }] },
      ],
    })
  })

  it('is not read for who may change nothing', async () => {
    await db.addUser('reader', 'password of reader')
    const reader = makeConfigurationClient(app.call, {
      name: 'reader',
      password: 'password of reader',
    })
    for (const command of ['apply', 'importObject'])
      expect(await reader.do(command, { file: ': no yaml :' })).toMatchObject({
        httpStatusCode: 403,
      })
  })

  it('takes no value for a secret that the environment does not name', async () => {
    const user = '- userName: x\n  userPassword: '
    const file = `user:\n${user}\${env:constructor}\n`
    expect(await officer().do('apply', { file, environment: '{}' })).toMatchObject({
      errorMessage: expect.stringContaining('the environment variable constructor is not set'),
    })
    const odd = `user:\n${user}long password\n  __proto__: y\n`
    expect(await officer().do('apply', { file: odd })).toMatchObject({
      errorMessage: expect.stringContaining('__proto__'),
    })
  })

  it('is refused by a dry run as it would be without', async () => {
    const file = 'user:\n- userName: officer\n  policy: administrators\n'
    for (const dryRun of ['true', 'false'])
      expect(await officer().do('apply', { file, dryRun })).toMatchObject({
        httpStatusCode: 403,
        errorMessage: expect.stringContaining('lacks all rights'),
      })
  })
})
