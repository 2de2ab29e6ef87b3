// Statistics of random events around the ends of frames, against a recount of what was sent; and
// the volume of a licence by the same counters.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readLicenceVolume } from '../../../query/statistics/licence-volume.ts'
import { SYSTEM_FOLDER } from '../../../schemas/names/log-path.ts'
import { statisticsAnswer } from '../../../schemas/public-calls/configuration.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { testClock } from '../../support/run/test-clock.ts'

const MINUTE = 60_000
const QUARTER = 15 * MINUTE
const HOUR = 4 * QUARTER
/** Neither at the end of a quarter nor at its beginning; also exactly at one, and within the hour
 *  after midnight. */
const NOWS = [
  Date.UTC(2026, 2, 4, 10, 7, 30, 123),
  Date.UTC(2026, 2, 4, 10, 15),
  Date.UTC(2026, 2, 5, 0, 14, 59, 999),
]
const FRAMES = { last15Minutes: QUARTER, last60Minutes: HOUR, last24Hours: 24 * HOUR }
const LOGS = 30

let pipeline: SearchPipeline
const sent: { log: string; folder: string; receivedMs: number }[] = []
/** The same in each run. */
let state = 12_345
const random = (below: number) => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return state % below
}

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  for (let n = 0; n < LOGS; n += 1) {
    const now = NOWS[random(NOWS.length)] ?? 0
    const frame = Object.values(FRAMES)[random(3)] ?? 0
    const aside = [0, 1, -1, random(QUARTER), -random(QUARTER)][random(5)] ?? 0
    const folder = ['A', 'A->B', 'C'][random(3)] ?? ''
    sent.push({ log: `log ${n}`, folder, receivedMs: now - frame + aside })
    // A second event of the log, in another quarter.
    if (random(2) === 0)
      sent.push({ log: `log ${n}`, folder, receivedMs: now - random(24 * HOUR) - 1 })
  }
  await pipeline.ingestAll(
    [...sent]
      .sort((a, b) => a.receivedMs - b.receivedMs)
      .map(({ log, folder, receivedMs }) => ({
        events: [{ message: `of ${log}`, productPath: folder, productName: log }],
        receivedMs,
      })),
  )
  const { logs } = await pipeline.db.metastore.tree()
  const own = [...logs.values()].find(({ folder }) => folder[0] === SYSTEM_FOLDER)
  await pipeline.engine.store.command({
    sql: `INSERT INTO counts (policy, quarter, event_quarter, log_id, host, source, partition, events, bytes, upto)
      VALUES (1, '2026-03-04 10:00:00', '2026-03-04 10:00:00', {id: UInt32}, '', '', 0, 7, 700, 0)`,
    params: { id: own?.id },
  })
})
afterAll(() => pipeline.stop())

it.each(NOWS)('at %i each folder counts as a recount does', async (nowMs) => {
  const clock = { ...testClock, nowMs: () => nowMs }
  const { app, call } = openTestApp(pipeline.db, pipeline.engine.store, { clock })
  const admin = makeConfigurationClient(call, {
    name: 'admin',
    password: pipeline.db.adminPassword,
  })
  for (const [timeFrame, length] of Object.entries(FRAMES)) {
    const answer = await admin.get('message/messageJsonApi.jsp', {
      ...{ api: 'collectedDataInfo', timeFrame },
    })
    const { collectionData } = statisticsAnswer.parse(await answer.json()).data
    for (const folder of ['A', 'A->B', 'C']) {
      const inside = sent.filter((it) => `${it.folder}->`.startsWith(`${folder}->`))
      const collected = inside.filter(
        ({ receivedMs }) => receivedMs >= nowMs - length && receivedMs < nowMs,
      )
      expect(
        collectionData.find((it) => 'Folders' in it && it.Folders === `Events->${folder}`),
      ).toEqual({
        Folders: `Events->${folder}`,
        totalLogs: new Set(inside.map(({ log }) => log)).size,
        collectedLogs: new Set(collected.map(({ log }) => log)).size,
      })
    }
  }
  await app.stop()
})

it('the volume of a licence is what is stored, by hour of receipt, without System', async () => {
  const tree = await pipeline.db.metastore.tree()
  const ask = <Row>(statement: { sql: string; params: Readonly<Record<string, unknown>> }) =>
    pipeline.engine.store.query<Row>(statement)
  const whole = { startMs: 0, endMs: Date.UTC(2100, 0, 1) }
  const volume = await readLicenceVolume(ask, tree, whole)
  const byHour = new Map<number, number>()
  for (const { receivedMs } of sent) {
    const hourMs = Math.floor(receivedMs / HOUR) * HOUR
    byHour.set(hourMs, (byHour.get(hourMs) ?? 0) + 1)
  }
  expect(new Map(volume.map(({ hourMs, events }) => [hourMs, events]))).toEqual(
    new Map([...byHour].sort(([a], [b]) => a - b)),
  )
  const stored = await ask<{ bytes: string }>({
    sql: "SELECT sum(size) AS bytes FROM events WHERE message LIKE 'of log%'",
    params: {},
  })
  const bytes = volume.reduce((sum, one) => sum + one.bytes, 0)
  expect(bytes).toBe(Number(stored[0]?.bytes))
  const last = volume.at(-1)?.hourMs ?? 0
  const part = await readLicenceVolume(ask, tree, { startMs: last, endMs: last + HOUR })
  expect(part).toEqual(volume.slice(-1))
})
