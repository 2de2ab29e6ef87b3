// Deletion in the store (docs/decisions/0085): below the committed places, wherever it is cut off,
// with events on their way.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readArchives } from '../../../infra/metastore/archive/archives.ts'
import {
  addDeletion,
  readDeletions,
  readOpenDeletions,
} from '../../../infra/metastore/retention/deletions.ts'
import type { JobContext } from '../../../infra/scheduler/job.ts'
import { EVENT_COLUMNS } from '../../../schemas/event-row.ts'
import type { EndPoint } from '../../support/retention/end-point.ts'
import {
  DAY_MS,
  NOW_MS,
  openRetentionPlace,
  type RetentionPlace,
} from '../../support/retention/retention-place.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

let place: RetentionPlace
beforeAll(async () => {
  place = await openRetentionPlace()
  // A minute otherwise.
  await place.engine.store.command({
    sql: 'ALTER TABLE events MODIFY SETTING old_parts_lifetime = 1, cleanup_delay_period = 1, max_cleanup_delay_period = 1',
  })
})
afterAll(() => place?.close())

const retain = (context: JobContext) => place.retain(context)

async function remove(condition: string): Promise<void> {
  await place.metastore.database.write(async (transaction) => {
    const asked = { askedBy: 'ann', askedMs: NOW_MS }
    await addDeletion(
      transaction,
      { logId: 1, log: 'a', condition, events: 0, bytes: 0, ...asked },
      'abcdef',
    )
  })
}

const dayOf = (age: number) => Math.floor(NOW_MS / DAY_MS) - age
/** Of the rows. Within a second or two the engine removes the files, and then it is done. */
const OUT: readonly unknown[] = ['removed', 'done']
const last = async () => (await readDeletions(place.metastore.database.read, 1))[0]

const points: readonly EndPoint[] = [
  { call: 'write', when: 'after', nth: 1 },
  { call: 'write', when: 'after', nth: 2 },
  { call: 'write', when: 'after', nth: 3 },
  { call: 'command', when: 'after', nth: 1 },
  { call: 'command', when: 'after', nth: 2 },
]

test.each(points)('goes on where it was cut off: $when the $call number $nth', async (end) => {
  const before = (await place.gone()).events
  await place.send(20, ['keep', 'delete me 1'])
  await place.send(0, ['delete me 2'])
  await place.storeAll()
  await remove("message LIKE 'delete me%'")
  expect(await place.run(retain, { end })).toBe(false)
  expect(await place.damage()).toEqual([])
  await place.run(retain)
  expect(await place.messages()).not.toContain('delete me 1')
  expect((await place.messages()).join()).not.toContain('delete')
  expect(await place.damage()).toEqual([])
  expect((await place.gone()).events).toBe(before + 2)
  expect(OUT).toContain((await last())?.state)
})

test('waits for events that were in the event log, and for a batch that a kill cut off', async () => {
  const before = (await place.gone()).events
  await place.send(0, ['delete late 1', 'stays'])
  const writer = await place.startWriter({
    crash: { call: 'insert events', when: 'after', nth: 1 },
  })
  await writer.ended
  await remove("message LIKE 'delete late%'")
  await place.run(retain, { isFast: true })
  expect((await last())?.state).toBe('hidden')
  await place.storeAll()
  await place.run(retain)
  expect((await place.messages()).join()).not.toContain('delete late')
  expect(await place.messages()).toContain('stays')
  expect(await place.damage()).toEqual([])
  expect((await place.gone()).events).toBe(before + 1)
})

test('takes rows out again that came back after they had been deleted', async () => {
  const { store } = place.engine
  await place.send(12, ['delete twice', 'stays of 12'])
  await place.storeAll()
  await store.command({ sql: 'CREATE TABLE saved AS events' })
  await store.command({
    sql: "INSERT INTO saved SELECT * FROM events WHERE message = 'delete twice'",
  })
  await remove("message = 'delete twice'")
  await place.run(retain, { end: { call: 'command', when: 'after', nth: 2 } })
  const isGone = async () => !(await place.messages()).includes('delete twice')
  await waitUntil('the events are out of the store', isGone, place.messages)
  expect((await last())?.state).toBe('entered')
  // As from links that a move to another disk left behind.
  await store.command({ sql: 'INSERT INTO events SELECT * FROM saved' })
  await store.command({ sql: 'DROP TABLE saved' })
  await place.run(retain)
  expect(await place.messages()).not.toContain('delete twice')
  expect(await place.messages()).toContain('stays of 12')
  expect(OUT).toContain((await last())?.state)
  expect(await place.damage()).toEqual([])
})

test('comes before an archive of the same day, however long it waits', async () => {
  await place.setPolicy(1, { storageDays: 5, archiveDirectory: place.folder })
  await place.send(25, ['delete unarchived', 'archived'])
  await place.storeAll()
  await place.send(0, ['on its way'])
  const writer = await place.startWriter({
    crash: { call: 'insert events', when: 'after', nth: 1 },
  })
  await writer.ended
  await remove("message = 'delete unarchived'")
  const archives = async () =>
    (await readArchives(place.metastore.database.read)).filter(({ day }) => day === dayOf(25))
  await place.run(retain, { isFast: true })
  expect((await last())?.state).toBe('hidden')
  expect(await archives()).toMatchObject([{ state: 'writing', events: 0 }])
  await place.storeAll()
  await place.run(retain)
  expect(await archives()).toMatchObject([{ state: 'done', events: 1 }])
  expect(await place.messages()).not.toContain('archived')
  expect(await place.damage()).toEqual([])
  await place.setPolicy(1, { storageDays: null, archiveDirectory: '' })
})

test('and retention of the same days agree', async () => {
  await place.setPolicy(1, { storageDays: 5 })
  await place.send(20, ['delete old', 'old'])
  await place.storeAll()
  await remove("message = 'delete old'")
  // The entry is there, the rows are still there: now retention takes the day.
  await place.run(retain, { end: { call: 'command', when: 'after', nth: 1 } })
  await place.run(retain)
  expect((await place.messages()).join()).not.toContain('old')
  expect(await place.damage()).toEqual([])
})

test('leaves nothing among what an archive that failed had loaded', async () => {
  const { store } = place.engine
  await place.send(0, ['delete staged'])
  await place.storeAll()
  // As of a day that was being archived, or thawed, when the process ended.
  const columns = EVENT_COLUMNS.map(({ name }) => `\`${name}\``).join(', ')
  const rows = `SELECT ${columns} FROM events WHERE message = 'delete staged'`
  await store.command({ sql: `INSERT INTO archived (${columns}) ${rows}` })
  await remove("message = 'delete staged'")
  await place.run(retain)
  expect(OUT).toContain((await last())?.state)
  expect(await store.query({ sql: 'SELECT message FROM archived' })).toEqual([])
})

test('is off the disk when the engine has removed the files', async () => {
  const open = () => readOpenDeletions(place.metastore.database.read)
  const isDone = async () => {
    await place.run(retain)
    return (await open()).length === 0
  }
  await waitUntil('no deletion is open', isDone, open)
  expect(await place.damage()).toEqual([])
})
