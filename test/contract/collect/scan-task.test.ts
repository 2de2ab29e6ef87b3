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

async function ask(taskId: number): Promise<number> {
  const { database } = collect.place.metastore
  const asked = { taskId, cause: 'asked', nowMs: collect.clock.nowMs() } as const
  return await database.write((transaction) => askForRun(transaction, asked))
}

async function run(taskId: number) {
  return await end(await ask(taskId))
}

async function end(id: number) {
  const { database } = collect.place.metastore
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

it('does not end before the collector has read the files, however late it begins', async () => {
  await collector.stop()
  let begin = () => {}
  const collecting = new Promise<void>((resolve) => {
    begin = resolve
  })
  collector = await startWhole(collect, collecting)
  const root = join(collect.files, 'late')
  mkdirSync(root)
  writeFileSync(join(root, 'late.log'), 'one\ntwo\n')
  const id = await ask(await add('late', { directory: root }))
  const { database } = collect.place.metastore
  const newLogs = async () => (await readRun(database.read, id))?.counts.newLogs
  await collect.until('the log is made', async () => (await newLogs()) === 1)
  const untilMs = collect.clock.elapsedMs() + 60_000
  await collect.until('a minute is over', () => collect.clock.elapsedMs() > untilMs)
  expect(await readRun(database.read, id)).toMatchObject({ state: 'running' })
  begin()
  expect(await end(id)).toMatchObject({ state: 'done', counts: { events: 2, behindBytes: 0 } })
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
