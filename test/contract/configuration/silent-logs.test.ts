// Logs that fell silent, over the real store and its counters, as `doctor` tells a user who may
// know them.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../infra/clock.ts'
import { setViewers } from '../../../infra/metastore/rights/node-permissions.ts'
import { doctor } from '../../../schemas/sdk/lifecycle/doctor.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'

const NOW = Date.UTC(2026, 2, 4, 10, 0)
const QUARTER = 900_000
const HOUR = 4
/** Quarters of an hour before now in which each log received an event. */
const LOGS: Readonly<Record<string, readonly number[]>> = {
  steady: everyNth(1, 1, 60),
  // Its pauses were one quarter, and it is silent for two hours.
  stopped: everyNth(1, 2 * HOUR + 1, 60),
  // Silent for five hours, as it was now and then before.
  sparse: everyNth(5 * HOUR, 5 * HOUR, 13 * 5 * HOUR),
  // Too young to have a habit.
  new: everyNth(1, 2 * HOUR + 1, 2 * HOUR + 5),
  // Quick, and silent for three quarters of an hour: less than an hour says nothing.
  short: everyNth(1, 4, 60),
  other: everyNth(1, 3 * HOUR, 60),
}

function everyNth(step: number, from: number, to: number): readonly number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step)
}

let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>
beforeAll(async () => {
  pipeline = await openSearchPipeline()
  const names = Object.keys(LOGS)
  const receivedMs = NOW - 30 * 86_400_000
  await pipeline.ingest(
    names.map((productName) => ({ message: 'x', productName })),
    { receivedMs },
  )
  const { logs } = await pipeline.db.metastore.tree()
  const rows = [...logs.values()].flatMap(({ id, name }) =>
    (LOGS[name] ?? []).map((quarter) => {
      const seconds = Math.floor((NOW - quarter * QUARTER) / QUARTER) * (QUARTER / 1000)
      return `(${seconds}, ${seconds}, ${id}, 1, 1, 10)`
    }),
  )
  await pipeline.engine.store.command({
    sql: `INSERT INTO counts (quarter, event_quarter, log_id, policy, events, bytes)
      VALUES ${rows.join(', ')}`,
  })
  app = openTestApp(pipeline.db, pipeline.engine.store, {
    clock: { ...systemClock, nowMs: () => NOW },
    checkProduct: () => Promise.resolve([{ check: 'disk', grade: 'warn', text: 'is small' }]),
  })
})
afterAll(async () => {
  await app.app.stop()
  await pipeline.stop()
})

async function ask(name: string, password: string) {
  const { do: run } = makeConfigurationClient(app.call, { name, password })
  return doctor.answer.parse((await run('doctor', {})).response)
}

it('names the logs that received steadily and then nothing, longest silence first', async () => {
  expect(await ask('admin', pipeline.db.adminPassword)).toEqual({
    healthy: true,
    findings: [
      { check: 'disk', grade: 'warn', text: 'is small' },
      ...[
        ['other', '07:15'],
        ['stopped', '08:00'],
      ].map(([log, time]) => ({
        check: 'silent logs',
        grade: 'warn',
        text: `Events->${log} has received nothing since 2026-03-04T${time}:00.000Z; its longest pause in the days before was 15 minutes`,
        advice: 'see whether its sender runs, and what answer it gets',
      })),
    ],
  })
})

it('names to an operator those alone that he may view', async () => {
  const { database, addUser } = pipeline.db
  const id = await addUser('ann', 'her password')
  await database.write(async (transaction) => {
    const names = { name: 'operators', name_folded: 'operators', display_name: '', description: '' }
    const operations = JSON.stringify(['system.operate'])
    await transaction
      .insertInto('policies')
      .values({ id: 900, ...names, operations, is_fixed: 0 })
      .execute()
    await transaction.updateTable('users').set({ policy_id: 900 }).where('id', '=', id).execute()
    for (const name of ['stopped', 'steady'])
      await setViewers(
        transaction,
        { kind: 'log', levels: ['Events', name] },
        { groups: [], users: name === 'steady' ? ['ann'] : [] },
      )
  })
  const { findings } = await ask('ann', 'her password')
  expect(findings.map(({ text }) => text.split(' ')[0])).toEqual(['is', 'Events->other'])
})
