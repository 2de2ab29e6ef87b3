// A run of a scan task: a log for each series of files, read to the end.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askForRun, readRun } from '../../../infra/metastore/tasks/task-runs.ts'
import { addTask } from '../../../infra/metastore/tasks/tasks.ts'
import { startWhole } from '../../support/collect/account-collect.ts'
import { type CollectPlace, openCollectPlace } from '../../support/collect/collect-place.ts'

let collect: CollectPlace
let collector: { stop(): Promise<void> }
const DEFAULTS = {
  ...{ cron: '', account: '', parentFolder: [], policyId: 1, appTags: [], template: '' },
  ...{ include: [], exclude: [], scanLevel: null },
}

beforeAll(async () => {
  collect = await openCollectPlace()
  collector = await startWhole(collect)
})
afterAll(async () => {
  await collector?.stop()
  await collect?.close()
})

async function add(name: string, settings: object): Promise<number> {
  const { database } = collect.place.metastore
  const { id } = await database.write((transaction) =>
    addTask(transaction, collect.clock, { kind: 'scan', name, defaults: DEFAULTS, settings }),
  )
  return id
}

async function run(taskId: number) {
  const { database } = collect.place.metastore
  const asked = { taskId, cause: 'asked', nowMs: collect.clock.nowMs() } as const
  const id = await database.write((transaction) => askForRun(transaction, asked))
  const state = async () => (await readRun(database.read, id))?.state
  await collect.until('the run ends', async () => /done|failed/.test((await state()) ?? ''), state)
  return await readRun(database.read, id)
}

it('makes a log of each series in folders as the directories, and reads all of it', async () => {
  const root = join(collect.files, 'scanned')
  mkdirSync(join(root, 'web/deep'), { recursive: true })
  writeFileSync(join(root, 'app.log'), 'three\n')
  writeFileSync(join(root, 'app.log.1'), 'two\n')
  writeFileSync(join(root, 'app.log-20260101.gz'), gzipSync('one\n'))
  writeFileSync(join(root, 'app.tmp'), 'no\n')
  writeFileSync(join(root, 'web/a[1].log'), 'web\n')
  writeFileSync(join(root, 'web/deep/z.log'), 'too deep\n')
  const task = await add('nightly', { directory: root, include: ['*.log*'], scanLevel: 1 })
  expect(await run(task)).toMatchObject({
    state: 'done',
    reason: '',
    counts: { files: 4, newLogs: 2, events: 4, behindBytes: 0 },
  })
  const { logsByPath } = await collect.place.metastore.tree()
  const messages = async (path: string) =>
    (await collect.messages(logsByPath.get(path)?.id ?? 0)).toSorted()
  expect(await messages('app.log')).toEqual(['one', 'three', 'two'])
  expect(await messages('web->a[1].log')).toEqual(['web'])
  expect(logsByPath.has('web->deep->z.log')).toBe(false)
  // Again: only what is new.
  writeFileSync(join(root, 'web/b.log'), 'b\n')
  expect(await run(task)).toMatchObject({ state: 'done', counts: { newLogs: 1, events: 1 } })
})

it('fails with what a person can mend', async () => {
  const missing = await add('missing', { directory: join(collect.files, 'nowhere') })
  const away = await add('away', { directory: '/var/log', account: 'ssh' })
  expect(await run(missing)).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('nowhere'),
  })
  expect(await run(away)).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('there is no account ssh'),
  })
})

it('runs by its schedule', async () => {
  const task = await add('minutely', {
    directory: join(collect.files, 'scanned'),
    cron: '* * * * *',
  })
  const { database } = collect.place.metastore
  // As if it had been made a while ago.
  await database.write(async (transaction) => {
    const changed_ms = collect.clock.nowMs() - 90_000
    await transaction.updateTable('tasks').set({ changed_ms }).where('id', '=', task).execute()
  })
  const scheduled = async () => {
    const rows = database.read.selectFrom('task_runs').select('cause').where('task_id', '=', task)
    return (await rows.execute()).map(({ cause }) => cause)
  }
  await collect.untilEqual(scheduled, ['schedule'])
})
