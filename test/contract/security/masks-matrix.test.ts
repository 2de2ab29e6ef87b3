// Every spelling of a hidden value, in every place of an event, by every way to read events: a user
// from whom policies hide them sees none and finds none, and administrators see all.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { events as eventsCall } from '../../../query/search-json/calls/events.ts'
import { ENDPOINTS } from '../../../query/search-json/search-json-table.ts'
import { makeDashboardClient } from '../../support/clients/dashboard-client.ts'
import { MASKS, makeCells } from '../../support/masking/mask-forms.ts'
import { type MaskedReader, openMaskedReader } from '../../support/masking/masked-reader.ts'
import { type MonitorWorld, openMonitorWorld } from '../../support/monitors/monitor-world.ts'
import { type MailSink, startMailSink } from '../../support/portal/mail-sink.ts'
import { popplerMissing } from '../../support/run/programs.ts'
import { spawnSync } from '../../support/run/run-sync.ts'
import { itUnless } from '../../support/run/skip.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { isFullTier } from '../../support/run/tier.ts'

const WORD = 'cell'
const CELLS = makeCells(WORD)
const LEVELS = [3, 0, 10] as const
const WINDOW = { interval: 'allData' }
const COLUMNS = ['v', 'pin', 'user.code', 'l1.v', 'l1.l2.l3', 'rows', 'payload', 'message', 'host']
const GUESSES_A_QUERY = 20
/** One of so many, which is no divisor of the number of forms: forms and places change. */
const GUESSED_CELLS = isFullTier ? 1 : 40
const MINUTE_MS = 60_000

let reader: MaskedReader
let world: MonitorWorld
let mails: MailSink

type User = MaskedReader['reader']

/** By the name of the user for whom they are. */
const boards = new Map<string, { readonly app: number; readonly dashboard: number }>()

beforeAll(async () => {
  ;[reader, mails] = await Promise.all([
    openMaskedReader(MASKS, { operations: 'data.monitors,data.dashboards' }),
    startMailSink(),
  ])
  for (const jsonParsingLevel of ['0', '10'])
    await reader
      .sdk(reader.admin)
      .do('addListener', { name: `level ${jsonParsingLevel}`, jsonParsingLevel })
  await reader.pipeline.db.metastore.refresh()
  const receivedMs = testClock.nowMs()
  await reader.pipeline.ingestAll(
    LEVELS.map((level, at) => ({
      events: CELLS.filter(({ parsingLevel }) => parsingLevel === level).map(({ event }) => event),
      ...{ accountId: at + 1, receivedMs },
    })),
  )
  world = openMonitorWorld(reader.pipeline, {
    ...{ keyFile: reader.pipeline.keyFile, mailUrl: mails.url },
  })
  for (const user of [reader.reader, reader.admin]) await addBoard(user)
  await world.run('addAlertTarget', { name: 'desk', type: 'mail', to: 'desk@example.com' })
})
afterAll(async () => {
  await world?.app.app.stop()
  await reader?.stop()
  await mails?.close()
})

const authorizationOf = ({ name, password }: User) => `Basic ${btoa(`${name}:${password}`)}`
const post = async (name: string, body: object, user: User) => {
  const answer = await reader.json(user).post(name, body)
  const text = await answer.text()
  expect({ name, status: answer.status, text: text.slice(0, 300) }).toMatchObject({ status: 200 })
  return text
}
const search = (query: string, format: string) => async (user: User) => {
  const text = await reader.search(query, user, { resultFormat: format, maxNumOfRecords: '2000' })
  expect(text.slice(0, 300)).not.toContain('state="Fail"')
  return text
}

/** Calls of the JSON interface, by their names; each asks for as much as it may. */
const CALLS: Readonly<Record<string, (user: User) => Promise<string>>> = {
  events: (user) => post('events', { query: WORD, ...WINDOW, limit: 1000 }, user),
  histogram: async (user) =>
    (
      await Promise.all(
        ['v', 'message'].map((by) => post('histogram', { query: WORD, ...WINDOW, by }, user)),
      )
    ).join(),
  facets: (user) => post('facets', { query: WORD, ...WINDOW, columns: COLUMNS }, user),
  overview: (user) => post('overview', { query: WORD, ...WINDOW }, user),
  shapes: (user) => post('shapes', { query: WORD, ...WINDOW }, user),
  context: async (user) => {
    const { data } = await reader.json(user).ask(eventsCall, { query: WORD, ...WINDOW })
    const ask = (among: string) => post('context', { event: data[0]?.id, among }, user)
    return (await Promise.all(['log', 'source'].map(ask))).join()
  },
  explain: (user) => post('explain', { query: `${WORD} v = z*` }, user),
  query: async (user) =>
    (
      await Promise.all(
        COLUMNS.map((column) =>
          post('query', { query: `${WORD} | count | group by ${column}`, ...WINDOW }, user),
        ),
      )
    ).join(),
  complete: async (user) =>
    (
      await Promise.all(
        COLUMNS.map((column) => post('complete', { query: `${column} = `, ...WINDOW }, user)),
      )
    ).join(),
}

/** The others. */
const WAYS: Readonly<Record<string, (user: User) => Promise<string>>> = {
  'search as XML': search(WORD, 'xml'),
  'search as CSV': search(`${WORD} | display only message, raw, v, pin, rows, payload`, 'csv'),
  'export as JSON': search(WORD, 'json'),
  'export as CSV': search(WORD, 'csv-plain'),
  'export of raw events': search(`${WORD} | display only raw`, 'csv-plain'),
  'a table': search(`${WORD} | list v, pin, user, rows, payload, message`, 'csv'),
  'an order': search(`${WORD} | order by v, pin, rows | limit 900`, 'xml'),
  'a regular expression': search(`${WORD} | extract "(?<found>.*)" from message`, 'json'),
  'a page': async (user) =>
    await reader.search(WORD, user, {
      ...{ resultFormat: 'xml', paginate: 'true', maxRecordsPerPage: '1000' },
    }),
  'the live tail': async (user) => {
    const tail = await reader.json(user).tail(`late${WORD}`)
    const late = CELLS.filter((_, at) => at % 40 === 0)
    const events = late.map(({ event }) => event.replace(`"${WORD}`, `"late${WORD}`))
    await reader.pipeline.ingest(events, { receivedMs: testClock.nowMs() })
    await tail.until(events.length - 3)
    tail.close()
    return JSON.stringify(tail.events)
  },
  'an alert, its mail and a report': async (user) => {
    const client = world.as(user.name, user.password)
    const name = `of ${user.name}`
    const before = mails.mails.length
    const given = { schedule: 'every 1m', actions: 'desk', window: '2h' }
    await world.run('addMonitor', { name, query: WORD, ...given }, client)
    const headers = { 'content-type': 'application/json', authorization: authorizationOf(user) }
    const body = JSON.stringify({ name, search: { query: WORD, time: WINDOW } })
    await world.app.call('/logeye/api/saved-searches', { method: 'POST', headers, body })
    await world.run('addReport', { name, search: name, targets: 'desk' }, client)
    await world.run('reports', { name, runNow: 'true' }, client)
    await world.tick(MINUTE_MS)
    await world.deliver()
    await world.sendReports()
    const { alerts } = await world.alerts({ state: 'all' }, client)
    const shown = await Promise.all(
      alerts
        .filter(({ monitor }) => monitor === name)
        .map(({ id }) => world.alerts({ id: String(id) }, client)),
    )
    expect(shown).toHaveLength(1)
    const sent = mails.mails.slice(before)
    expect(sent.length).toBeGreaterThanOrEqual(2)
    return [JSON.stringify(shown), ...sent.map(({ raw }) => decodeMail(raw))].join()
  },
  'a dashboard, and its CSV': async (user) => {
    const { app, dashboard } = boards.get(user.name) ?? {}
    const client = makeDashboardClient(reader.app, { authorization: authorizationOf(user) })
    const result = await client.generate(`/${app}/dashboards/${dashboard}`)
    const csv = await exportOf(user, 'csv')
    return JSON.stringify(result) + (await csv.text())
  },
}

async function addBoard(user: User): Promise<void> {
  const admin = makeDashboardClient(reader.app, { authorization: authorizationOf(reader.admin) })
  const name = `Board ${user.name}`
  const place = { column: 0, row: 0, width: 12, height: 6 }
  const app = await admin.addApp({ name, settings: { sources: 'folder.*' } })
  const made = await admin.addDashboard(app.id, name, {
    timeFrame: WINDOW,
    widgets: [
      { id: 'a', title: 'Rows', type: 'table', query: WORD, place },
      {
        ...{ id: 'b', title: 'Groups', type: 'table', place: { ...place, row: 6 } },
        query: `${WORD} | count | group by message`,
      },
    ],
  })
  boards.set(user.name, { app: app.id, dashboard: made.id })
}

const exportOf = async (user: User, format: string) => {
  const name = `Board ${user.name}`
  const asked = { action: 'export', appName: name, viewName: name, format }
  const headers = { authorization: authorizationOf(user) }
  const path = `/logeye/view/api/dashboardAPI.jsp?${new URLSearchParams(asked)}`
  return await reader.app.call(path, { headers })
}

function decodeMail(raw: string): string {
  const encoded = [...raw.matchAll(/base64\r\n(?:[^\r\n]+\r\n)*\r\n([A-Za-z0-9+/=\r\n]+)/g)]
  const parts = encoded.map(([, text = '']) => Buffer.from(text, 'base64').toString())
  return [raw.replace(/=\r\n/g, '').replaceAll('=3D', '='), ...parts].join()
}

function cellsIn(text: string): readonly string[] {
  const plain = text.replaceAll(/&#?\w+;/g, ' ')
  return CELLS.filter(({ secrets }) => secrets.some((it) => plain.includes(it))).map(
    ({ name }) => name,
  )
}

describe('a hidden value', () => {
  it('is in nothing that its reader gets', async () => {
    for (const [way, read] of [...Object.entries(CALLS), ...Object.entries(WAYS)])
      expect({ way, shows: cellsIn(await read(reader.reader)) }).toEqual({ way, shows: [] })
  })

  it('is shown to administrators', async () => {
    const raw = await WAYS['export of raw events']?.(reader.admin)
    expect(cellsIn(raw ?? '')).toHaveLength(CELLS.length)
    const others = Object.entries(WAYS).filter(([way]) => way !== 'a page')
    for (const [way, read] of others)
      expect({ way, shows: cellsIn(await read(reader.admin)).length > 0 }).toEqual({
        way,
        shows: true,
      })
  })

  it('is asked for in every call', () => {
    expect(Object.keys(CALLS).sort()).toEqual(ENDPOINTS.map(({ name }) => name).sort())
    expect(new Set(CELLS.map(({ name }) => name)).size).toBe(CELLS.length)
  })

  it.each<[kind: string, ask: (guess: string) => string]>([
    ['a phrase', (guess) => `"${guess}"`],
    ['a part of the message', (guess) => `message contains "${guess}"`],
    ['a part of a column', (guess) => `rows contains "${guess}" or payload contains "${guess}"`],
    ['a column', (guess) => `v = "${guess}" or pin = "${guess}"`],
  ])('is not found by %s', { timeout: 900_000 }, async (_, ask) => {
    const guesses = CELLS.filter((_, at) => at % GUESSED_CELLS === 0).flatMap(
      ({ secrets }) => secrets,
    )
    let found = 0
    for (let from = 0; from < guesses.length; from += GUESSES_A_QUERY) {
      const chunk = guesses.slice(from, from + GUESSES_A_QUERY)
      const filter = `(${chunk.map(ask).join(' or ')})`
      expect(await reader.count(filter)).toBe(0)
      found += await reader.count(filter, reader.admin)
    }
    expect(found).toBeGreaterThan(0)
  })

  itUnless(popplerMissing(), 'is in no PDF', async () => {
    const textOf = async (user: User) => {
      const input = Buffer.from(await (await exportOf(user, 'pdf')).arrayBuffer())
      return spawnSync('pdftotext', ['-layout', '-', '-'], { input, encoding: 'utf8' }).stdout
    }
    expect(cellsIn(await textOf(reader.reader))).toEqual([])
    expect(cellsIn(await textOf(reader.admin)).length).toBeGreaterThan(0)
  })
})
