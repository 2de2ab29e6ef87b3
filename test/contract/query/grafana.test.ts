// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Grafana
// Grafana's Infinity over our interfaces: the requests of its source, replayed, and the columns
// that the dashboards of infra/deploy/grafana/infinity name are there.
import { XMLParser } from 'fast-xml-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { askSdk, basic } from '../../support/clients/access-client.ts'
import { readDeployFile, readDeployYaml } from '../../support/deploy/deploy-files.ts'
import { asList, asMap } from '../../support/deploy/yaml-values.ts'
import {
  type Asking,
  type InfinityTarget,
  infinityTarget,
  makeInfinityRequest,
  readFrame,
} from '../../support/grafana/infinity-request.ts'
import { testClock } from '../../support/run/test-clock.ts'

const EVENTS = 30
const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(infinityTarget).min(1) })).min(1),
})
const { panels } = dashboard.parse(
  JSON.parse(readDeployFile('grafana/infinity/dashboards/events.json')),
)
const targets = panels.flatMap((panel) =>
  panel.targets.map((target) => [panel.title, target] as const),
)

describe('Grafana with Infinity', () => {
  let pipeline: SearchPipeline
  let app: ReturnType<typeof openTestApp>
  let bearerToken = ''
  const nowMs = testClock.nowMs()
  beforeAll(async () => {
    pipeline = await openSearchPipeline()
    app = openTestApp(pipeline.db, pipeline.engine.store)
    await pipeline.ingest(
      Array.from({ length: EVENTS }, (_, at) => ({
        timestamp: new Date(nowMs - (at + 1) * 60_000).toISOString(),
        message: `order ${at}, "quoted"; Ελλάδα`,
        level: at % 3 === 0 ? 'ERROR' : 'INFO',
        productPath: 'Shop',
        productName: 'orders',
      })),
    )
    const headers = basic('admin', pipeline.db.adminPassword)
    const made = await askSdk(app, 'apiToken', { action: 'add', name: 'grafana' }, headers)
    bearerToken = z.object({ token: z.string() }).parse(made.response).token
  })
  afterAll(async () => {
    await app?.app.stop()
    await pipeline?.stop()
  })

  const ask = async (
    target: InfinityTarget,
    query = '*',
    token = bearerToken,
    other: Partial<Asking> = {},
  ) => {
    const request = makeInfinityRequest(target, {
      baseUrl: 'http://localhost',
      bearerToken: token,
      fromMs: nowMs - 3_600_000,
      toMs: nowMs,
      variables: { query },
      ...other,
    })
    const { pathname, search } = new URL(request.url)
    return await app.call(pathname + search, {
      method: request.method,
      headers: request.headers,
      ...(request.body === null ? {} : { body: await request.text() }),
    })
  }

  const recorded = (change: Partial<InfinityTarget> & { params: Record<string, string> }) =>
    infinityTarget.parse({
      ...{ refId: 'A', datasource: { type: 'i', uid: 'i' }, source: 'url', parser: 'backend' },
      ...{ format: 'table', root_selector: 'response', columns: [], type: 'json' },
      ...change,
      url: change.url ?? '/logeye/api/search/histogram',
      url_options: {
        ...{ method: 'GET', data: '', ...change.url_options },
        params: Object.entries(change.params).map(([key, value]) => ({ key, value })),
      },
    })

  it.each(targets)('finds the columns of %s', async (_, target) => {
    const answer = await ask(target)
    expect(answer.status).toBe(200)
    const kind = answer.headers.get('content-type')
    expect(kind).toContain(target.type)
    const frame = await readFrame(target, answer)
    for (const { text, type } of target.columns) {
      const cells = frame[text] ?? []
      expect(cells.length, text).toBeGreaterThan(0)
      expect(
        cells.every((cell) => cell !== undefined && !Number.isNaN(cell)),
        text,
      ).toBe(true)
      if (type === 'timestamp') expect(cells.every(Number.isFinite)).toBe(true)
    }
    const events = frame.Events
    if (events !== undefined)
      expect(events.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(EVENTS)
  })

  it.each(targets)('has an empty frame where nothing is found: %s', async (_, target) => {
    const answer = await ask(target, '"never sent"')
    expect(answer.status).toBe(200)
    const frame = await readFrame(target, answer)
    expect(frame.Events?.filter((count) => count !== 0) ?? []).toEqual([])
  })

  it.each([0, 500, 123])(
    'takes the times of an alert, which has no variables, with %i ms',
    async (ms) => {
      const toMs = nowMs - (nowMs % 1000) + 1000 + ms
      const alert = recorded({
        params: { query: '*', start: '${__from:date:iso}', end: '${__to:date:iso}' },
      })
      const answer = await ask(alert, '', bearerToken, { toMs, isAlert: true })
      expect(await answer.json()).toMatchObject({ response: { total: EVENTS } })
    },
  )

  it('takes the query of the variable as it was typed, also with what addresses need', async () => {
    const [, total] = targets.find(([title]) => title === 'Events') ?? []
    if (total === undefined) throw new Error('no panel counts')
    const frame = await readFrame(total, await ask(total, 'level = "ERROR" & Ελλάδα +order'))
    expect(frame.Events).toHaveLength(1)
    const errors = await readFrame(total, await ask(total, 'level = ERROR "Ελλάδα"'))
    expect(errors.Events).toEqual([EVENTS / 3])
  })

  it('answers XML, and a body in JSON', async () => {
    const xml = await ask(
      recorded({
        ...{ type: 'xml', url: '/logeye/view/api/widgetAPI.jsp' },
        params: {
          ...{ widgetId: 'searchAPI', searchQuery: '* | count', resultFormat: 'xml' },
          startTimeFullStr: '${__from:date:iso}',
          endTimeFullStr: '${__to:date:iso}',
        },
      }),
    )
    const told = new XMLParser({ ignoreAttributes: false }).parse(await xml.text())
    expect(told.APIResult.Status['@_state']).toBe('OK')
    const posted = await ask(
      recorded({
        params: {},
        url_options: {
          ...{
            method: 'POST',
            params: [],
            body_type: 'raw',
            body_content_type: 'application/json',
          },
          data: '{"query":"*","start":"${__from:date:iso}","end":"${__to:date:iso}"}',
        },
      }),
    )
    expect(await posted.json()).toMatchObject({ response: { total: EVENTS } })
  })

  it('says by its status what is wrong, which is all that panels show', async () => {
    const wrong = await ask(recorded({ params: { query: '(open' } }))
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toContain('query error')
    const refused = await ask(recorded({ params: {} }), '*', 'not a token')
    expect(refused.status).toBe(401)
  })

  it('is given by files that name each other', () => {
    const [source] = asList(
      readDeployYaml('grafana/infinity/provisioning/datasources/logeye-events.yml').datasources,
    ).map(asMap)
    expect(source?.uid).toBe('logeye-events')
    for (const [, { datasource }] of targets)
      expect(datasource).toEqual({ type: source?.type, uid: source?.uid })
  })
})
