// messageJsonApi.jsp against a recount of what was sent, over the real writer and store.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setViewers } from '../../../infra/metastore/rights/node-permissions.ts'
import { statisticsAnswer } from '../../../schemas/public-calls/configuration.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { testClock } from '../../support/run/test-clock.ts'

/** In the middle of a quarter of an hour. */
const NOW = Date.UTC(2026, 2, 4, 10, 7, 30)
const MINUTE = 60_000
const ANN = { name: 'ann', password: 'her password' }
type Sent = { readonly path: readonly string[]; readonly log: string; readonly ageMs: number }
/** The ages are beside the ends of frames, of quarters and of whole days. */
const SENT: readonly Sent[] = [
  { path: ['Web', 'Edge'], log: 'now', ageMs: 1 },
  { path: ['Web', 'Edge'], log: 'inside', ageMs: 15 * MINUTE },
  { path: ['Web', 'Edge'], log: 'outside', ageMs: 15 * MINUTE + 1 },
  { path: ['Web'], log: 'hour', ageMs: 60 * MINUTE },
  { path: ['Web'], log: 'after the hour', ageMs: 60 * MINUTE + 1 },
  { path: ['Shop'], log: 'day', ageMs: 24 * 60 * MINUTE },
  { path: ['Shop'], log: 'before', ageMs: 24 * 60 * MINUTE + 1 },
  { path: ['Shop'], log: 'old', ageMs: 90 * 24 * 60 * MINUTE },
]
const FRAMES = { last15Minutes: 15, last60Minutes: 60, last24Hours: 24 * 60, allData: 1e9 }

let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>
beforeAll(async () => {
  pipeline = await openSearchPipeline()
  await pipeline.db.addUser(ANN.name, ANN.password)
  for (const { path, log, ageMs } of [...SENT].reverse())
    await pipeline.ingest(
      [{ message: `of ${log}`, productPath: path.join('->'), productName: log }],
      { receivedMs: NOW - ageMs },
    )
  app = openTestApp(pipeline.db, pipeline.engine.store, {
    clock: { ...testClock, nowMs: () => NOW },
  })
  const { do: run } = admin()
  await run('addLog', { name: 'never', parentFolder: 'Events->Shop', appTags: 'T' })
  await run('addLog', { name: 'old', parentFolder: 'Events->Shop', appTags: 'T', update: 'true' })
  await run('addLog', {
    name: 'now',
    parentFolder: 'Events->Web->Edge',
    appTags: 'T',
    update: 'true',
  })
})
afterAll(async () => {
  await app.app.stop()
  await pipeline.stop()
})

const admin = () =>
  makeConfigurationClient(app.call, { name: 'admin', password: pipeline.db.adminPassword })
async function ask(given: Readonly<Record<string, string>>, client = admin()) {
  const answer = await client.get('message/messageJsonApi.jsp', {
    api: 'collectedDataInfo',
    ...given,
  })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    ...[200, 'application/json; charset=utf-8'],
  ])
  return statisticsAnswer.parse(await answer.json()).data.collectionData
}

describe('collectedDataInfo', () => {
  it.each(Object.entries(FRAMES))(
    'counts each folder in %s as a recount does',
    async (timeFrame, minutes) => {
      const folders = ['Events', 'Events->Shop', 'Events->Web', 'Events->Web->Edge']
      const expected = folders.map((Folders) => {
        const inside = SENT.filter(({ path }) =>
          `${['Events', ...path].join('->')}->`.startsWith(`${Folders}->`),
        )
        const collected = inside.filter(({ ageMs }) => ageMs <= minutes * MINUTE)
        const never = Folders === 'Events' || Folders === 'Events->Shop' ? 1 : 0
        return { Folders, totalLogs: inside.length + never, collectedLogs: collected.length }
      })
      const system = { Folders: 'System', totalLogs: 1, collectedLogs: 0 }
      expect(await ask({ timeFrame })).toEqual([...expected, system])
    },
  )

  it('names the logs that are silent, the longest first, with what they hold', async () => {
    const [events] = await ask({ timeFrame: 'last15Minutes', detailsLevel: 'Detailed' })
    const silent = events?.unCollectedLogsData ?? []
    expect(silent.map(({ log }) => log)).toEqual([
      ...['Events,Shop,never', 'Events,Shop,old', 'Events,Shop,before', 'Events,Shop,day'],
      ...['Events,Web,after the hour', 'Events,Web,hour', 'Events,Web,Edge,outside'],
    ])
    const size = (name: string) => silent.find(({ log }) => log.endsWith(name))?.dataSize ?? 0
    expect(size('never')).toBe(0)
    const found = await pipeline.engine.store.query<{ bytes: string }>({
      sql: "SELECT sum(size) AS bytes FROM events WHERE message = 'of old'",
    })
    expect(size('old')).toBe(Number(found[0]?.bytes))
    expect(size('old')).toBeGreaterThan(0)
    const cut = { timeFrame: 'last15Minutes', detailsLevel: 'Detailed', maxNumberOfResults: '2' }
    expect((await ask(cut))[0]?.unCollectedLogsData).toEqual(silent.slice(0, 2))
  })

  it('shows logs of the root under ROOT, which counts no others', async () => {
    await admin().do('addLog', { name: 'top', parentFolder: 'ROOT' })
    const seen = (await ask({ timeFrame: 'allData' })).map((it) => ({ ...it }))
    expect(seen).toContainEqual({ Folders: 'ROOT', totalLogs: 1, collectedLogs: 0 })
    const top = seen.filter((it) => 'Folders' in it && !String(it.Folders).includes('->'))
    const all = await admin().rows()
    expect(top.reduce((sum, { totalLogs }) => sum + totalLogs, 0)).toBe(all.length)
    await admin().do('removeMember', { path: 'top', type: 'log' })
  })

  it('counts by tag, without logs that have none', async () => {
    expect(await ask({ type: 'AppTags' })).toEqual([
      { AppTags: 'T', totalLogs: 3, collectedLogs: 1 },
    ])
  })

  it('shows a user nothing of what he may not view', async () => {
    const shop = { kind: 'folder', levels: ['Events', 'Shop'] } as const
    await pipeline.db.database.write((t) => setViewers(t, shop, { groups: [], users: [] }))
    const seen = await ask({ timeFrame: 'allData' }, makeConfigurationClient(app.call, ANN))
    expect(seen).toEqual([
      { Folders: 'Events', totalLogs: 5, collectedLogs: 5 },
      { Folders: 'Events->Web', totalLogs: 5, collectedLogs: 5 },
      { Folders: 'Events->Web->Edge', totalLogs: 3, collectedLogs: 3 },
    ])
  })

  it('refuses what it does not know, in the envelope', async () => {
    const path = 'message/messageJsonApi.jsp'
    for (const [given, message] of [
      [{}, 'api: is missing'],
      [{ api: 'x' }, 'api: must be collectedDataInfo'],
      [{ api: 'collectedDataInfo', type: 'folders' }, 'type: must be Folders or AppTags'],
      [{ api: 'collectedDataInfo', timeFrame: 'lastYear' }, 'timeFrame: must be one of last15'],
      [
        { api: 'collectedDataInfo', detailsLevel: 'All' },
        'detailsLevel: must be Basic or Detailed',
      ],
      [
        { api: 'collectedDataInfo', maxNumberOfResults: '0' },
        'maxNumberOfResults: must be a whole',
      ],
    ] as const) {
      const answer = await admin().get(path, given)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toEqual({
        success: false,
        errorMessage: expect.stringContaining(message),
        response: null,
        httpStatusCode: 400,
      })
    }
    expect((await app.call(`/logeye/${path}?api=collectedDataInfo`)).status).toBe(401)
  })
})
