// Each command of the SDK, called with good arguments by somebody who may do everything but that:
// 403, in the audit log as refused, and nothing is another than before. Which right a command needs
// is written down here a second time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATTERN_TOOLS } from '../../../ingest/patterns/samples/pattern-tools.ts'
import { OBJECT_KINDS } from '../../../query/sdk/objects/kinds.ts'
import { OBJECT_TYPES, type ObjectType } from '../../../schemas/object-types.ts'
import { SDK_COMMAND_NAMES, type SdkCommandName } from '../../../schemas/sdk/commands.ts'
import { OPERATIONS, type Operation } from '../../../schemas/users.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { askSdk, basic, bearer, textOf } from '../../support/clients/access-client.ts'
import { OBJECT_SAMPLES } from '../../support/data/object-samples.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

type Given = Readonly<Record<string, string>>
type Case = readonly [needs: readonly Operation[], given: Given]

/** Of commands that make no object, and of those that act on one. */
const COMMANDS: Readonly<Partial<Record<SdkCommandName, Case>>> = {
  acceptDamage: [['system.operate'], {}],
  addExpectedSilence: [['system.operate'], { path: 'Kept' }],
  addHold: [['system.operate'], { policy: 'Default', reason: 'case 7' }],
  addPatch: [['system.operate'], { type: 'api' }],
  adoptArchive: [
    ['system.operate'],
    { directory: '/mnt/cold', entry: '2026-03-01/archive-7-0a1b2c3d4e5f' },
  ],
  archive: [['system.operate'], { policy: 'Default', day: '2026-03-01' }],
  verify: [['system.operate'], {}],
  exportEvidence: [['system.operate'], {}],
  alerts: [['data.monitors', 'system.alerts'], { state: 'all' }],
  backup: [['system.operate'], { name: 'monday', dryRun: 'true' }],
  deleteData: [['system.operate'], { log: 'Events->Default', dryRun: 'true' }],
  diskUsage: [['system.operate'], {}],
  doctor: [['system.operate'], {}],
  systemState: [['system.operate'], {}],
  enableAccount: [['data.listeners', 'data.accounts'], { name: 'Default', enabled: 'false' }],
  executeScanTask: [['data.tasks'], { name: 'nightly' }],
  executeTask: [['data.tasks'], { name: 'nightly' }],
  license: [['system.settings'], {}],
  listArchives: [['system.operate'], {}],
  listDeletions: [['system.operate'], {}],
  removeArchive: [['system.operate'], { archive: '7' }],
  thaw: [['system.operate'], { archive: '7' }],
  verifyArchive: [['system.operate'], { archive: '7' }],
  listHolds: [['system.operate'], {}],
  listTaskRuns: [['data.tasks'], {}],
  listCollected: [['data.tasks'], {}],
  monitors: [['data.monitors'], {}],
  reports: [['data.monitors'], {}],
  removeAccount: [['data.listeners', 'data.accounts'], { name: 'Default' }],
  removeExpectedSilence: [['system.operate'], { id: '1' }],
  removeHold: [['system.operate'], { number: '1' }],
  removeMember: [['data.logs'], { path: 'Kept', type: 'folder' }],
  replayRejected: [['system.operate'], { dryRun: 'true' }],
  restart: [['system.operate'], {}],
  silentLogs: [['system.operate'], {}],
  suggestPattern: [['data.listeners'], { files: '10.0.0.1 GET /a 200\n' }],
  testMonitor: [['data.monitors'], { name: 'nightly' }],
  usage: [['system.operate'], {}],
  verifyMask: [['data.listeners'], { listener: 'Default' }],
  verifyPattern: [['data.listeners'], { pattern: '{ip:Client}', files: '10.0.0.1\n' }],
}

/** What the command of a type needs. */
const TYPES: Readonly<Record<ObjectType, Operation>> = {
  folder: 'data.logs',
  log: 'data.logs',
  collectionPolicy: 'data.policies',
  appTag: 'data.appTags',
  listener: 'data.listeners',
  template: 'data.listeners',
  sshAccount: 'data.accounts',
  remoteProductAccount: 'data.accounts',
  externalAccount: 'data.accounts',
  windowsShareAccount: 'data.accounts',
  databaseAccount: 'data.accounts',
  scanTask: 'data.tasks',
  syncLogTask: 'data.tasks',
  queryTask: 'data.tasks',
  user: 'system.security',
  policy: 'system.security',
  group: 'system.security',
  permission: 'system.security',
  setting: 'system.settings',
  app: 'data.dashboards',
  dashboard: 'data.dashboards',
  alertTarget: 'data.accounts',
  maintenanceWindow: 'data.monitors',
  monitor: 'data.monitors',
  report: 'data.monitors',
}

/** Everybody's own affairs, and what is asked of each object of a file. */
const OF_EVERYBODY: readonly SdkCommandName[] = [
  ...(['apiToken', 'ownPassword', 'ownSessions', 'secondFactor'] as const),
  ...(['apply', 'duplicate', 'exportAll', 'exportObject'] as const),
  ...(['importObject', 'list', 'removeObject'] as const),
]
/** Whoever may view them may read them. */
const READ_BY_VIEWERS: readonly ObjectType[] = ['folder', 'log', 'app', 'dashboard']

const directory = mkdtempSync(join(tmpdir(), 'logeye-test-rights-'))
const asAdmin = () => basic('admin', db.adminPassword)
let db: QueryDatabase
let app: ReturnType<typeof openTestApp>
let narrow: Record<string, string>
const users = new Map<string, Record<string, string>>()

beforeAll(async () => {
  db = await openQueryDatabase()
  app = openTestApp(
    db,
    makeFailingStore(() => []),
    { patterns: PATTERN_TOOLS, keyFile: join(directory, 'secrets.key') },
  )
  expect(await askSdk(app, 'addFolder', { name: 'Kept' }, asAdmin())).toMatchObject({ status: 200 })
  const token = { action: 'add', name: 'narrow', policy: 'view only' }
  narrow = bearer(textOf(await askSdk(app, 'apiToken', token, asAdmin()), 'token'))
})
afterAll(async () => {
  await app.app.stop()
  await db.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Somebody with every operation but these. */
async function allBut(missing: readonly Operation[]): Promise<Record<string, string>> {
  const name = `all but ${missing.join(' ')}`
  const known = users.get(name)
  if (known !== undefined) return known
  await db.addUser(name, 'a good password')
  const isLeaf = (one: Operation) => !OPERATIONS.some((other) => other.startsWith(`${one}.`))
  const operations = OPERATIONS.filter((one) => isLeaf(one) && !missing.includes(one)).join(',')
  for (const [command, given] of [
    ['securityPolicies', { action: 'add', policyName: name, operations }],
    ['securityUsers', { action: 'edit', userName: name, policy: name }],
  ] as const)
    expect(await askSdk(app, command, given, asAdmin())).toMatchObject({ status: 200 })
  const headers = basic(name, 'a good password')
  users.set(name, headers)
  return headers
}

const state = async () => (await askSdk(app, 'exportAll', {}, asAdmin())).response

async function expectRefused(command: SdkCommandName, given: Given, needs: readonly Operation[]) {
  for (const headers of [await allBut(needs), narrow]) {
    const before = await state()
    const told = await askSdk(app, command, given, headers)
    expect([command, told]).toMatchObject([
      command,
      { status: 403, error: 'this user may not do that', response: null },
    ])
    expect(await state()).toBe(before)
  }
  const [last] = await db.database.read
    .selectFrom('audit')
    .select(['action', 'result'])
    .where('action', '=', `sdk.${command}`)
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  expect(last).toEqual({ action: `sdk.${command}`, result: 'rights.missing' })
}

it('each command is one of these', () => {
  const objects = OBJECT_TYPES.map((type) => OBJECT_KINDS[type].command)
  expect(new Set([...Object.keys(COMMANDS), ...objects, ...OF_EVERYBODY])).toEqual(
    new Set(SDK_COMMAND_NAMES),
  )
})

it.each(Object.entries(COMMANDS))('%s', async (command, [needs, given]) => {
  await expectRefused(command as SdkCommandName, given, needs)
})

describe.each(OBJECT_TYPES)('of the type %s', (type) => {
  const { command, make } = OBJECT_KINDS[type]
  const [{ given, secrets } = { given: {}, secrets: {} }] = OBJECT_SAMPLES[type]
  const needs = [TYPES[type]]

  it('none is made or changed', async () => {
    // Groups are their administrators' to change: tested in escalation.test.ts.
    await expectRefused(command, { ...make, ...given, ...secrets }, needs)
  })

  it('none is made by a file, and none is read or removed', async () => {
    // JSON is YAML.
    const file = JSON.stringify({ [type]: [{ ...given, ...secrets }] })
    const reads: (readonly [SdkCommandName, Given])[] = [
      ['list', { type }],
      ['exportObject', { type, name: 'any' }],
    ]
    const isRemovedByIts = 'command' in OBJECT_KINDS[type].removal
    const cases: (readonly [SdkCommandName, Given])[] = [
      ['apply', { file }],
      ['importObject', { file }],
      ...(READ_BY_VIEWERS.includes(type) ? [] : reads),
      ...(isRemovedByIts ? [] : [['removeObject', { type, name: 'any' }] as const]),
    ]
    const before = await state()
    for (const [name, asked] of cases) {
      const told = await askSdk(app, name, asked, await allBut(needs))
      expect([name, told]).toMatchObject([name, { status: 403, response: null }])
    }
    expect(await state()).toBe(before)
  })
})
