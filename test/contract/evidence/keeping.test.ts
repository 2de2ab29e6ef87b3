// What keeps, moves and removes events is no change at any moment of it, and each file of a part
// that is taken away is named (docs/decisions/0111).
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEvidenceKey } from '../../../infra/evidence/evidence-key.ts'
import { askForThaw, readThaws } from '../../../infra/metastore/archive/thaws.ts'
import { addDeletion } from '../../../infra/metastore/retention/deletions.ts'
import type { JobContext } from '../../../infra/scheduler/job.ts'
import type { Store } from '../../../infra/store/port.ts'
import { runRetention } from '../../../ingest/retention/retention-job.ts'
import { type EvidencePlace, openEvidencePlace } from '../../support/evidence/evidence-place.ts'
import { NOW_MS } from '../../support/retention/retention-place.ts'
import { isFullTier } from '../../support/run/tier.ts'

/** The engine leaves it away in parts of another table. */
const UNNAMED = 'metadata_version.txt'

let place: EvidencePlace
beforeAll(async () => {
  place = await openEvidencePlace()
  for (const age of [1, 2, 20])
    await place.send(age, [`kept ${age}`, `delete ${age}`, `delete later ${age}`])
  await place.send(0, ['today'])
  await place.storeAll()
  await place.sign()
})
afterAll(() => place?.close())

const database = () => place.metastore.database
const texts = async () => (await place.verify()).findings.map(({ text }) => text)
const deleteLike = async (pattern: string) => {
  const named = database().read.selectFrom('logs').select('id').where('name', '=', 'a')
  const logId = Number((await named.executeTakeFirstOrThrow()).id)
  await database().write((transaction) => {
    const asked = { askedBy: 'ann', askedMs: NOW_MS, events: 1, bytes: 1 }
    const condition = `log_id = ${logId} AND message LIKE '${pattern}'`
    return addDeletion(transaction, { logId, log: 'a', condition, ...asked }, 'abcdef')
  })
}

/** Without the slash at the end of its path. */
async function partOf(message: string): Promise<{ name: string; path: string }> {
  const [part] = await place.engine.store.query<{ name: string; path: string }>({
    sql: `SELECT name, path FROM system.parts WHERE active AND database = currentDatabase() AND table = 'events'
      AND name IN (SELECT _part FROM events WHERE message = {message: String})`,
    params: { message },
  })
  if (part === undefined) throw new Error('there is no part of it')
  return { ...part, path: part.path.replace(/\/$/, '') }
}

/** Verified after each statement and each change of the database, in the full tier before each,
 * too; in between the days are signed, as by the other job. */
async function retainVerified(): Promise<number> {
  let moments = 0
  const falsely: string[] = []
  const look = async (of: string) => {
    moments += 1
    for (const text of await texts()) falsely.push(`${of}: ${text}`)
    await place.sign()
  }
  const around = async <Result>(of: string, run: () => Promise<Result>) => {
    if (isFullTier) await look(`before ${of}`)
    const result = await run()
    await look(`after ${of}`)
    return result
  }
  const readDigestKey = async () =>
    (await readEvidenceKey({ database: database(), keys: place.keys }))?.digestKey
  await place.run(async (context) => {
    const { store, database: real } = context
    const watched: JobContext = {
      ...context,
      database: {
        read: real.read,
        snapshot: (work) => real.snapshot(work),
        close: () => real.close(),
        write: (work) => around('a write', () => real.write(work)),
      },
      store: new Proxy(store, {
        get(target, name) {
          if (name === 'command')
            return (query: Parameters<Store['command']>[0]) =>
              around(query.sql.slice(0, 60), () => target.command(query))
          const value: unknown = Reflect.get(target, name, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      }),
    }
    const { eventLog, archive } = place
    await runRetention(watched, { eventLog, readDigestKey, archive })
  })
  expect(falsely).toEqual([])
  return moments
}

test('a deletion, also of late events, is no difference at any moment', async () => {
  await place.send(2, ['delete late', 'late'])
  await place.storeAll()
  await deleteLike('delete %')
  expect(await retainVerified()).toBeGreaterThan(4)
  await place.sign()
  await retainVerified()
  expect(await place.messages()).toEqual(['kept 1', 'kept 2', 'kept 20', 'late', 'today'])
})

test('nor is an archive, the drop of its day, its thaw, and a deletion of what is thawed', async () => {
  await place.send(20, ['more', 'more'])
  await place.storeAll()
  await place.setPolicy(1, { storageDays: 5, archiveDirectory: place.folder })
  await retainVerified()
  const thaw = (untilMs: number) =>
    database().write((transaction) =>
      askForThaw(transaction, { archive: 1, untilMs, askedBy: 'ann', askedMs: NOW_MS }),
    )
  await thaw(NOW_MS + 1000)
  await retainVerified()
  expect(await readThaws(database().read)).toMatchObject([{ state: 'thawed', events: 3 }])
  await deleteLike('kept 20')
  await retainVerified()
  expect(await readThaws(database().read)).toMatchObject([{ state: 'thawed', events: 2 }])
  await place.engine.store.command({ sql: 'OPTIMIZE TABLE events FINAL' })
  expect(await texts()).toEqual([])
  await thaw(NOW_MS - 1000)
  await retainVerified()
  await place.sign()
  expect(await texts()).toEqual([])
})

test('each file of a part that is taken away is named, and a strange one', async () => {
  const part = await partOf('kept 1')
  const { path } = part
  const unnamed: string[] = []
  const look = async (what: string) => {
    const found = await texts()
    if (!found.some((text) => text.includes(part.name))) unnamed.push(what)
  }
  const files = readdirSync(path)
  const sample = files.filter((name, at) => at % 4 === 0 || name === UNNAMED)
  for (const name of isFullTier ? files : sample) {
    const before = readFileSync(join(path, name))
    rmSync(join(path, name))
    await look(name)
    writeFileSync(join(path, name), before)
  }
  expect(unnamed).toEqual([UNNAMED])
  expect(await texts()).toEqual([])
  const stranger = join(path, 'strange.bin')
  writeFileSync(stranger, 'x')
  await look('strange.bin')
  rmSync(stranger)
  renameSync(path, `${path}-away`)
  const found = await place.verify()
  expect(found.findings.map(({ kind }) => kind)).toContain('unit')
  renameSync(`${path}-away`, path)
  expect(unnamed).toEqual([UNNAMED])
  expect(await texts()).toEqual([])
})

test('a day whose parts are away at a start of the store is named', async () => {
  const { engine } = place
  const { name, path } = await partOf('kept 1')
  const table = dirname(path)
  const [partition = ''] = name.split('_')
  await engine.kill9()
  // With those of before, which the engine still has.
  const all = readdirSync(table).filter((one) => one.startsWith(`${partition}_`))
  for (const one of all) renameSync(join(table, one), join(place.folder, one))
  await engine.restart()
  const { findings } = await place.verify()
  expect(findings.map(({ kind }) => kind)).toContain('unit')
  await engine.kill9()
  for (const one of all) renameSync(join(place.folder, one), join(table, one))
  await engine.restart()
  expect(await texts()).toEqual([])
})
