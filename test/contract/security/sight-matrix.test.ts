// Who may change where events and alerts go (docs/decisions/0137): each way of events, each command
// that changes it, by a command and by a file, for whoever sees the events concerned and for
// whoever does not. What is expected is written down here by hand.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATTERN_TOOLS } from '../../../ingest/patterns/samples/pattern-tools.ts'
import { EVENT_PATHS } from '../../../schemas/rights/sees.ts'
import type { CommandEntry } from '../../../schemas/sdk/argument.ts'
import {
  SDK_COMMAND_NAMES,
  SDK_COMMANDS,
  type SdkCommandName,
} from '../../../schemas/sdk/commands.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { askSdk, basic, bearer, type Told, textOf } from '../../support/clients/access-client.ts'
import { OPEN_PATHS } from '../../support/collect/open-paths.ts'
import { makeNewLog } from '../../support/database/new-log.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import {
  CALLERS,
  type Caller,
  ELSEWHERE,
  type Given,
  ROWS,
} from '../../support/rights/sight-rows.ts'
import { ARCHIVE, ARCHIVED, SET_UP } from '../../support/rights/sight-world.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

const directory = mkdtempSync(join(tmpdir(), 'logeye-test-sight-'))
let db: QueryDatabase
let app: ReturnType<typeof openTestApp>
let narrow: Record<string, string>

beforeAll(async () => {
  db = await openQueryDatabase()
  const store = makeFailingStore(() => [])
  app = openTestApp(db, store, {
    patterns: PATTERN_TOOLS,
    pathRules: OPEN_PATHS,
    keyFile: join(directory, 'secrets.key'),
  })
  for (const name of ['clerk', 'reader', 'seer', 'masked'])
    await db.addUser(name, `password of ${name}`)
  const [log] = await db.metastore.addLogs([
    makeNewLog({ folder: ['Vault'], name: 'typed', typeWords: ['vaultish'] }),
    makeNewLog({ folder: ['Open'], name: 'front' }),
  ])
  for (const [command, given] of SET_UP)
    expect([command, given, await call('admin', command, given)]).toMatchObject([
      ...[command, given, { error: '', status: 200 }],
    ])
  await db.database.write(async (transaction) => {
    await transaction
      .insertInto('archives')
      .values({ ...ARCHIVE, logs: JSON.stringify([{ ...ARCHIVED, id: log?.id ?? 0 }]) })
      .execute()
  })
  const token = { action: 'add', name: 'narrow', policy: 'clerk' }
  narrow = bearer(textOf(await call('admin', 'apiToken', token), 'token'))
})
afterAll(async () => {
  await app.app.stop()
  await db.close()
  rmSync(directory, { recursive: true, force: true })
})

function call(caller: Caller, command: SdkCommandName, given: Given): Promise<Told> {
  const password = caller === 'admin' ? db.adminPassword : `password of ${caller}`
  const headers = caller === 'narrow' ? narrow : basic(caller, password)
  return askSdk(app, command, { ...given }, headers)
}

const state = async () => (await call('admin', 'exportAll', {})).response

describe.each(EVENT_PATHS)('of the way %s', (path) => {
  it('each command that changes it is tried here', () => {
    const changing = SDK_COMMAND_NAMES.filter((name) => {
      const { sees }: CommandEntry = SDK_COMMANDS[name]
      return sees.kind === 'paths' && sees.paths.includes(path)
    })
    const tried = ROWS.map(({ command }) => command)
    expect(changing.filter((name) => !tried.includes(name) && !(name in ELSEWHERE))).toEqual([])
  })
})

it('each command that acts on events is tried here', () => {
  const acts = SDK_COMMAND_NAMES.filter((name) => SDK_COMMANDS[name].sees.kind === 'act')
  expect(ROWS.filter(({ path }) => path === 'act').map(({ command }) => command)).toEqual(
    expect.arrayContaining(acts),
  )
})

describe.each(ROWS.map((row, at) => ({ ...row, at, shown: JSON.stringify(row.given('mine')) })))(
  '$command $shown',
  ({ command, given, may, type, isOnce, at }) => {
    const refused = CALLERS.filter((caller) => !may.includes(caller))

    it.each(refused)('is refused to %s', async (caller) => {
      const mine = `x${at}${caller}`
      const before = await state()
      const { status } = await call(caller, command, given(mine))
      expect([403, 404]).toContain(status)
      if (type !== undefined) {
        const { update: _, ...document } = given(mine)
        const file = JSON.stringify({ [type]: [document] })
        for (const told of [
          await call(caller, 'apply', { file }),
          await call(caller, 'apply', { file, dryRun: 'true' }),
          await call(caller, 'importObject', { file }),
        ]) {
          // 400: what is not there for the caller, with its line.
          expect([400, 403]).toContain(told.status)
          expect(told.error).toMatch(/there is no|may not/)
        }
      }
      expect(await state()).toBe(before)
    })

    it('is done for whoever sees what it is about', async () => {
      for (const caller of isOnce ? may.slice(0, 1) : may) {
        const told = await call(caller, command, given(`y${at}${caller}`))
        expect([caller, told, [403, 404, 500].includes(told.status)]).toEqual([
          ...[caller, told, false],
        ])
      }
    })
  },
)

it('an account that a policy forwards to cannot be removed, and made again elsewhere', async () => {
  const target = { name: 'forwarded', type: 'slack', targetURL: 'https://first.example/hook' }
  const policy = { name: 'unused', forwardTo: 'account:forwarded', update: 'true' }
  await call('admin', 'addAlertTarget', target)
  expect(await call('admin', 'addCollectionPolicy', policy)).toMatchObject({ status: 200 })
  expect(await call('admin', 'removeAccount', { name: 'forwarded' })).toMatchObject({
    status: 409,
    error: expect.stringContaining('the collection policy unused'),
  })
})

it('a list says which objects its caller may not change', async () => {
  const fixed = async (caller: Caller, type: string) => {
    const { response } = await call(caller, 'list', { type, details: 'true' })
    const { objects } = response as { objects: { name: string; isFixed?: true }[] }
    return objects.flatMap(({ name, isFixed }) => (isFixed === true ? [name] : []))
  }
  const ofOthers = ['Default', 'of-listener', 'vaulted', 'waiting']
  expect(await fixed('clerk', 'collectionPolicy')).toEqual(ofOthers)
  expect(await fixed('reader', 'collectionPolicy')).toEqual(['Default'])
  expect(await fixed('reader', 'listener')).toContain('vaulted')
  for (const type of ['collectionPolicy', 'listener', 'template', 'alertTarget'])
    expect([type, await fixed('admin', type)]).toEqual([type, []])
})

it('a folder that was removed comes back by whoever may edit it', async () => {
  const lists = { viewGroups: '', viewUsers: 'seer', editGroups: '', editUsers: 'seer' }
  const place = { path: 'Lost', type: 'folder' }
  for (const [command, given] of [
    ['addFolder', { name: 'Lost' }],
    ['addLog', { name: 'silver', parentFolder: 'Lost' }],
    ['setPermissions', { ...place, ...lists }],
    ['removeMember', place],
  ] as const)
    expect(await call('admin', command, { ...given })).toMatchObject({ status: 200 })
  const file = JSON.stringify({
    folder: [{ name: 'Lost' }],
    log: [{ name: 'silver', parentFolder: 'Lost', filePaths: '/var/log/mine' }],
  })
  expect(await call('reader', 'apply', { file })).toMatchObject({ status: 403 })
  expect(await call('seer', 'apply', { file })).toMatchObject({ status: 200 })
})

it('a log reads with no account that its maker may not change', async () => {
  const given = { parentFolder: 'Open', filePaths: '/var/log/a' }
  await call('admin', 'securityPolicies', {
    ...{ action: 'add', policyName: 'logs', operations: 'data.logs,data.tasks' },
  })
  const edit = { action: 'edit', userName: 'clerk', policy: 'logs' }
  expect(await call('admin', 'securityUsers', edit)).toMatchObject({ status: 200 })
  const named = await call('clerk', 'addLog', { ...given, name: 'a', account: 'of-log' })
  expect(named).toMatchObject({ status: 403, error: expect.stringContaining('of-log') })
  const task = { name: 'borrowed', directory: '/var/log', account: 'of-log', parentFolder: 'Open' }
  expect(await call('clerk', 'addScanTask', task)).toMatchObject({ status: 403 })
  const made = { ...given, name: 'b', account: 'of-log' }
  expect(await call('admin', 'addLog', made)).toMatchObject({ status: 200 })
  const changed = { name: 'b', parentFolder: 'Open', filePaths: '/var/log/b', update: 'true' }
  expect(await call('clerk', 'addLog', changed)).toMatchObject({ status: 200 })
})
