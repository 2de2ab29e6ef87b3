// dashboardAPI.jsp and files of apps, on a real store; documents are read by poppler.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appFile } from '../../../schemas/dashboards/app.ts'
import { appAnswer, appsAnswer, readyMadeAnswer } from '../../../schemas/public-calls/dashboards.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { basic } from '../../support/clients/access-client.ts'
import {
  type DashboardClient,
  makeDashboardClient,
} from '../../support/clients/dashboard-client.ts'
import { popplerMissing } from '../../support/run/programs.ts'
import { spawnSync } from '../../support/run/run-sync.ts'
import { itUnless } from '../../support/run/skip.ts'
import { testClock } from '../../support/run/test-clock.ts'

const PATH = '/logeye/view/api/dashboardAPI.jsp'
const NO_POPPLER = popplerMissing()
let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>
let admin: DashboardClient

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  app = openTestApp(pipeline.db, pipeline.engine.store)
  admin = makeDashboardClient(app, basic('admin', pipeline.db.adminPassword))
  const now = testClock.nowMs()
  await pipeline.ingest(
    Array.from({ length: 30 }, (_, n) => ({
      timestamp: new Date(now - n * 60_000).toISOString(),
      message: `request ${n}`,
      Status: n % 3 === 0 ? 500 : 200,
      URL: `/seite/${n % 4}`,
    })),
  )
  const { id } = await admin.addApp({ name: 'Web Access' })
  const place = { column: 0, row: 0, width: 12, height: 6 }
  await admin.addDashboard(id, 'Überblick', {
    widgets: [
      { ...{ id: 'a', title: 'Ответы по статусу', type: 'column', place } },
      { ...{ id: 'b', title: 'Σελίδες', type: 'table', place: { ...place, row: 6 } } },
    ].map((one) => ({
      ...one,
      query: one.id === 'a' ? '* | count | group by Status' : '* | count | group by URL',
    })),
  })
})
afterAll(async () => {
  await app?.app.stop()
  await pipeline?.stop()
})

const exportOf = (
  given: Record<string, string>,
  headers = basic('admin', pipeline.db.adminPassword),
) => app.call(`${PATH}?${new URLSearchParams(given)}`, { headers })
const WANTED = { action: 'export', appName: 'web access', viewName: 'ÜBERBLICK' }

describe('dashboardAPI.jsp', () => {
  it('answers in the envelope what it refuses', async () => {
    const refusals: [Record<string, string>, number][] = [
      [{ ...WANTED, action: 'print' }, 400],
      [{ ...WANTED, format: 'png' }, 400],
      [{ action: 'export', appName: 'web access' }, 400],
      [{ ...WANTED, appName: 'none' }, 404],
      [{ ...WANTED, viewName: 'none' }, 404],
    ]
    for (const [given, status] of refusals) {
      const answer = await exportOf(given)
      expect([given, answer.status]).toEqual([given, status])
      expect(await answer.json()).toMatchObject({ success: false, httpStatusCode: status })
    }
    expect((await exportOf(WANTED, basic('admin', 'wrong'))).status).toBe(401)
  })

  it('prints the stored result, the same bytes each time', { timeout: 240_000 }, async () => {
    const first = await exportOf(WANTED)
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(first.headers.get('content-disposition')).toBe(
      `inline; filename="Web Access - _berblick.pdf"; filename*=UTF-8''Web%20Access%20-%20%C3%9Cberblick.pdf`,
    )
    const bytes = Buffer.from(await first.arrayBuffer())
    const again = Buffer.from(await (await exportOf(WANTED)).arrayBuffer())
    expect(again.equals(bytes)).toBe(true)
    if (NO_POPPLER !== undefined) return
    const folder = mkdtempSync(join(tmpdir(), 'logeye-test-pdf-'))
    const file = join(folder, 'a.pdf')
    writeFileSync(file, bytes)
    const text = spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).stdout
    rmSync(folder, { recursive: true })
    for (const part of ['Überblick', 'Web Access', 'last 24 hours', 'Ответы по статусу'])
      expect(text).toContain(part)
    for (const part of ['Σελίδες', '/seite/3', 'Page 1 of']) expect(text).toContain(part)
  })

  it('prints CSV', async () => {
    const text = await (await exportOf({ ...WANTED, format: 'csv' })).text()
    expect(text.split('\r\n').slice(0, 2)).toEqual(['Ответы по статусу', 'Status,count'])
    expect(text).toContain('/seite/0,8\r\n')
  })
})

describe('files of apps', () => {
  it('make an equal app under another name', async () => {
    const { id } = await admin.ask(appAnswer, 'POST', '/import', { readyMade: 'linux' })
    const file = await admin.ask(appFile, 'GET', `/${id}/file`)
    const other = await admin.ask(appAnswer, 'POST', '/import', { file, name: 'Linux two' })
    const copy = await admin.ask(appFile, 'GET', `/${other.id}/file`)
    expect({ ...copy, name: file.name }).toEqual(file)
    expect((await admin.refusal('POST', '/import', { file })).status).toBe(409)
    await admin.ask(appAnswer, 'POST', '/import', { file, replace: true })
  })

  it('come along, and every query of them can be read', { timeout: 240_000 }, async () => {
    const { apps } = await admin.ask(readyMadeAnswer, 'GET', '/ready-made')
    expect(apps.map(({ name }) => name)).toEqual([
      ...['Web access', 'Linux', 'Kubernetes', 'CloudTrail', 'Logeye'],
    ])
    for (const { name } of apps) {
      const given = { readyMade: name, name: `Ready ${name}` }
      const made = await admin.ask(appAnswer, 'POST', '/import', given)
      const file = await admin.ask(appFile, 'GET', `/${made.id}/file`)
      const defined = file.dashboards.flatMap(({ definition }) => definition.widgets)
      for (const { id } of made.dashboards) {
        const { widgets } = await admin.generate(`/${made.id}/dashboards/${id}`)
        for (const { widgetId, rows } of widgets) {
          const names = rows?.columns.map((column) => column.name) ?? []
          const options = defined.find((widget) => widget.id === widgetId)?.options
          const drawn = [...(options?.values ?? []), options?.category, options?.series]
          for (const column of drawn.filter(Boolean))
            expect(names, `${name}, ${widgetId}`).toContain(column)
        }
        const failed = widgets.filter(({ error }) => error !== null)
        expect(failed.map(({ widgetId, error }) => [name, widgetId, error?.message])).toEqual([])
      }
    }
  })
})

describe('dashboardAPI.jsp with what is chosen', () => {
  const BOARD = { action: 'export', appName: 'Choices', viewName: 'Board', format: 'csv' }

  beforeAll(async () => {
    const { id } = await admin.addApp({ name: 'Choices', settings: { sources: 'folder.*' } })
    const place = { column: 0, row: 0, width: 12, height: 6 }
    const query = `Status = ${'$'}{status} | count`
    await admin.addDashboard(id, 'Board', {
      variables: [{ kind: 'list', name: 'status', choices: ['200', '500'] }],
      widgets: [{ id: 'a', title: '=Count', type: 'number', query, place }],
    })
  })
  const csv = async (more: Record<string, string> = {}) => {
    const answer = await exportOf({ ...BOARD, ...more })
    return [answer.status, (await answer.text()).split('\r\n')[2]]
  }

  it('counts by the values of variables and in the time that are given', async () => {
    expect(await csv()).toEqual([200, '30'])
    expect(await csv({ 'var.status': '500' })).toEqual([200, '10'])
    expect(await csv({ 'var.status': '' })).toEqual([200, '30'])
    expect(await csv({ 'var.status': '200', start: '-9m', end: 'now' })).toEqual([200, '6'])
    // Nothing of it is kept.
    expect(await csv()).toEqual([200, '30'])
  })

  it('neutralizes cells for a spreadsheet alone', async () => {
    const text = async (more: Record<string, string>) =>
      await (await exportOf({ ...BOARD, ...more })).text()
    expect(await text({})).toBe('=Count\r\ncount\r\n30\r\n')
    expect(await text({ spreadsheet: 'true' })).toBe("'=Count\r\ncount\r\n30\r\n")
  })

  it.each([
    [{ spreadsheet: 'yes' }],
    [{ spreadsheet: 'true', format: 'pdf' }],
    [{ 'var.status': '404' }],
    [{ 'var.other': '1' }],
    [{ interval: 'soon' }],
    [{ interval: 'allData', start: '-1h' }],
  ])('refuses %j', async (more) => {
    expect((await csv(more))[0]).toBe(400)
  })

  itUnless(NO_POPPLER, 'prints what was chosen into the document', async () => {
    const answer = await exportOf({ ...BOARD, format: 'pdf', 'var.status': '500' })
    const { stdout } = spawnSync('pdftotext', ['-', '-'], {
      input: new Uint8Array(await answer.arrayBuffer()),
      encoding: 'utf8',
    })
    expect(stdout).toContain('status: 500')
    expect(stdout).toContain('10')
  })

  it('leads to a search of the same logs', async () => {
    const { apps } = await admin.ask(appsAnswer, 'GET', '')
    const own = apps.find(({ name }) => name === 'Choices')
    const path = `/${own?.id}/dashboards/${own?.dashboards[0]?.id}`
    const { query } = await admin.runWidget(path, {
      widgetId: 'a',
      variables: { status: ['500'] },
    })
    expect(query).toBe('Status = "500" in folder.* | count')
  })
})
