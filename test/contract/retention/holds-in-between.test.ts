// Legal holds that come in the middle of what takes events away (docs/decisions/0084, 0108): once
// addHold has answered, nothing of what is held goes, in the store or in an archive.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { beginArchiveRemoval } from '../../../infra/metastore/archive/archive-removal.ts'
import {
  type Archive,
  askForRemoval,
  readArchives,
} from '../../../infra/metastore/archive/archives.ts'
import { addHold, removeHold } from '../../../infra/metastore/retention/change-holds.ts'
import { readHolds } from '../../../infra/metastore/retention/legal-holds.ts'
import type { JobContext } from '../../../infra/scheduler/job.ts'
import { isFailure } from '../../../schemas/failures.ts'
import { printDay } from '../../../schemas/keep/store-damage.ts'
import { atStatement } from '../../support/retention/at-statement.ts'
import {
  NOW_MS,
  openRetentionPlace,
  type RetentionPlace,
} from '../../support/retention/retention-place.ts'

let place: RetentionPlace
beforeAll(async () => {
  place = await openRetentionPlace()
})
afterAll(() => place?.close())
beforeEach(async () => {
  for (const { number } of await readHolds(database().read)) await lift(number)
  await place.setPolicy(1, {
    ...{ storageDays: null, storageMaxBytes: null, archiveDays: null },
    ...{ archiveDirectory: place.folder },
  })
})

const database = () => place.metastore.database
const retain = (context: JobContext) => place.retain(context)
const hold = async () => {
  const target = { kind: 'policy', name: 'Default' } as const
  const given = { target, fromMs: undefined, toMs: undefined, reason: '', madeBy: 'ann' }
  return await database().write((transaction) => addHold(transaction, { ...given, nowMs: NOW_MS }))
}
/** Whether it answered; it may be refused for a moment. */
const tryHold = () =>
  hold().then(
    () => true,
    (error: unknown) => {
      if (isFailure(error) && error.code === 'retention.busy') return false
      throw error
    },
  )
const lift = (number: number) => database().write((transaction) => removeHold(transaction, number))
const archives = () => readArchives(database().read)
const isThere = (archive: Archive) =>
  existsSync(join(place.folder, printDay(archive.day) ?? '', archive.entry, 'manifest.json'))

/** Day `age` is in one archive and has left the store. */
async function archiveDay(age: number): Promise<Archive> {
  await place.send(age, [`of ${age}`])
  await place.send(0, ['today'])
  await place.storeAll()
  await place.setPolicy(1, { storageDays: 5 })
  await place.run(retain)
  const [archive] = await archives()
  if (archive?.droppedMs === undefined) throw new Error('it has not left')
  return archive
}

/** The run with a hold that comes right before the statement. */
async function runWithHold(before: RegExp): Promise<boolean> {
  let isHeld = false
  await place.run(async (context) => {
    const hooked = atStatement(context, before, async () => {
      isHeld = await tryHold()
    })
    await retain(hooked)
    expect(hooked.hasActed()).toBe(true)
  })
  return isHeld
}

test('keeps an archive whose time is over, of which the run has not heard yet', async () => {
  const archive = await archiveDay(40)
  await place.setPolicy(1, { archiveDays: 20 })
  // Of units: after the look at holds, before archives go.
  expect(await runWithHold(/system\.parts/)).toBe(true)
  expect(await archives()).toMatchObject([{ number: archive.number, state: 'done' }])
  expect(isThere(archive)).toBe(true)
})

test.each([
  ['while a day is archived', /^SELECT `/, true],
  ['before its removal begins', /AS places/, true],
  ['between its entry and its drop', /DROP PARTITION/, false],
])('%s: the day stays, or the hold was refused', async (_, before, isExpected) => {
  const age = isExpected ? 31 : 32
  await place.send(age, [`of ${age}`])
  await place.send(0, ['today'])
  await place.storeAll()
  await place.setPolicy(1, { storageDays: 5 })
  const isHeld = await runWithHold(before)
  expect((await place.messages()).includes(`of ${age}`)).toBe(isHeld)
  expect(isHeld).toBe(isExpected)
  expect(await place.damage()).toEqual([])
})

test('by bytes: the oldest days go, but for what is held since the plan was made', async () => {
  await place.send(33, ['held by bytes'])
  await place.send(0, ['today'])
  await place.storeAll()
  await place.setPolicy(1, { storageMaxBytes: 1, archiveDirectory: '' })
  expect(await runWithHold(/SELECT count\(\) AS rows, sum\(events\)/)).toBe(false)
  await place.send(33, ['held by bytes'])
  await place.storeAll()
  await hold()
  await place.run(retain)
  expect(await place.messages()).toContain('held by bytes')
  expect(await place.damage()).toEqual([])
})

test('of two that overlap each keeps alone, in whichever order they are lifted', async () => {
  for (const first of [0, 1]) {
    await place.setPolicy(1, { storageDays: null, archiveDirectory: '' })
    await place.send(34, ['held twice'])
    await place.send(0, ['today'])
    await place.storeAll()
    const both = [(await hold()).number, (await hold()).number]
    await place.setPolicy(1, { storageDays: 5 })
    await lift(both[first] ?? 0)
    await place.run(retain)
    expect(await place.messages()).toContain('held twice')
    await lift(both[1 - first] ?? 0)
    await place.run(retain)
    expect(await place.messages()).not.toContain('held twice')
  }
})

test('an archive that a command removes: its removal is taken back while nothing of it has gone', async () => {
  const archive = await archiveDay(41)
  const ask = () => database().write((transaction) => askForRemoval(transaction, archive.number))
  const state = async () =>
    (await archives()).find(({ number }) => number === archive.number)?.state
  await ask()
  expect(await runWithHold(/system\.parts/)).toBe(true)
  expect(await state()).toBe('done')
  await place.run(retain)
  expect(isThere(archive)).toBe(true)

  for (const { number } of await readHolds(database().read)) await lift(number)
  // By what the run read before the hold came and went.
  await place.run(async ({ held }) => {
    const begin = { held, nowMs: NOW_MS, isOver: false }
    expect(await beginArchiveRemoval(database(), archive, begin)).toBe(false)
  })
  await ask()
  await place.run(async ({ held }) => {
    const begin = { held, nowMs: NOW_MS, isOver: false }
    expect(await beginArchiveRemoval(database(), archive, begin)).toBe(true)
  })
  // As after a kill: some objects may be gone.
  expect(await tryHold()).toBe(false)
  await ask()
  expect(await tryHold()).toBe(false)
  await place.run(retain)
  expect(await state()).toBeUndefined()
  expect(isThere(archive)).toBe(false)
  expect(await tryHold()).toBe(true)
})
