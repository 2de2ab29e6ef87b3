// Which paths of this machine users may give in commands: those within the roots; others are an
// administrator's, and the product's own are nobody's.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSdkChannel, type SdkChannel } from '../../support/apps/sdk-channel.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'

const CLOSED = '/opt/logeye'
const PATH_RULES = {
  readRoots: ['/var/log'],
  copyRoots: ['/srv/copies'],
  closed: [CLOSED],
}
const ann = { name: 'ann', password: 'her own password' }

let product: QueryDatabase
let directory = ''
let sdk: SdkChannel

beforeEach(async () => {
  product = await openQueryDatabase()
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-paths-'))
  const keyFile = join(directory, 'secrets.key')
  sdk = openSdkChannel(product, { keyFile, pathRules: PATH_RULES })
  const operations = 'data.logs,data.tasks,data.accounts,data.policies'
  await run('securityPolicies', { action: 'add', policyName: 'some', operations })
  const user = { action: 'add', userName: ann.name, userPassword: ann.password }
  await run('securityUsers', { ...user, policy: 'some' })
  const lists = { viewGroups: '', viewUsers: ann.name, editGroups: '', editUsers: ann.name }
  await run('addFolder', { name: 'Anns' })
  await run('setPermissions', { path: 'Anns', type: 'folder', ...lists })
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

const fileOf = (repository: string, source: string, remote = '') => `<SyncLogsConfiguration>
  <SyncLogsRepository repositoryDirectory="${repository}"/>
  <SyncLogsNode repositoryDirectory="a">${remote}
    <SyncLogsDirectory syncDirectory="${source}"/>
  </SyncLogsNode>
</SyncLogsConfiguration>`
const share = (mountPath: string) => ({ share: '\\\\files\\logs', mountPath })

type Given = readonly [command: Parameters<SdkChannel>[0], given: Record<string, string>]
/** By argument: a command that gives the path there, named `thing`. */
const READ: Readonly<Record<string, (path: string) => Given>> = {
  filePaths: (path) => ['addLog', { name: 'thing', filePaths: path }],
  'filePaths with a wildcard': (path) => ['addLog', { name: 'thing', filePaths: `${path}/*.log` }],
  directory: (path) => ['addScanTask', { name: 'thing', parentFolder: 'Anns', directory: path }],
  'syncDirectory of configFile': (path) => [
    'addSyncLogTask',
    { name: 'thing', configFile: fileOf('/srv/copies/x', path) },
  ],
  mountPath: (path) => ['addWindowsShareAccount', { name: 'thing', ...share(path) }],
  'mountPath that is tried': (path) => [
    'addWindowsShareAccount',
    { name: 'thing', ...share(path), verify: 'true' },
  ],
}
const COPY: Readonly<Record<string, (path: string) => Given>> = {
  'repositoryDirectory of configFile': (path) => [
    'addSyncLogTask',
    { name: 'thing', configFile: fileOf(path, '/var/log') },
  ],
  archiveDirectory: (path) => [
    'addCollectionPolicy',
    { name: 'thing', archiveDirectory: path, archiveDays: '1' },
  ],
}
const isDone = async ([command, given]: Given, user?: typeof ann) => {
  const { status, message } = await sdk(command, given, user)
  return status === 200 ? 'done' : `${status} ${message}`
}
const LOOKED = /is not a directory|there is no directory|cannot be read/

describe.each([
  ['read', READ, '/var/log/app', '/etc'],
  ['copied to', COPY, '/srv/copies/app', '/tmp/logeye-no-copies'],
] as const)('paths that are %s', (_, commands, inside, outside) => {
  it.each(Object.keys(commands))('within the roots are open to users: %s', async (name) => {
    const done = await isDone(commands[name]?.(inside) ?? ['list', {}], ann)
    if (name !== 'mountPath that is tried') expect(done).toBe('done')
    else expect(done).toMatch(LOOKED)
  })

  it.each(Object.keys(commands))('elsewhere are given by administrators: %s', async (name) => {
    const given = commands[name]?.(outside) ?? ['list', {}]
    expect(await isDone(given, ann)).toMatch(/^403 .*is outside .* only an administrator can/)
    expect(await isDone(given)).toBe('done')
    expect(existsSync('/tmp/logeye-no-copies')).toBe(false)
  })

  it.each(Object.keys(commands))('of the product are closed to everybody: %s', async (name) => {
    for (const path of [`${CLOSED}/data`, '/proc/1', `${inside}/../../../../opt/logeye`])
      for (const user of [ann, undefined]) {
        const given = commands[name]?.(path) ?? ['list', {}]
        const told = await isDone(given, user)
        expect([path, told]).toEqual([path, expect.stringMatching(/^400 /)])
      }
  })
})

it('paths of logs have no step upwards, also behind a wildcard', async () => {
  for (const filePaths of ['/var/log/*/../../../etc/hostname', '/var/log/../log/a.log']) {
    const answer = await sdk('addLog', { name: 'up', filePaths })
    expect([answer.status, answer.message]).toEqual([400, '-filePaths: must hold no ..'])
  }
})

it('an archive of another product is not looked for among files of this one', async () => {
  const entry = '2026-03-01/archive-7-0a1b2c3d4e5f'
  const given = ['adoptArchive', { directory: `${CLOSED}/data`, entry }] as const
  expect(await isDone(given)).toMatch(/^400 -directory: must not lie among files/)
})

describe('what an administrator gave', () => {
  it.each([
    ['addLog', { filePaths: '/srv/app/a.log' }, { timeZone: 'UTC' }],
    ['addScanTask', { directory: '/srv/app' }, { enabled: 'false' }],
    ['addSyncLogTask', { configFile: fileOf('/srv/copies/x', '/srv/app') }, { enabled: 'false' }],
    ['addWindowsShareAccount', share('/srv/app'), { domain: 'd' }],
  ] as const)('is changed by administrators alone: %s', async (command, given, change) => {
    await run(command, { name: 'thing', ...given })
    const update = { name: 'thing', update: 'true', ...change }
    expect(await isDone([command, update], ann)).toMatch(/^403 /)
    await run(command, update)
  })

  it('may be described by others, and left for the roots', async () => {
    await run('addLog', { name: 'thing', filePaths: '/srv/app/a.log' })
    await run('addLog', { name: 'thing', update: 'true', description: 'The shop' }, ann)
    await run('addLog', { name: 'thing', update: 'true', filePaths: '/var/log/a.log' }, ann)
  })

  it('opens a mounted share to its logs', async () => {
    await run('addWindowsShareAccount', { name: 'files', ...share('/mnt/files') })
    const log = { account: 'files' }
    await run('addLog', { ...log, name: 'a', filePaths: '/mnt/files/a/*.log' }, ann)
    const other = { ...log, name: 'b', filePaths: '/mnt/other/a.log' }
    expect(await isDone(['addLog', other], ann)).toMatch(/^403/)
  })
})

it('paths of other machines are not of this one, until they are', async () => {
  await run('addSSHAccount', { name: 'far', host: 'a.example', userName: 'b', userPassword: 'c' })
  await run('addLog', { name: 'thing', account: 'far', filePaths: '/etc/far.log' }, ann)
  expect(await isDone(['addLog', { name: 'thing', update: 'true', account: '' }], ann)).toMatch(
    /^403 /,
  )
  await run(
    'addScanTask',
    { name: 'scan', parentFolder: 'Anns', account: 'far', directory: '/etc' },
    ann,
  )
  const remote = '<Remote><Account name="far"/></Remote>'
  const configFile = fileOf('/srv/copies/far', '/etc', remote)
  await run('addSyncLogTask', { name: 'sync', configFile }, ann)
})
