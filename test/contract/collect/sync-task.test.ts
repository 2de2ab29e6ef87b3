// A log sync task (docs/decisions/0119): files of a machine by SSH and of this one in a folder and
// in a bucket, as they are now; damaged copies are mended, old ones removed.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askForRun, readRun } from '../../../infra/metastore/tasks/task-runs.ts'
import { addTask } from '../../../infra/metastore/tasks/tasks.ts'
import { S3Files } from '../../../infra/outbound/s3-files.ts'
import { addAccount, startWhole } from '../../support/collect/account-collect.ts'
import { type CollectPlace, openCollectPlace } from '../../support/collect/collect-place.ts'
import { type S3Server, s3Missing, startS3Server } from '../../support/remote/s3-server.ts'
import { type SshServer, sshMissing, startSshServer } from '../../support/remote/ssh-server.ts'
import { describeUnless } from '../../support/run/skip.ts'

let collect: CollectPlace
let collector: { stop(): Promise<void> }
let root = ''

beforeAll(async () => {
  collect = await openCollectPlace()
  collector = await startWhole(collect)
  root = join(collect.files, 'source')
  mkdirSync(join(root, 'deep/er'), { recursive: true })
  mkdirSync(join(root, 'left'))
  writeFileSync(join(root, 'a.log'), 'one\n')
  writeFileSync(join(root, 'deep/b.log'), 'two\n')
  writeFileSync(join(root, 'deep/er/c.log'), 'too deep\n')
  writeFileSync(join(root, 'left/d.log'), 'left out\n')
  writeFileSync(join(root, 'e.tmp'), 'left out\n')
})
afterAll(async () => {
  await collector?.stop()
  await collect?.close()
})

const fileOf = (repository: string, options: { remote?: string; keep?: string } = {}) => `
<SyncLogsConfiguration>
  <SyncLogsRepository repositoryDirectory="${repository}" timeToKeep="${options.keep ?? ''}"/>
  <SyncLogsChecksum algorithm="SHA-1" interval="1m" retry="1"/>
  <SyncLogsNode repositoryDirectory="node-a">
    ${options.remote === undefined ? '' : `<Remote><Account name="${options.remote}"/></Remote>`}
    <SyncLogsDirectory syncDirectory="${root}" filesToInclude="*.log" directoriesToExclude="left"
                       subdirsScanLevel="1"/>
  </SyncLogsNode>
</SyncLogsConfiguration>`

async function add(name: string, configuration: string): Promise<number> {
  const { database } = collect.place.metastore
  const defaults = { cron: '', accounts: [], assignedNode: null }
  const task = { kind: 'syncLog', name, defaults, settings: { configuration } } as const
  return (await database.write((transaction) => addTask(transaction, collect.clock, task))).id
}

async function run(taskId: number) {
  const { database } = collect.place.metastore
  const asked = { taskId, cause: 'asked', nowMs: collect.clock.nowMs() } as const
  const id = await database.write((transaction) => askForRun(transaction, asked))
  const state = async () => (await readRun(database.read, id))?.state
  await collect.until('the run ends', async () => /done|failed/.test((await state()) ?? ''), state)
  return await readRun(database.read, id)
}

async function age(taskId: number): Promise<void> {
  const { database } = collect.place.metastore
  await database.write(async (transaction) => {
    const rows = transaction.updateTable('synced_files').set({ checked_ms: 0 })
    await rows.where('task_id', '=', taskId).execute()
  })
}

it('copies what changed, mends copies and removes old ones', async () => {
  const repository = join(collect.files, 'copies')
  const copy = (name: string) => join(repository, 'node-a', root, name)
  const task = await add('folder', fileOf(repository, { keep: '30' }))
  expect(await run(task)).toMatchObject({
    ...{ state: 'done', reason: '' },
    counts: { files: 2, copied: 2, bytes: 8 },
  })
  expect(readFileSync(copy('a.log'), 'utf8')).toBe('one\n')
  expect(readFileSync(copy('deep/b.log'), 'utf8')).toBe('two\n')
  for (const name of ['deep/er/c.log', 'left/d.log', 'e.tmp'])
    expect(existsSync(copy(name))).toBe(false)
  // Only what changed.
  appendFileSync(join(root, 'a.log'), 'more\n')
  expect(await run(task)).toMatchObject({ state: 'done', counts: { copied: 1, bytes: 9 } })
  expect(readFileSync(copy('a.log'), 'utf8')).toBe('one\nmore\n')
  // A copy that became another, found when its interval is over.
  writeFileSync(copy('a.log'), 'forged!!\n')
  expect(await run(task)).toMatchObject({ counts: { copied: 0, damaged: 0 } })
  await age(task)
  expect(await run(task)).toMatchObject({ state: 'done', counts: { copied: 1, damaged: 1 } })
  expect(readFileSync(copy('a.log'), 'utf8')).toBe('one\nmore\n')
  // What is gone there is kept, until it is too old.
  const longAgo = (collect.clock.nowMs() - 31 * 86_400_000) / 1000
  writeFileSync(join(root, 'gone.log'), 'gone\n')
  expect(await run(task)).toMatchObject({ counts: { copied: 1 } })
  rmSync(join(root, 'gone.log'))
  expect(await run(task)).toMatchObject({ state: 'done', counts: { removed: 0 } })
  expect(existsSync(copy('gone.log'))).toBe(true)
  utimesSync(join(root, 'deep/b.log'), longAgo, longAgo)
  const { database } = collect.place.metastore
  await database.write(async (transaction) => {
    const rows = transaction.updateTable('synced_files').set({ changed_ms: longAgo * 1000 })
    await rows.where('place', 'like', '%deep/b.log').execute()
  })
  expect(await run(task)).toMatchObject({ state: 'done', counts: { copied: 0, removed: 1 } })
  expect(existsSync(copy('deep/b.log'))).toBe(false)
})

it('fails with what a person can mend', async () => {
  const full = join(collect.files, 'full')
  mkdirSync(full)
  writeFileSync(join(full, 'mine.txt'), 'mine\n')
  for (const [repository, reason] of [
    [full, 'holds other files'],
    [join(collect.place.dataDir, 'copies'), 'lies among files of the product'],
    ['relative', 'must begin with /'],
    ['s3://nobody/x', 'nobody is no S3 account'],
  ] as const)
    expect(await run(await add(`to ${reason}`, fileOf(repository)))).toMatchObject({
      ...{ state: 'failed', reason: expect.stringContaining(reason) },
    })
  const away = await add('away', fileOf(join(collect.files, 'away'), { remote: 'nobody' }))
  expect(await run(away)).toMatchObject({
    ...{ state: 'failed', reason: expect.stringContaining('there is no account nobody') },
  })
})

describeUnless(sshMissing(), 'of another machine', () => {
  let server: SshServer
  beforeAll(async () => {
    server = await startSshServer()
    const { userName, hostKey, privateKey, port } = server
    const settings = { host: '127.0.0.1', port, userName, hostKey }
    await addAccount(collect, { kind: 'ssh', name: 'far', settings, secrets: { privateKey } })
  })
  afterAll(() => server.stop())

  it('copies by SSH', async () => {
    const repository = join(collect.files, 'far copies')
    const large = Buffer.alloc(3 << 20, 'a line of a large file\n')
    writeFileSync(join(root, 'large.log'), large)
    const task = await add('by ssh', fileOf(repository, { remote: 'far' }))
    expect(await run(task)).toMatchObject({ state: 'done', reason: '' })
    expect(readFileSync(join(repository, 'node-a', root, 'large.log')).equals(large)).toBe(true)
  })
})

describeUnless(s3Missing(), 'into a bucket', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3Server()
    const { endpoint, bucket, accessKey, secretKey } = server
    const settings = { endpoint, bucket, accessKey, region: 'us-east-1' }
    await addAccount(collect, { kind: 's3', name: 'vault', settings, secrets: { secretKey } })
  })
  afterAll(() => server.stop())

  it('copies, and mends what became another', async () => {
    const task = await add('to s3', fileOf('s3://vault/kept'))
    expect(await run(task)).toMatchObject({ state: 'done', reason: '' })
    const files = new S3Files({ ...server, region: 'us-east-1' }, collect.clock)
    const key = `kept/node-a${root}/a.log`
    const content = async () => (await files.read(await files.head(key), 0, 100)).toString()
    expect(await content()).toBe('one\nmore\n')
    const forged = join(collect.files, 'forged')
    writeFileSync(forged, 'forged')
    const { createHash } = await import('node:crypto')
    await files.put(key, forged, createHash('sha256').update('forged').digest('hex'))
    await age(task)
    expect(await run(task)).toMatchObject({ state: 'done', counts: { damaged: 1, copied: 1 } })
    expect(await content()).toBe('one\nmore\n')
  })
})
