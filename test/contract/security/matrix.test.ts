// User × object × every way to read (acceptance 6): who sees nothing, one folder, one log inside a
// hidden folder, or all; by groups in groups and lists that override. Each object carries a mark in
// its name, its folder, its host, its columns and its values: an answer holds the marks of what the
// user may view, and no other.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenedMetastore, openMetastore } from '../../../infra/metastore/open.ts'
import { openDeliveryApp } from '../../support/apps/delivery-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

/** Logs with their marks; `missing` never is. */
const LOGS = {
  front: { folder: ['Openqaf'], name: 'frontqaf', mark: 'qaf' },
  deep: { folder: ['Vaultqev', 'Inqev'], name: 'deepqed', mark: 'qed' },
  gold: { folder: ['Vaultqev'], name: 'goldqev', mark: 'qev' },
  other: { folder: ['Otherqor'], name: 'otherqor', mark: 'qor' },
} as const
type LogKey = keyof typeof LOGS
const KEYS = ['front', 'deep', 'gold', 'other'] as const

/** Of System->audit, which nobody here may view. */
const AUDIT_MARK = 'qau'

/** What each may view. The way to `deep` shows the names of its folders. */
const USERS: Readonly<Record<string, readonly LogKey[]>> = {
  nobody: [],
  opener: ['front'],
  diver: ['deep'],
  everything: KEYS,
}

let pipeline: SearchPipeline
/** Another process: what it knows, it has from the database. */
let other: OpenedMetastore
let app: ReturnType<typeof openDeliveryApp>

const passwordOf = (name: string) => `password of ${name}`
const basic = (name: string, password = passwordOf(name)) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
const as = (name: string) => makeConfigurationClient(app.call, { name, password: passwordOf(name) })
const fieldsOf = (name: string) => ({
  autoLogin: 'true',
  username: name,
  password: passwordOf(name),
})
const path = (key: LogKey) => ['Events', ...LOGS[key].folder, LOGS[key].name]

async function admin(command: string, given: Record<string, string>) {
  const { adminPassword } = pipeline.db
  const client = makeConfigurationClient(app.call, { name: 'admin', password: adminPassword })
  expect(await client.do(command, given)).toMatchObject({ errorMessage: null, success: true })
}

const view = (levels: readonly string[], type: string, viewGroups: string) =>
  admin('setPermissions', { path: levels.join('->'), type, viewGroups })

async function send(word: string) {
  await pipeline.ingestAll(
    KEYS.map((key) => {
      const { folder, name, mark } = LOGS[key]
      const event = {
        message: `${word} ${mark}`,
        [`column ${mark}`]: `value ${mark}`,
        shared: mark,
        productPath: folder.join('->'),
        productName: name,
      }
      return { events: [event, event], hostName: `host-${mark}` }
    }),
  )
}

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  const { database } = pipeline.db
  other = await openMetastore({ database, logger: silentLogger, clock: testClock })
  app = openDeliveryApp({ ...pipeline, db: { ...pipeline.db, metastore: other } })
  await send('paid')
  for (const name of Object.keys(USERS)) await pipeline.db.addUser(name, passwordOf(name))
  for (const groupName of ['outer', 'divers', 'all'])
    await admin('securityGroups', { action: 'add', groupName })
  // opener is in a group in a group.
  await admin('securityGroups', {
    ...{ action: 'add', groupName: 'inner', parents: 'outer', members: 'opener' },
  })
  await admin('securityGroups', { action: 'edit', groupName: 'divers', members: 'diver' })
  await admin('securityGroups', { action: 'edit', groupName: 'all', members: 'everything' })
  await view(['Events'], 'folder', 'all')
  await view(path('front').slice(0, 2), 'folder', 'outer,all')
  await view(path('deep'), 'log', 'divers,all')
  const stranger = { autoLogin: 'true', username: `spy${AUDIT_MARK}`, password: 'guessed' }
  await app.search({ searchQuery: 'paid' }, stranger)
  await pipeline.copyAudit()
}, 120_000)
afterAll(async () => {
  await other?.close()
  await pipeline?.stop()
})

type Read = (name: string) => Promise<string>

const text = async (answer: Response | Promise<Response>) => {
  const { status, headers } = await answer
  const body = await (await answer).text()
  const names = [headers.get('x-logeye-warnings'), headers.get('content-disposition')]
  return `${status} ${names.join(' ')} ${body}`
}
const xml =
  (searchQuery: string, more = {}): Read =>
  (name) =>
    text(app.search({ searchQuery, ...more }, fieldsOf(name)))
const json =
  (call: string, given: object): Read =>
  (name) =>
    text(
      app.call(`/logeye/api/search/${call}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: basic(name) },
        body: JSON.stringify({ interval: 'allData', ...given }),
      }),
    )
const get =
  (address: string, given: Record<string, string> = {}): Read =>
  (name) =>
    text(as(name).get(address, given, 'application/json'))
const sdk =
  (command: string, given: Record<string, string>): Read =>
  async (name) =>
    JSON.stringify(await as(name).do(command, given))

const COLUMNS = ['log', 'folder', 'host', 'source', 'shared']
const STATISTICS = { api: 'collectedDataInfo', detailsLevel: 'Detailed' }

/** Answers that hold the mark of all that the user may view. */
const SHOWING: Readonly<Record<string, Read>> = {
  rows: xml('paid'),
  csv: xml('paid', { resultFormat: 'csv' }),
  'json export': xml('paid', { resultFormat: 'json' }),
  'counts by log': xml('paid | count | group by log'),
  'flow by folder and log': xml('* | datastream | group by log'),
  'values of a column': xml('paid | values shared'),
  hosts: xml('* | count | group by host'),
  events: json('events', { query: 'paid', limit: 50 }),
  facets: json('facets', { query: 'paid', columns: COLUMNS, limit: 50 }),
  overview: json('overview', { query: 'paid', columns: COLUMNS, buckets: 5, limit: 50 }),
  histogram: json('histogram', { query: 'paid', by: 'shared', step: '1 day' }),
  table: json('query', { query: 'paid | count | group by shared' }),
  'completion of logs': json('complete', { query: 'in log.', limit: 50 }),
  'completion of values': json('complete', { query: 'shared = ', limit: 50 }),
  'completion of hosts': json('complete', { query: 'in server.', limit: 50 }),
  tree: get('restapi/folders-and-logs-configuration'),
  'many logs': get('restapi/logs-configuration'),
  'objects of the SDK': sdk('list', { type: 'log' }),
}

/** Answers that must not hold the mark of anything else. */
const OTHERS: Readonly<Record<string, Read>> = {
  statistics: get('message/messageJsonApi.jsp', STATISTICS),
  'statistics of tags': get('message/messageJsonApi.jsp', { ...STATISTICS, type: 'AppTags' }),
  'completion of folders': json('complete', { query: 'in folder.', limit: 50 }),
  'completion of columns': json('complete', { query: 'col', limit: 50 }),
  'completion of a near name': json('complete', { query: 'in log.gol', limit: 50 }),
  'an explanation': json('explain', { query: 'paid in log.deepqe' }),
  'an explanation of columns': json('explain', { query: 'column qe = 1 | list colum qe' }),
  'warnings of a search': xml('pay in log.goldqe | list column qe', { warnings: 'true' }),
  'a mistake': xml('paid in log.deepqe | cuont'),
  'a table of nothing': json('query', { query: 'paid in folder.Vaultqe | count | group by log' }),
  'folders of the SDK': sdk('list', { type: 'folder' }),
}

/** Of what may not be viewed; folders on the way to a log are shown with it. */
const unseen = (name: string) => [
  AUDIT_MARK,
  ...KEYS.filter((key) => USERS[name]?.includes(key) !== true)
    .map((key) => LOGS[key].mark)
    .filter((mark) => mark !== 'qev' || name !== 'diver'),
]

describe.each(Object.keys(USERS))('a user: %s', (name) => {
  const seen = USERS[name] ?? []

  it.each(Object.keys(SHOWING))('reads what he may, and nothing else: %s', async (read) => {
    const answer = (await SHOWING[read]?.(name)) ?? ''
    expect(answer.startsWith('200') || answer.includes('"success":true')).toBe(true)
    for (const key of seen) expect(answer).toContain(LOGS[key].mark)
    for (const mark of unseen(name)) expect(withoutSealed(answer)).not.toContain(mark)
    // The folder alone, never the log in it.
    if (name === 'diver') expect(answer).not.toMatch(/goldqev|value qev|paid qev|host-qev/)
  })

  it.each(Object.keys(OTHERS))('reads nothing else: %s', async (read) => {
    const answer = (await OTHERS[read]?.(name)) ?? ''
    for (const mark of unseen(name)) expect(withoutSealed(answer)).not.toContain(mark)
    if (name === 'diver') expect(answer).not.toMatch(/goldqev|value qev|paid qev|host-qev/)
  })

  it.each(KEYS.filter((key) => !seen.includes(key)))(
    'gets the same bytes for what he may not view and what is not there: %s',
    async (key) => {
      const given = { folder: path(key).slice(0, -1), name: LOGS[key].name }
      const absent = (it: string) => it.replace(/q(\w\w)$/u, 'x$1')
      // Names of equal length and shape; only those that he may not view are made into others.
      const hidden =
        name === 'diver' && key === 'gold' ? [given.name] : [...given.folder, given.name]
      const rename = (it: string) => (hidden.includes(it) ? absent(it) : it)
      const neutral = (it: string) =>
        it.replaceAll(/(front|deep|gold|other|Open|Vault|In|Other)[qx](?=\w\w)/g, '$1?')
      const ask = async (folder: readonly string[], log: string) => {
        const where = [...folder, log].join('->')
        const answers = [
          await get('restapi/log-configuration', { logPath: folder.join('->'), logName: log })(
            name,
          ),
          await get('restapi/logs-configuration', { sourceQuery: `log.${log}` })(name),
          await get('restapi/folders-and-logs-configuration', { sourceQuery: `log.${log}` })(name),
          await xml(`* in log.${log}`, { warnings: 'true' })(name),
          await xml(`* in folder.${folder.join('->')} | count`)(name),
          await json('explain', { query: `* in log.${log}` })(name),
          await json('complete', { query: `in log.${log}`, limit: 5 })(name),
          await sdk('addLog', { name: log, parentFolder: folder.join('->'), update: 'true' })(name),
          await sdk('setPermissions', { path: where, type: 'log', viewUsers: name })(name),
          await sdk('removeMember', { path: where, type: 'log' })(name),
        ]
        return answers.map((one) =>
          neutral(one).replaceAll(/"elapsedMs":[\d.e-]+/g, '"elapsedMs":0'),
        )
      }
      expect(await ask(given.folder, given.name)).toEqual(
        await ask(given.folder.map(rename), rename(given.name)),
      )
    },
  )
})

describe('a folder that may not be viewed', () => {
  it('is not told by what is said of a log in it that is not there', async () => {
    await admin('securityPolicies', {
      ...{ action: 'add', policyName: 'makes logs', operations: 'data.logs,system.security' },
    })
    await admin('securityUsers', { action: 'edit', userName: 'nobody', policy: 'makes logs' })
    const ask = async (folder: string) => {
      const name = `Events->${folder}->absent`
      const answers = [
        await sdk('removeMember', { path: name, type: 'log' })('nobody'),
        await sdk('removeMember', { path: name, type: 'folder' })('nobody'),
        await sdk('setPermissions', { path: name, type: 'log', viewUsers: 'nobody' })('nobody'),
        await sdk('addLog', {
          ...{ name: 'absent', parentFolder: `Events->${folder}`, update: 'true' },
        })('nobody'),
      ]
      return answers.map((one) => one.replaceAll(folder, '?'))
    }
    await admin('setPermissions', { path: 'Events', type: 'folder', inherit: 'true' })
    await view(['Events', 'Otherqor'], 'folder', 'all')
    try {
      expect(await ask('Otherqor')).toEqual(await ask('Otherxor'))
    } finally {
      await view(['Events'], 'folder', 'all')
      await admin('securityUsers', { action: 'edit', userName: 'nobody', policy: 'view only' })
    }
  })
})

describe('a group that is removed', () => {
  it('closes rows, pages, files and the tree, in another process too', async () => {
    const opener = fieldsOf('opener')
    const paged = { searchQuery: 'paid', paginate: 'true', maxRecordsPerPage: 1 }
    const page = await app.ask(paged, opener)
    expect(page.rows).toHaveLength(1)
    const tree = get('restapi/folders-and-logs-configuration')
    expect(await tree('opener')).toContain('frontqaf')
    const { database } = pipeline.db
    const admins = openDeliveryApp(pipeline)
    const client = makeConfigurationClient(admins.call, {
      name: 'admin',
      password: pipeline.db.adminPassword,
    })
    expect(
      await client.do('securityGroups', { action: 'remove', groupName: 'outer' }),
    ).toMatchObject({ success: true })
    await waitUntil(
      'the tree no longer shows the log',
      async () => !(await tree('opener')).includes('frontqaf'),
    )
    expect(await app.ask({ token: page.token }, opener)).toMatchObject({ state: 'Fail', code: 1 })
    for (const read of Object.values(SHOWING))
      expect(withoutSealed(await read('opener'))).not.toContain('qaf')
    const lists = await database.read.selectFrom('node_permissions').selectAll().execute()
    expect(lists.length).toBeGreaterThan(0)
  })
})

/** In ids and cursors, which are sealed, three letters stand by chance. */
function withoutSealed(answer: string): string {
  return answer.replace(/[\w-]{60,}/g, '')
}
