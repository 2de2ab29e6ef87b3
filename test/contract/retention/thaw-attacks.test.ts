// Thawed days under attack (docs/decisions/0108): what is deleted stays deleted, nothing is found
// twice, and what is searchable stays so, whatever becomes of the archive.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Archive, readArchives } from '../../../infra/metastore/archive/archives.ts'
import { askForThaw, readThaws } from '../../../infra/metastore/archive/thaws.ts'
import { addDeletion, readDeletions } from '../../../infra/metastore/retention/deletions.ts'
import { readHiddenEvents } from '../../../infra/metastore/retention/hidden-events.ts'
import type { JobContext } from '../../../infra/scheduler/job.ts'
import { hideDeleted } from '../../../infra/store/hide-deleted.ts'
import { printDay } from '../../../schemas/keep/store-damage.ts'
import { atStatement } from '../../support/retention/at-statement.ts'
import {
  DAY_MS,
  NOW_MS,
  openRetentionPlace,
  type RetentionPlace,
} from '../../support/retention/retention-place.ts'

let place: RetentionPlace
beforeAll(async () => {
  place = await openRetentionPlace()
})
afterAll(() => place?.close())

const UNTIL_MS = NOW_MS + 3 * DAY_MS
const database = () => place.metastore.database
const retain = (context: JobContext) => place.retain(context)
const thaw = (archive: number, untilMs = UNTIL_MS) =>
  database().write((transaction) =>
    askForThaw(transaction, { archive, untilMs, askedBy: 'ann', askedMs: NOW_MS }),
  )
const thaws = () => readThaws(database().read)
const folderOf = ({ day, entry }: Archive) => join(place.folder, printDay(day) ?? '', entry)
const deleteMessage = async (...messages: readonly string[]) => {
  const [log] = await database()
    .read.selectFrom('logs')
    .select('id')
    .where('name', '=', 'a')
    .execute()
  const condition = `log_id = ${log?.id} AND message IN ('${messages.join("', '")}')`
  const asked = { askedBy: 'ann', askedMs: NOW_MS, events: 1, bytes: 1 }
  await database().write((transaction) =>
    addDeletion(transaction, { logId: Number(log?.id), log: 'a', condition, ...asked }, 'abc'),
  )
}
/** What a search can find of the day. */
const found = async (age: number) => {
  const store = hideDeleted(place.engine.store, () => readHiddenEvents(database().read))
  const rows = await store.query<{ message: string }>({ sql: 'SELECT message FROM events' })
  const all = rows.map(({ message }) => message)
  return all.filter((message) => message.startsWith(`${age}:`)).sort()
}
const messagesOf = (age: number) => ['a', 'b', 'c', 'd'].map((name) => `${age}: ${name}`)

/** Day `age` is in an archive and has left the store. */
async function archiveDay(age: number): Promise<Archive> {
  await place.setPolicy(1, { storageDays: null, archiveDirectory: place.folder })
  await place.send(age, messagesOf(age))
  await place.send(0, ['today'])
  await place.storeAll()
  await place.setPolicy(1, { storageDays: 5 })
  await place.run(retain)
  const [archive] = await readArchives(database().read)
  if (archive?.droppedMs === undefined) throw new Error('it has not left')
  return archive
}

test('a thawed day stays searchable when events of it are deleted and its archive is away', async () => {
  const archive = await archiveDay(20)
  await thaw(archive.number)
  await place.run(retain)
  expect(await found(20)).toEqual(messagesOf(20))
  const folder = folderOf(archive)
  renameSync(folder, `${folder}-away`)
  // One in the store, too: its files are on the disk for a while.
  await deleteMessage('20: b', 'today')
  for (let run = 0; run < 3; run += 1) {
    expect(await found(20), `run ${run}`).toEqual(['20: a', '20: c', '20: d'])
    await place.run(retain)
  }
  expect(await thaws()).toMatchObject([{ state: 'thawed', events: 3, fault: '' }])
  renameSync(`${folder}-away`, folder)
  await thaw(archive.number, NOW_MS - 1)
  await place.run(retain)
  expect(await found(20)).toEqual([])
})

test('nothing that is deleted while a day is loaded comes back', async () => {
  const archive = await archiveDay(21)
  await thaw(archive.number)
  for (const [form, message] of [
    [/^INSERT INTO events/, '21: a'],
    [/SELECT 1 AS found FROM events/, '21: b'],
  ] as const) {
    await place.run(async (context) => {
      const hooked = atStatement(context, form, () => deleteMessage(message))
      await retain(hooked)
      expect(hooked.hasActed()).toBe(true)
    })
    expect(await found(21), message).not.toContain(message)
    await place.run(retain)
    await place.run(retain)
    // Loaded again from the beginning.
    await place.engine.store.command({
      sql: `ALTER TABLE events DELETE WHERE message = '21: d'`,
      settings: { mutations_sync: 2 },
    })
  }
  await place.run(retain)
  expect(await found(21)).toEqual(['21: c', '21: d'])
  for (const { state } of await readDeletions(database().read, 10))
    expect(['removed', 'done']).toContain(state)
  await thaw(archive.number, NOW_MS - 1)
  await place.run(retain)
})

test('a day that is partly in the store again is found once, also compacted', async () => {
  const archive = await archiveDay(22)
  await thaw(archive.number)
  await place.run(retain)
  // As after an older store was put back: half of the day is there under its own policy.
  const { store } = place.engine
  await store.command({
    sql: `INSERT INTO events SELECT * REPLACE(toUInt16(1) AS policy) FROM events WHERE message IN ('22: a', '22: b')`,
  })
  await place.setPolicy(1, { storageDays: null })
  await thaw(archive.number, NOW_MS - 1)
  await place.run(retain)
  expect(await found(22)).toEqual(['22: a', '22: b'])
  await thaw(archive.number)
  await place.run(retain)
  expect(await found(22)).toEqual(messagesOf(22))
  await store.command({ sql: 'OPTIMIZE TABLE events FINAL' })
  await thaw(archive.number, UNTIL_MS + DAY_MS)
  await place.run(retain)
  expect(await found(22)).toEqual(messagesOf(22))
  await place.run(retain, { nowMs: UNTIL_MS })
  expect(await found(22)).toEqual(messagesOf(22))
  await place.run(retain, { nowMs: UNTIL_MS + DAY_MS })
  expect(await found(22)).toEqual(['22: a', '22: b'])
  await place.setPolicy(1, { storageDays: 5 })
  await place.run(retain)
  expect(await found(22)).toEqual([])
  expect(await place.damage()).toEqual([])
})

test('what is deleted of a thawed day alone is not said to be off the disk before it is', async () => {
  const archive = await archiveDay(25)
  await thaw(archive.number)
  await place.run(retain)
  await deleteMessage('25: a')
  await place.run(retain)
  // The engine keeps old files for a minute.
  expect(await readDeletions(database().read, 1)).toMatchObject([{ state: 'removed' }])
  await thaw(archive.number, NOW_MS - 1)
  await place.run(retain)
})

test('an end that is put off in the middle of a run is put off', async () => {
  const archive = await archiveDay(23)
  const later = UNTIL_MS + DAY_MS
  await thaw(archive.number)
  await place.run(retain)
  await place.run(
    async (context) => {
      // The look at units of the thaws.
      const nth = 2
      const hooked = atStatement(context, /AS compact/, () => thaw(archive.number, later), nth)
      await retain(hooked)
      expect(hooked.hasActed()).toBe(true)
    },
    { nowMs: UNTIL_MS },
  )
  expect(await found(23)).toEqual(messagesOf(23))
  expect(await thaws()).toMatchObject([{ state: 'thawed', untilMs: later }])
  await thaw(archive.number, NOW_MS - 1)
  await place.run(retain)
})

test('a thawed day of which a database that was put back knows nothing leaves the store', async () => {
  const archive = await archiveDay(26)
  await thaw(archive.number)
  await place.run(retain)
  expect(await found(26)).toEqual(messagesOf(26))
  await database().write((transaction) => transaction.deleteFrom('thaws').execute())
  await place.run(retain)
  expect(await found(26)).toEqual([])
  expect(await place.damage()).toEqual([])
})

test.each([
  ['an object is missing', 44, (path: string) => rmSync(join(path, '000001.native.zst'))],
  ['an object is empty', 45, (path: string) => writeFileSync(join(path, '000001.native.zst'), '')],
  ['the manifest is missing', 46, (path: string) => rmSync(join(path, 'manifest.json'))],
  ['the folder is gone', 47, (path: string) => rmSync(path, { recursive: true })],
])('%s: nothing is shown, the fault is named, and the end comes', async (_, age, damage) => {
  const archive = await archiveDay(age)
  damage(folderOf(archive))
  await thaw(archive.number)
  await place.run(retain)
  expect(await found(age)).toEqual([])
  const [row] = await thaws()
  expect(row).toMatchObject({ state: 'loading' })
  expect(row?.fault).not.toBe('')
  await place.run(retain, { nowMs: UNTIL_MS })
  expect(await thaws()).toEqual([])
  expect(await place.damage()).toEqual([])
})
