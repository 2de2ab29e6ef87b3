// What an operator is told of logs that fell silent, by `doctor` and `silentLogs`: of those alone
// that he may view. What the watch finds is tested in metastore/silence-watch.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setViewers } from '../../../infra/metastore/rights/node-permissions.ts'
import { beginSilence, endSilence } from '../../../infra/metastore/silences/silences.ts'
import { doctor } from '../../../schemas/sdk/lifecycle/doctor.ts'
import { silentLogs } from '../../../schemas/sdk/silence/silent-logs.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { testClock } from '../../support/run/test-clock.ts'

const NOW = Date.UTC(2026, 2, 4, 10, 0)
const SINCE = { stopped: Date.UTC(2026, 2, 4, 8), other: Date.UTC(2026, 2, 4, 7, 15) }

let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>
beforeAll(async () => {
  pipeline = await openSearchPipeline()
  const names = ['steady', 'stopped', 'other', 'heard']
  await pipeline.ingest(
    names.map((productName) => ({ message: 'x', productName })),
    { receivedMs: NOW - 30 * 86_400_000 },
  )
  const { logs } = await pipeline.db.metastore.tree()
  const ids = new Map([...logs.values()].map(({ id, name }) => [name, id]))
  await pipeline.db.database.write(async (transaction) => {
    const of = (name: string) => ({ logId: ids.get(name) ?? 0, toldMs: NOW })
    for (const [name, sinceMs] of Object.entries(SINCE))
      await beginSilence(transaction, { ...of(name), sinceMs })
    await beginSilence(transaction, { ...of('heard'), sinceMs: NOW - 7_200_000 })
    const over = { logId: of('heard').logId, sinceMs: NOW - 7_200_000, endedMs: null }
    await endSilence(transaction, over, NOW - 3_600_000)
  })
  app = openTestApp(pipeline.db, pipeline.engine.store, {
    clock: { ...testClock, nowMs: () => NOW },
    checkProduct: () => Promise.resolve([{ check: 'disk', grade: 'warn', text: 'is small' }]),
  })
})
afterAll(async () => {
  await app.app.stop()
  await pipeline.stop()
})

function clientOf(name: string, password: string) {
  return makeConfigurationClient(app.call, { name, password })
}

async function findingsFor(name: string, password: string) {
  const { response } = await clientOf(name, password).do('doctor', {})
  return doctor.answer.parse(response).findings
}

it('doctor names them, longest silence first', async () => {
  expect(await findingsFor('admin', pipeline.db.adminPassword)).toEqual([
    { check: 'disk', grade: 'warn', text: 'is small' },
    ...[
      ['other', '07:15'],
      ['stopped', '08:00'],
    ].map(([log, time]) => ({
      check: 'silent logs',
      grade: 'warn',
      text: `Events->${log} has received nothing since 2026-03-04T${time}:00.000Z, and usually does at such hours`,
      advice:
        'see whether its sender runs, and what answer it gets; if it may be silent, say so with addExpectedSilence',
    })),
  ])
})

it('an operator is told of those alone that he may view', async () => {
  const { database, addUser, adminPassword } = pipeline.db
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
  const findings = await findingsFor('ann', 'her password')
  expect(findings.map(({ text }) => text.split(' ')[0])).toEqual(['is', 'Events->other'])
  const [admin, ann] = [clientOf('admin', adminPassword), clientOf('ann', 'her password')]
  const hidden = { path: 'Events->stopped' }
  const [mine, hers, missing] = [
    await admin.do('addExpectedSilence', { ...hidden, reason: 'a secret' }),
    await ann.do('addExpectedSilence', hidden),
    await ann.do('addExpectedSilence', { path: 'Events->nowhere' }),
  ]
  expect(mine.response).toMatchObject({ id: 1 })
  expect([hers.errorMessage, missing.errorMessage]).toEqual([
    'there is no folder or log Events->stopped',
    'there is no folder or log Events->nowhere',
  ])
  const shown = silentLogs.answer.parse((await ann.do('silentLogs', {})).response)
  expect(shown).toEqual({
    silent: [{ log: 'Events->other', since: '2026-03-04T07:15:00.000Z' }],
    expected: [],
  })
  expect((await ann.do('removeExpectedSilence', { id: '1' })).errorMessage).toMatch(/there is no/)
  expect((await admin.do('removeExpectedSilence', { id: '1' })).response).toMatchObject({ id: 1 })
})
