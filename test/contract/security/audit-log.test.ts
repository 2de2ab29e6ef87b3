// System->audit (docs/decisions/0046): who holds `system.audit` finds the entries of the audit log
// by every way to read; for everybody else it is not there, whatever he may view beside it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDeliveryApp } from '../../support/apps/delivery-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

/** Of a failed sign-in, that only the audit log knows. */
const SPY = 'spyqau'
const PASSWORD = 'a good password'
const AUDIT = 'in log.System->audit'
const MARKS = /spyqau|System|audit\b/

let pipeline: SearchPipeline
let app: ReturnType<typeof openDeliveryApp>
let fences = 0
/** Their `Authorization`. */
const readers: Record<string, string> = {}

const basic = (name: string, password = PASSWORD) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

async function sdk(authorization: string, command: string, given: Record<string, string>) {
  const answer = await app.call(`/logeye/sdk/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify(given),
  })
  return await answer.text()
}

async function makeToken(authorization: string, policy: string): Promise<string> {
  const made = await sdk(authorization, 'apiToken', {
    ...{ action: 'add', name: `only ${policy}`, policy },
  })
  const answer = z.object({ response: z.object({ token: z.string() }) }).parse(JSON.parse(made))
  return `Bearer ${answer.response.token}`
}

/** A failed sign-in; the audit log has it. */
async function beSpied() {
  await app.search({ searchQuery: '*' }, { autoLogin: 'true', username: SPY, password: 'wrong' })
  await pipeline.copyAudit()
}

/** Copies the audit log when it has as many searches with `part` in their query. */
async function copyAudited(part: string, count: number) {
  const { read } = pipeline.db.database
  await waitUntil(`the audit log has ${count} searches for ${part}`, async () => {
    const rows = await read.selectFrom('audit').select('details').execute()
    return rows.filter(({ details }) => details.includes(part)).length >= count
  })
  await pipeline.copyAudit()
}

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  app = openDeliveryApp(pipeline, { readArrived: pipeline.readArrived })
  const root = basic('admin', pipeline.db.adminPassword)
  await pipeline.ingest([{ message: 'paid', user: 'shop' }])
  for (const name of ['auditor', 'reader', 'operator']) await pipeline.db.addUser(name, PASSWORD)
  for (const [policyName, operations] of [
    ['audits', 'system.audit'],
    ['operates', 'system.operate,system.settings,system.security,data,search'],
  ] as const)
    await sdk(root, 'securityPolicies', { action: 'add', policyName, operations })
  for (const [userName, policy] of [
    ['auditor', 'audits'],
    ['operator', 'operates'],
  ] as const)
    expect(await sdk(root, 'securityUsers', { action: 'edit', userName, policy })).toContain(
      '"success":true',
    )
  readers.administrator = root
  readers.auditor = basic('auditor')
  readers['auditor with a token'] = await makeToken(basic('auditor'), 'audits')
  readers['user who views all other logs'] = basic('reader')
  readers['operator with all other rights'] = basic('operator')
  readers['administrator with a narrower token'] = await makeToken(root, 'operates')
  readers['auditor with a narrower token'] = await makeToken(basic('auditor'), 'view only')
  await beSpied()
}, 120_000)
afterAll(() => pipeline?.stop())

type Read = (authorization: string) => Promise<string>

const call = async (path: string, authorization: string, init: RequestInit = {}) => {
  const headers = { authorization, ...init.headers }
  const answer = await app.call(path, { ...init, headers })
  const extra = [answer.headers.get('x-logeye-warnings'), answer.headers.get('content-disposition')]
  return `${extra.join(' ')} ${await answer.text()}`
}
const search =
  (searchQuery: string, more: Record<string, string> = {}): Read =>
  (authorization) => {
    const given = { widgetId: 'searchAPI', fixedInterval: 'allData', searchQuery, ...more }
    const path = `/logeye/view/api/widgetAPI.jsp?${new URLSearchParams(given)}`
    return call(path, authorization)
  }
const json =
  (name: string, given: object): Read =>
  (authorization) =>
    call(`/logeye/api/search/${name}`, authorization, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(name === 'context' ? given : { interval: 'allData', ...given }),
    })
const get =
  (path: string, given: Record<string, string> = {}): Read =>
  (authorization) =>
    call(`/logeye/${path}?${new URLSearchParams(given)}`, authorization)

/** What comes while a command is refused, until the administrator beside sees it. */
const tail: Read = async (authorization) => {
  const stop = new AbortController()
  const texts = ['', '']
  fences += 1
  const fence = `fence${fences}`
  const follow = async (authorization: string, at: number) => {
    const query = `object in (${SPY}, ${fence}) ${AUDIT}, log.Default`
    const given = new URLSearchParams({ query })
    const { signal } = stop
    const headers = { authorization }
    const answer = await app.call(`/logeye/api/search/tail?${given}`, { headers, signal })
    const decoder = new TextDecoder()
    const read = async () => {
      for await (const chunk of answer.body ?? [])
        texts[at] += decoder.decode(chunk, { stream: true })
    }
    // Rejects when it is aborted.
    void read().catch(() => {})
  }
  const root = readers.administrator ?? ''
  await follow(authorization, 0)
  await follow(root, 1)
  // A refused command: more sign-ins that fail would be slowed down.
  await sdk(root, 'removeMember', { path: SPY, type: 'folder' })
  await pipeline.copyAudit()
  // A tail sends what arrived before this event first.
  await pipeline.ingest([{ message: 'later', object: fence }])
  const saw = () => texts
  await waitUntil('both have the later event', () => texts.every((it) => it.includes(fence)), saw)
  stop.abort()
  expect(texts[1]).toMatch(MARKS)
  return texts[0] ?? ''
}

/** Through the file that a large answer becomes. */
const paged: Read = async (authorization) => {
  const first = await search(`"${SPY}: sign-in" ${AUDIT}`, { paginate: 'true' })(authorization)
  const token = /token="([^"]+)"/.exec(first)?.[1] ?? ''
  return first + (token === '' ? '' : await search('*', { token })(authorization))
}

const STATISTICS = { api: 'collectedDataInfo', detailsLevel: 'Detailed', timeFrame: 'allData' }

const READS: Readonly<Record<string, Read>> = {
  rows: search(`"${SPY}: sign-in" in folder.System`),
  'rows of the log': search('action = sign-in in log.System->audit'),
  csv: search(`action = sign-in ${AUDIT}`, { resultFormat: 'csv' }),
  'json export': search(`action = sign-in ${AUDIT}`, { resultFormat: 'json' }),
  'counts by user': search(`* ${AUDIT} | count | group by user`),
  'counts by log': search('* in log.* | count | group by folder, log'),
  pages: paged,
  events: json('events', { query: `action = sign-in ${AUDIT}`, limit: 50 }),
  facets: json('facets', { query: `* ${AUDIT}`, columns: ['user', 'log'], limit: 50 }),
  overview: json('overview', { query: `* ${AUDIT}`, columns: ['user'], buckets: 5, limit: 50 }),
  histogram: json('histogram', { query: `* ${AUDIT}`, by: 'user', step: '1 day' }),
  'completion of logs': json('complete', { query: 'in log.', limit: 50 }),
  'completion of folders': json('complete', { query: 'in folder.', limit: 50 }),
  'many logs': get('restapi/logs-configuration'),
  'one log': get('restapi/log-configuration', { logPath: 'ROOT->System', logName: 'audit' }),
  tree: get('restapi/folders-and-logs-configuration'),
  statistics: get('message/messageJsonApi.jsp', STATISTICS),
  'a tail': tail,
}

/** They show nothing of it to anybody. */
const SILENT: Readonly<Record<string, Read>> = {
  'a word that only it has': search(SPY),
  'all there is': search('* | count | group by folder, log'),
  'completion of values': json('complete', { query: 'user = ', limit: 50 }),
  'an explanation': json('explain', { query: '* in log.audi' }),
  'warnings of a near name': search('* in log.auditt | list detailss', { warnings: 'true' }),
  'a mistake': search('* in log.audit | cuont'),
  'completion of columns': json('complete', { query: 'addre', limit: 50 }),
}

const SEEING = ['administrator', 'auditor', 'auditor with a token']
const BLIND = [
  'user who views all other logs',
  'operator with all other rights',
  'auditor with a narrower token',
]

describe.each(SEEING)('the audit log of an %s', (reader) => {
  it.each(Object.keys(READS))('is there: %s', async (name) => {
    const answer = await READS[name]?.(readers[reader] ?? '')
    expect(answer).toMatch(MARKS)
  })
})

describe.each(BLIND)('the audit log of a %s', (reader) => {
  it.each(Object.keys({ ...READS, ...SILENT }))('is not there: %s', async (name) => {
    const answer = await { ...READS, ...SILENT }[name]?.(readers[reader] ?? '')
    // An answer that repeats what was asked says nothing.
    expect(answer?.replaceAll(/(System-\\*>)?audi\w*/g, '')).not.toMatch(MARKS)
  })
})

describe('the audit log', () => {
  it('is hidden from an administrator whose token is narrower, all other logs are not', async () => {
    const narrow = readers['administrator with a narrower token'] ?? ''
    for (const [name, read] of Object.entries(READS)) {
      const answer = await read(narrow)
      expect(`${name}: ${answer.replaceAll(/log-configuration|audi\w*(?=<)/g, '')}`).not.toMatch(
        /spyqau|"audit"|>audit</,
      )
    }
    expect(await search('paid')(narrow)).toContain('numberOfResults="1"')
    expect(await get('restapi/logs-configuration')(narrow)).toContain('rejected')
  })

  it('answers those who may not read it as a log that is not there', async () => {
    const reader = readers['operator with all other rights'] ?? ''
    const ask = async (name: string) => {
      const path = `System->${name}`
      const place = { logPath: 'ROOT->System', logName: name }
      const answers = [
        await search(`* in log.${path}`, { warnings: 'true' })(reader),
        await search(`* in log.${name} | count`, { warnings: 'true' })(reader),
        await json('explain', { query: `* in log.${name}` })(reader),
        await get('restapi/log-configuration', place)(reader),
        await sdk(reader, 'setPermissions', { path, type: 'log', viewUsers: 'reader' }),
        await sdk(reader, 'removeMember', { path, type: 'log' }),
        await sdk(reader, 'addLog', { name, parentFolder: 'System', update: 'true' }),
        await sdk(reader, 'addAppTag', { name: 'tagged', logs: path }),
      ]
      return answers.map((one) =>
        one.replaceAll(name, '?').replaceAll(/"elapsedMs":[\d.e-]+/g, '"elapsedMs":0'),
      )
    }
    expect(await ask('audit')).toEqual(await ask('audix'))
  })

  it('ends with the right: rows, pages and files, though the list of viewers named the user', async () => {
    const auditor = readers.auditor ?? ''
    const first = await search(`* ${AUDIT}`, { paginate: 'true', maxRecordsPerPage: '1' })(auditor)
    const token = /token="([^"]+)"/.exec(first)?.[1] ?? ''
    expect(token).not.toBe('')
    const root = readers.administrator ?? ''
    await sdk(root, 'securityUsers', { action: 'edit', userName: 'auditor', policy: 'view only' })
    expect(await search('*', { token })(auditor)).toContain('state="Fail"')
    expect(await search(`action = sign-in ${AUDIT}`)(auditor)).toContain('numberOfResults="0"')
    await sdk(root, 'securityUsers', { action: 'edit', userName: 'auditor', policy: 'audits' })
    expect(await search(`action = sign-in ${AUDIT}`)(auditor)).not.toContain('numberOfResults="0"')
  })

  it('is read only where it is named: a word finds none of the searches for it', async () => {
    const root = readers.administrator ?? ''
    for (let n = 0; n < 3; n += 1) {
      expect(await search('uponatime')(root)).toContain('numberOfResults="0"')
      await copyAudited('uponatime', n + 1)
    }
    const named = `uponatime ${AUDIT} | count`
    expect((await app.ask({ searchQuery: named })).rows[0]).toEqual({ count: '3' })
    expect(await search('uponatime in server.*')(root)).toContain('numberOfResults="0"')
    for (const [name, read] of Object.entries(SILENT))
      expect(`${name} ${await read(root)}`.replaceAll(/(System-\\*>)?audi\w*/g, '')).not.toContain(
        SPY,
      )
    const events = await json('events', { query: `action = sign-in ${AUDIT}`, limit: 1 })(root)
    const id = /"id":"([^"]+)"/.exec(events)?.[1] ?? ''
    const around = { event: id, among: 'log', query: `* ${AUDIT}`, before: 2, after: 2 }
    expect(await json('context', around)(root)).toContain('"success":true')
  })

  it('is no flow, and grows by one entry for each search of it', async () => {
    const root = readers.administrator ?? ''
    expect(await search('* | datastream | group by folder')(root)).not.toContain('System')
    expect(await search('spyqau | datastream | group by folder')(root)).not.toContain('System')
    const query = `surface = search details.query = "once upon" ${AUDIT}`
    await search('once upon')(root)
    for (let searches = 1; searches <= 3; searches += 1) {
      await copyAudited('once upon', searches)
      const { rows } = await app.ask({ searchQuery: query, maxNumOfRecords: 1000 })
      expect(rows).toHaveLength(1)
    }
  })
})
