// Where links lead is judged at each run, and nothing is made before it is judged.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askForRun, readRun } from '../../../infra/metastore/tasks/task-runs.ts'
import { addTask, type TaskChange } from '../../../infra/metastore/tasks/tasks.ts'
import { LOCAL_FILES } from '../../../ingest/collect/sources/local-files.ts'
import { guarded } from '../../../ingest/collect/sources/path-guard.ts'
import { startWhole } from '../../support/collect/account-collect.ts'
import { type CollectPlace, openCollectPlace } from '../../support/collect/collect-place.ts'

let collect: CollectPlace
let collector: { stop(): Promise<void> }
let at: (...names: string[]) => string

beforeAll(async () => {
  collect = await openCollectPlace()
  const root = realpathSync(collect.files)
  at = (...names) => join(root, ...names)
  for (const name of ['roots', 'copies', 'closed', 'elsewhere', 'given']) mkdirSync(at(name))
  writeFileSync(at('closed', 'key.log'), 'of the product\n')
  writeFileSync(at('elsewhere', 'other.log'), 'of another program\n')
  const rules = { readRoots: [at('roots')], copyRoots: [at('copies')], closed: [at('closed')] }
  collector = await startWhole(collect, undefined, rules)
})
afterAll(async () => {
  await collector?.stop()
  await collect?.close()
})

async function run(
  kind: 'scan' | 'syncLog',
  name: string,
  settings: TaskChange<never>['settings'],
) {
  const { database } = collect.place.metastore
  const common = { cron: '', accounts: [], assignedNode: null, account: '', parentFolder: [] }
  const scan = { policyId: 1, appTags: [], template: '', include: [], exclude: [], scanLevel: null }
  const task = { kind, name, defaults: { ...common, ...scan }, settings } as never
  const { id: taskId } = await database.write((t) => addTask(t, collect.clock, task))
  const asked = { taskId, cause: 'asked', nowMs: collect.clock.nowMs() } as const
  const id = await database.write((transaction) => askForRun(transaction, asked))
  const state = async () => (await readRun(database.read, id))?.state
  await collect.until('the run ends', async () => /done|failed/.test((await state()) ?? ''), state)
  return await readRun(database.read, id)
}

const sync = (name: string, repository: string, source: string) =>
  run('syncLog', name, {
    configuration: `<SyncLogsConfiguration>
      <SyncLogsRepository repositoryDirectory="${repository}"/>
      <SyncLogsNode repositoryDirectory="a">
        <SyncLogsDirectory syncDirectory="${source}"/>
      </SyncLogsNode>
    </SyncLogsConfiguration>`,
  } as never)

describe('a log', () => {
  it('reads no file to which a link leads out of the roots, nor one of the product', async () => {
    writeFileSync(at('roots', 'own.log'), 'own\n')
    symlinkSync(at('elsewhere', 'other.log'), at('roots', 'out.log'))
    symlinkSync(at('closed', 'key.log'), at('roots', 'key.log'))
    symlinkSync(at('elsewhere'), at('roots', 'folder'))
    const paths = [at('roots', '*.log'), at('roots', 'folder', '*.log')]
    const log = await collect.addLog('linked', { filePaths: paths })
    await collect.untilEqual(() => collect.messages(log), ['own'])
    const row = () =>
      collect.place.metastore.database.read
        .selectFrom('collect_faults')
        .select('fault')
        .where('log_id', '=', log)
        .executeTakeFirst()
    await collect.until('faults are told', async () => (await row()) !== undefined, row)
    const faults = String((await row())?.fault)
    for (const name of ['out.log', 'folder'])
      expect(faults).toContain(`${at('roots', name)}: is not read: a link leads there`)
    expect(faults).toContain(`${at('roots', 'key.log')}: is not read: it lies among files of the`)
    appendFileSync(at('roots', 'own.log'), 'more\n')
    await collect.untilEqual(() => collect.messages(log), ['own', 'more'])
  })

  it('reads a directory that an administrator gave, and no link out of it', async () => {
    writeFileSync(at('given', 'a.log'), 'given\n')
    symlinkSync(at('elsewhere', 'other.log'), at('given', 'out.log'))
    const log = await collect.addLog('given', { filePaths: [at('given', '*.log')] })
    await collect.untilEqual(() => collect.messages(log), ['given'])
  })
})

it('a link created between listing and opening is not followed', async () => {
  const path = at('roots', 'swapped.log')
  writeFileSync(path, 'harmless\n')
  const rules = { readRoots: [at('roots')], copyRoots: [], closed: [] }
  // The guard is asked twice: the first time the file is harmless.
  let asked = 0
  const swapping = LOCAL_FILES.within?.(async () => {
    asked += 1
    if (asked > 1) return
    rmSync(path)
    symlinkSync(at('elsewhere', 'other.log'), path)
  })
  if (swapping === undefined) throw new Error('files of this machine have a guard')
  await expect(guarded(swapping, rules, () => []).open(path)).rejects.toThrow('a link leads there')
  rmSync(path)
})

describe('a scan task', () => {
  it('lists nothing of the product and nothing behind a link', async () => {
    mkdirSync(at('roots', 'scanned'))
    symlinkSync(at('closed'), at('roots', 'scanned', 'closed'))
    const closed = await run('scan', 'of closed', { directory: at('closed') } as never)
    expect(closed).toMatchObject({ state: 'failed', counts: { files: 0 } })
    expect(closed?.reason).toContain('is not read')
    const linked = at('roots', 'scanned', 'closed')
    expect(await run('scan', 'of a link', { directory: linked } as never)).toMatchObject({
      ...{ state: 'failed', counts: { files: 0 } },
    })
  })
})

describe('a log sync task', () => {
  it('copies within the roots', async () => {
    writeFileSync(at('roots', 'copied.log'), 'copied\n')
    expect(await sync('within', at('copies', 'new'), at('roots'))).toMatchObject({
      // Links are not followed.
      ...{ state: 'done', reason: '' },
    })
    expect(existsSync(join(at('copies', 'new', 'a'), at('roots', 'copied.log')))).toBe(true)
  })

  it.each([
    ['among files of the product', 'closed/new/deep', 'lies among files of the product'],
    ['behind a link out of the roots', 'copies/link/new', 'a link leads out'],
  ])('makes nothing %s', async (name, repository, reason) => {
    if (name.startsWith('behind')) symlinkSync(at('elsewhere'), at('copies', 'link'))
    const told = await sync(name, at(repository), at('roots'))
    expect(told).toMatchObject({ state: 'failed' })
    expect(told?.reason).toContain(reason)
    expect(readdirSync(at('closed'))).toEqual(['key.log'])
    expect(readdirSync(at('elsewhere'))).toEqual(['other.log'])
  })

  it('follows no link in its own folder', async () => {
    const repository = at('copies', 'trapped')
    writeFileSync(at('given', 'a.log'), 'given\n')
    expect(await sync('trap', repository, at('given'))).toMatchObject({ state: 'done' })
    rmSync(join(repository, 'a'), { recursive: true })
    symlinkSync(at('elsewhere'), join(repository, 'a'))
    writeFileSync(at('given', 'b.log'), 'b\n')
    const told = await sync('trapped', repository, at('given'))
    expect(told?.reason).toContain('a link leads out')
    expect(readdirSync(at('elsewhere'))).toEqual(['other.log'])
  })

  it('copies nothing of the product', async () => {
    const told = await sync('stolen', at('copies', 'stolen'), at('closed'))
    expect(told).toMatchObject({ state: 'failed', counts: { files: 0, copied: 0 } })
  })
})
