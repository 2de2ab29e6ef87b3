// Archives on real engines (docs/decisions/0108): what leaves the store is written away first,
// comes back byte for byte when it is thawed, and goes again; wherever a process ends, nothing is
// lost.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Archive,
  askForCheck,
  readArchives,
} from '../../../infra/metastore/archive/archives.ts'
import { askForThaw, readThaws } from '../../../infra/metastore/archive/thaws.ts'
import { readHiddenEvents } from '../../../infra/metastore/retention/hidden-events.ts'
import type { JobContext } from '../../../infra/scheduler/job.ts'
import { hideDeleted } from '../../../infra/store/hide-deleted.ts'
import { runRetention } from '../../../ingest/retention/retention-job.ts'
import { archiveManifestSchema } from '../../../schemas/archive/manifest.ts'
import { EVENT_COLUMNS } from '../../../schemas/event-row.ts'
import { printDay } from '../../../schemas/keep/store-damage.ts'
import { startMailSink } from '../../support/portal/mail-sink.ts'
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

const retain = (context: JobContext) => place.retain(context)
const database = () => place.metastore.database
const archives = () => readArchives(database().read)
const thawArchive = (archive: number, untilMs: number) =>
  database().write((transaction) =>
    askForThaw(transaction, { archive, untilMs, askedBy: 'ann', askedMs: NOW_MS }),
  )

const folderOf = (archive: Archive | undefined) =>
  join(place.folder, printDay(archive?.day ?? 0) ?? '', archive?.entry ?? '')

/** All that a search can find, but the number under which it lies. */
async function found(): Promise<string[]> {
  const store = hideDeleted(place.engine.store, () => readHiddenEvents(database().read))
  const columns = EVENT_COLUMNS.filter(({ name }) => name !== 'policy')
  const rows = await store.query({
    sql: `SELECT ${columns.map(({ name }) => `\`${name}\``).join(', ')} FROM events`,
  })
  return rows.map((row) => JSON.stringify(row)).sort()
}

test('a day is archived, leaves the store, is thawed, and leaves it again', async () => {
  await place.setPolicy(1, {
    storageDays: null,
    archiveDirectory: place.folder,
    archiveChecksum: 'md5',
  })
  await place.send(
    20,
    Array.from({ length: 30 }, (_, at) => `old ${at} \u0000 ü`),
  )
  await place.send(0, ['new'])
  await place.storeAll()
  const before = await found()
  await place.setPolicy(1, { storageDays: 5 })
  await place.run(retain)
  expect(await place.messages()).toEqual(['new'])
  expect(await place.damage()).toEqual([])
  const [archive] = await archives()
  expect(archive).toMatchObject({ state: 'done', events: 30, fault: '', isForeign: false })
  expect(archive?.droppedMs).toBe(NOW_MS)
  const objects = folderOf(archive)
  expect(readdirSync(objects).length).toBeGreaterThan(3)
  const manifest = archiveManifestSchema.parse(
    JSON.parse(readFileSync(join(objects, 'manifest.json'), 'utf8')),
  )
  expect(manifest).toMatchObject({ events: 30, checksum: 'md5', ledger: { received: 30, gone: 0 } })

  await thawArchive(archive?.number ?? 0, NOW_MS + 3 * DAY_MS)
  await place.run(retain)
  expect(await readThaws(database().read)).toMatchObject([{ state: 'thawed', events: 30 }])
  expect(await found()).toEqual(before)
  expect(await place.damage()).toEqual([])
  // Retention leaves it alone, though the day is over.
  await place.run(retain)
  expect(await found()).toEqual(before)
  await place.run(retain, { nowMs: NOW_MS + 3 * DAY_MS })
  expect(await found()).toHaveLength(1)
  expect(await readThaws(database().read)).toEqual([])
  expect(await archives()).toHaveLength(1)
  expect(await place.damage()).toEqual([])
})

test('a clock that is ahead of all that was received removes no archive', async () => {
  const { number = 0 } = (await archives())[0] ?? {}
  await place.setPolicy(1, { archiveDays: 400 })
  await place.run(retain, { nowMs: NOW_MS + 4000 * DAY_MS })
  expect(await archives()).toMatchObject([{ number, state: 'done' }])
  await place.setPolicy(1, { archiveDays: null })
})

test('nothing leaves the store while its archive fails, and a damaged one is named', async () => {
  const [first] = await archives()
  await place.setPolicy(1, { archiveDirectory: join(place.folder, 'not-there') })
  await place.send(20, ['late'])
  await place.storeAll()
  await place.run(retain)
  expect(await place.messages()).toContain('late')
  const [failed] = await archives()
  expect(failed?.fault).toMatch(/no such folder/)
  await place.setPolicy(1, { archiveDirectory: place.folder })
  await place.run(retain, { nowMs: NOW_MS + 120_000 })
  expect(await place.messages()).not.toContain('late')
  expect((await archives()).map(({ state }) => state)).toEqual(['done', 'removing', 'done'])

  const check = () =>
    database().write((transaction) => askForCheck(transaction, first?.number ?? 0, NOW_MS))
  const object = join(folderOf(first), '000001.native.zst')
  const bytes = readFileSync(object)
  const verdict = async () =>
    (await archives()).find(({ number }) => number === first?.number)?.fault
  await check()
  await place.run(retain)
  expect(await verdict()).toBe('')
  const flipped = Buffer.from(bytes)
  flipped[bytes.length >> 1] = (flipped[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(object, flipped)
  await check()
  await place.run(retain)
  expect(await verdict()).toMatch(/000001/)
  await thawArchive(first?.number ?? 0, NOW_MS + DAY_MS)
  await place.run(retain)
  expect(await readThaws(database().read)).toMatchObject([{ state: 'loading' }])
  expect(await found()).toHaveLength(1)
  writeFileSync(object, bytes)
  await place.run(retain)
  expect(await found()).toHaveLength(31)
})

test('the warning address is told once a crossing, when the mail server takes it', async () => {
  const sink = await startMailSink()
  const mail = { url: sink.url, from: 'logeye@example.com' }
  const at = (nowMs: number) =>
    place.run(
      (context) =>
        runRetention(context, {
          ...{
            eventLog: place.eventLog,
            archive: place.archive,
            readDigestKey: async () => undefined,
          },
          warnings: { mail, readFreeShare: () => Promise.resolve(0.5) },
        }),
      { nowMs },
    )
  try {
    await place.setPolicy(1, {
      ...{ storageMaxBytes: 1, storageDays: null, warningAddress: 'ops@example.com' },
      archiveDirectory: join(place.folder, 'not-there'),
    })
    await place.send(0, ['fills it'])
    await place.send(9, ['not archived'])
    await place.storeAll()
    sink.refuseWith(451)
    await at(NOW_MS)
    expect(sink.mails).toHaveLength(0)
    sink.refuseWith(0)
    await at(NOW_MS + 10_000)
    expect(sink.mails).toHaveLength(0)
    await at(NOW_MS + 61_000)
    await at(NOW_MS + 200_000)
    const subjects = sink.mails.map(({ raw }) => /^Subject: ((?:.|\r\n )*)$/m.exec(raw)?.[1] ?? '')
    expect(subjects.filter((one) => one.includes('nearly'))).toHaveLength(1)
    expect(subjects.filter((one) => /cannot\s+be\s+archived/.test(one))).toHaveLength(1)
    expect(sink.mails.every(({ to }) => to.join() === 'ops@example.com')).toBe(true)
    const told = sink.mails.length
    await place.setPolicy(1, { storageMaxBytes: 1_000_000_000_000 })
    await at(NOW_MS + 300_000)
    expect(sink.mails).toHaveLength(told)
    await place.setPolicy(1, { storageMaxBytes: 1 })
    await at(NOW_MS + 400_000)
    expect(sink.mails.length).toBeGreaterThan(told)
  } finally {
    await sink.close()
  }
})

test('a day with more columns than the store keeps apart is archived whole', async () => {
  const few = { ...place.archive, objectBytes: 100_000 }
  const retainAll = (context: JobContext) =>
    runRetention(context, {
      eventLog: place.eventLog,
      archive: few,
      readDigestKey: async () => undefined,
    })
  await place.setPolicy(1, { storageDays: null, archiveDirectory: place.folder })
  const receivedMs = NOW_MS - 25 * DAY_MS
  // Twice, since the store keeps other columns apart in each part, and in the archive.
  for (const first of [0, 250]) {
    const events = Array.from({ length: 400 }, (_, at) => ({
      ...{ message: `wide ${first + at}`, log: 'a', [`key_${first + at}`]: at % 3 },
      [`text_${(first + at) % 200}`]: `value ${at}`,
    }))
    await place.append([{ accountId: 1, receivedMs, events }])
    await place.storeAll()
  }
  const wide = async () => (await found()).filter((row) => row.includes('wide '))
  const before = await wide()
  expect(before).toHaveLength(800)
  await place.setPolicy(1, { storageDays: 5 })
  await place.run(retainAll)
  const archive = (await archives()).find(({ events }) => events === 800)
  expect(archive).toMatchObject({ state: 'done', fault: '' })
  expect(await wide()).toEqual([])
  await thawArchive(archive?.number ?? 0, NOW_MS + 3 * DAY_MS)
  await place.run(retainAll)
  expect(await wide()).toEqual(before)
})
