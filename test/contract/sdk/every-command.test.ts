// Each command of the SDK with good, missing, unknown and hostile arguments. What a command does is
// seen in the tests of its area; here: nothing breaks, nothing is half done, and no answer carries
// what was sent into a terminal.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadEventNodes } from '../../../infra/metastore/event-paths/event-nodes.ts'
import { readEventPaths } from '../../../infra/metastore/event-paths/event-paths.ts'
import { changedKeys } from '../../../infra/metastore/event-paths/find-unseen.ts'
import type { PathState } from '../../../infra/metastore/event-paths/port.ts'
import { PATTERN_TOOLS } from '../../../ingest/patterns/samples/pattern-tools.ts'
import { parseArguments } from '../../../query/sdk/client/arguments.ts'
import { OBJECT_KINDS } from '../../../query/sdk/objects/kinds.ts'
import { OBJECT_TYPES } from '../../../schemas/object-types.ts'
import { EVENT_PATHS, type EventPath, ONLY_READS, type Sees } from '../../../schemas/rights/sees.ts'
import {
  listArguments,
  SDK_COMMAND_NAMES,
  SDK_COMMANDS,
  type SdkCommandName,
} from '../../../schemas/sdk/commands.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { OBJECT_SAMPLES } from '../../support/data/object-samples.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { isFullTier } from '../../support/run/tier.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

type Given = Readonly<Record<string, string>>

const FILE = 'folder:\n- name: Applied\n'

/** Good arguments of what makes no object. */
const GIVEN: Readonly<Partial<Record<SdkCommandName, Given>>> = {
  acceptDamage: {},
  addPatch: { type: 'api', files: 'YSBwYXRjaA==', sha256: 'a'.repeat(64) },
  verify: {},
  exportEvidence: {},
  alerts: { state: 'all' },
  reports: {},
  monitors: {},
  testMonitor: { query: 'failed', past: '1h' },
  apiToken: { action: 'add', name: 'nightly', ends: '30', policy: 'view only' },
  apply: { file: FILE, dryRun: 'true' },
  backup: { name: 'monday', dryRun: 'true' },
  doctor: {},
  duplicate: { type: 'listener', name: 'Default', newName: 'second' },
  enableAccount: { name: 'Default', enabled: 'false' },
  executeScanTask: { name: 'nightly' },
  executeTask: { name: 'nightly' },
  listTaskRuns: {},
  listCollected: {},
  exportAll: {},
  exportObject: { type: 'listener', name: 'Default' },
  importObject: { file: FILE },
  license: { files: 'a licence' },
  list: { type: 'listener', names: 'Def*' },
  ownPassword: { old: 'not it', new: 'another long one' },
  ownSessions: { action: 'list' },
  removeAccount: { name: 'Default' },
  removeMember: { path: 'Web->Edge', type: 'folder' },
  removeObject: { type: 'appTag', name: 'Storefront' },
  replayRejected: { dryRun: 'true' },
  restart: {},
  usage: {},
  silentLogs: {},
  addExpectedSilence: { path: 'Web->Edge' },
  removeExpectedSilence: { id: '1' },
  addHold: { policy: 'Default', reason: 'case 7' },
  removeHold: { number: '1' },
  listHolds: {},
  diskUsage: {},
  deleteData: { log: 'Events->Default', dryRun: 'true' },
  listDeletions: {},
  adoptArchive: { directory: '/mnt/cold', entry: '2026-03-01/archive-7-0a1b2c3d4e5f' },
  archive: { policy: 'Default', day: '2026-03-01' },
  listArchives: {},
  removeArchive: { archive: '7' },
  thaw: { archive: '7' },
  verifyArchive: { archive: '7' },
  secondFactor: { action: 'begin' },
  systemState: {},
  suggestPattern: { files: '10.0.0.1 GET /a 200\n10.0.0.2 GET /b 404\n' },
  verifyMask: { listener: 'Default' },
  verifyPattern: { pattern: '{ip:Client} {text:Rest}', files: '10.0.0.1 GET /a 200\n' },
}

const HOSTILE: readonly string[] = [
  ...['', '-1', '99999999999999999999', 'x'.repeat(10_000), 'a->b', '|', '["a",1]', '{text:'],
  ...['../../etc/passwd', '\u0000', '\u001b[31mred\u001b[0m', '\uD800', '__proto__', 'Default'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a file of objects writes it
  '${env:HOME}',
]
/** Where each value costs a hash of a password, and a wrong one a pause. */
const FEW = ['', '\u001b[31mred\u001b[0m']

/** All in `test:all`. In `npm test` each argument gets every fourth, from another one on than the
 *  argument before, so that each value goes to many commands. */
const hostileOf = (argument: number) =>
  HOSTILE.filter((_, at) => isFullTier || (at + argument) % 4 === 0)

/** Decided answers; 500 is none of them. */
const ANSWERS = [200, 400, 403, 404, 409, 501, 503]
const CONTROL = /[^\P{Cc}\n\t]/u

const directory = mkdtempSync(join(tmpdir(), 'logeye-test-commands-'))
let db: QueryDatabase
let app: ReturnType<typeof openTestApp>
beforeAll(async () => {
  db = await openQueryDatabase()
  const store = makeFailingStore(() => [])
  app = openTestApp(db, store, {
    patterns: PATTERN_TOOLS,
    keyFile: join(directory, 'secrets.key'),
  })
})
afterAll(async () => {
  await app.app.stop()
  await db.close()
  rmSync(directory, { recursive: true, force: true })
})

const run = (command: string, given: Given) =>
  makeConfigurationClient(app.call, { name: 'admin', password: db.adminPassword }).do(
    command,
    given,
  )

/** As the arguments of the command line say it. */
const typed = (command: string, given: Given) =>
  parseArguments([
    ...['-productURL', 'http://localhost/logeye', '-api', command],
    ...Object.entries(given).flatMap(([name, value]) => [`-${name}`, value]),
  ])

function goodOf(command: SdkCommandName): readonly Given[] {
  const given = GIVEN[command]
  if (given !== undefined) return [given]
  const type = OBJECT_TYPES.find((one) => OBJECT_KINDS[one].command === command)
  return type === undefined
    ? []
    : OBJECT_SAMPLES[type].map(({ given, secrets }) => ({
        ...OBJECT_KINDS[type].make,
        ...given,
        ...secrets,
      }))
}

describe.each(SDK_COMMAND_NAMES)('the command %s', (command) => {
  const published = listArguments(command)
  const [good = {}] = goodOf(command)

  it('is read by the client', () => {
    expect(goodOf(command).length).toBeGreaterThan(0)
    for (const given of goodOf(command))
      expect(typed(command, given)).toMatchObject({ kind: 'call' })
  })

  it('says which argument is missing, and which it does not have', async () => {
    const cases: [Given, string][] = [
      [{ ...good, nonsense: 'x' }, '-nonsense: is not an argument of this command'],
      ...published
        .filter(({ isRequired }) => isRequired)
        .map(({ name }): [Given, string] => [
          Object.fromEntries(Object.entries(good).filter(([it]) => it !== name)),
          `-${name}: is missing`,
        ]),
    ]
    for (const [given, reason] of cases) {
      expect(typed(command, given)).toEqual({ kind: 'wrong', reason })
      const { httpStatusCode, errorMessage } = await run(command, given)
      expect([httpStatusCode, errorMessage]).toEqual([400, reason])
    }
  })

  it('takes or refuses hostile values, and says why without repeating them raw', async () => {
    expect(typed(command, good)).toMatchObject({ kind: 'call' })
    const { userPassword: _, ...rest } = good
    const base = command === 'securityUsers' ? { ...rest, action: 'edit' } : good
    const before = await readWays()
    await run(command, good)
    for (const [at, { name, isSecret }] of published.entries()) {
      const isCostly = isSecret === true && command !== 'addExternalAccount'
      for (const value of isCostly ? FEW : hostileOf(SDK_COMMAND_NAMES.indexOf(command) + at)) {
        const given = { ...base, [name]: value }
        const { httpStatusCode, errorMessage, success } = await run(command, given)
        const told = { name, value: value.slice(0, 40), httpStatusCode, errorMessage }
        expect(ANSWERS, JSON.stringify(told)).toContain(httpStatusCode)
        expect(success).toBe(httpStatusCode === 200)
        expect(errorMessage ?? '', JSON.stringify(told)).not.toMatch(CONTROL)
        expect((errorMessage ?? '').length, JSON.stringify(told)).toBeLessThan(500)
        // Wrong usage is found without the product.
        if (typed(command, given).kind === 'wrong')
          expect(httpStatusCode, JSON.stringify(told)).toBe(400)
      }
    }
    expect(findUndeclared(SDK_COMMANDS[command].sees, before, await readWays())).toEqual([])
  }, 300_000)
})

type Ways = ReadonlyMap<EventPath, PathState>

/** Where events and alerts go, as the server compares it for users without all rights. */
function readWays(): Promise<Ways> {
  return db.database.snapshot(async (transaction) => {
    const nodes = await loadEventNodes(transaction)
    const ways = new Map<EventPath, PathState>()
    for (const path of EVENT_PATHS) ways.set(path, await readEventPaths(transaction, nodes, [path]))
    return ways
  })
}

/** Ways that changed, of a command that does not say so. */
function findUndeclared(sees: Sees, before: Ways, after: Ways): readonly EventPath[] {
  if (sees.kind === 'objects') return []
  const declared: readonly EventPath[] = sees.kind === 'paths' ? sees.paths : []
  const none: PathState = new Map()
  return EVENT_PATHS.filter(
    (path) =>
      !declared.includes(path) &&
      changedKeys(before.get(path) ?? none, after.get(path) ?? none).length > 0,
  )
}

it('a way of events that changes and is not declared is seen', async () => {
  const before = await readWays()
  const made = { name: 'undeclared', forwardTo: 'https://elsewhere.example' }
  expect(await run('addCollectionPolicy', made)).toMatchObject({ success: true })
  expect(findUndeclared(ONLY_READS, before, await readWays())).toEqual(['collectionPolicy'])
})

describe('after all that', () => {
  it('the configuration is whole: it is exported, and applied changes nothing', async () => {
    const { errorMessage, response } = await run('exportAll', {})
    expect(errorMessage).toBe(null)
    const again = await run('apply', { file: String(response), dryRun: 'true' })
    expect([again.errorMessage, again.response]).toMatchObject([null, { objects: [] }])
  })
})
