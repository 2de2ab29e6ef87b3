// Tamper evidence (docs/decisions/0111): what the product does is no difference, what is changed by
// hand is named.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeletion } from '../../../infra/metastore/retention/deletions.ts'
import { type EvidencePlace, openEvidencePlace } from '../../support/evidence/evidence-place.ts'
import { NOW_MS } from '../../support/retention/retention-place.ts'

const DAY = Math.floor(NOW_MS / 86_400_000)

let place: EvidencePlace
beforeAll(async () => {
  place = await openEvidencePlace()
  await place.audit(['one', 'two \ud800 \0', 'three', 'four'])
  for (const age of [1, 2, 3]) await place.send(age, ['a', 'b', 'c'])
  await place.send(0, ['today'])
  await place.storeAll()
  await place.sign()
})
afterAll(() => place?.close())

const database = () => place.metastore.database
const findings = async () => (await place.verify()).findings
const texts = async () => (await findings()).map(({ text }) => text)

test('an untouched product has nothing to name, and everything finished is signed', async () => {
  const seen = await place.verify()
  expect(seen).toMatchObject({
    findings: [],
    notes: [],
    units: { checked: 3, rows: 9 },
    audit: { entries: 4 },
  })
  expect(seen.evidence.signedThrough).toBe(seen.evidence.entries)
})

test('late events, deletion and retention of signed days are no difference', async () => {
  await place.send(2, ['late', 'delete me late'])
  await place.send(3, ['delete me'])
  await place.storeAll()
  expect(await findings()).toEqual([])
  await place.sign()
  await place.send(2, ['delete me later still'])
  await place.storeAll()
  await database().write(async (transaction) => {
    const asked = { askedBy: 'ann', askedMs: NOW_MS, events: 3, bytes: 1 }
    const condition = "message LIKE 'delete me%' OR message = 'b'"
    await addDeletion(transaction, { logId: 1, log: 'a', condition, ...asked }, 'abcdef')
  })
  expect(await findings()).toEqual([])
  await place.retain()
  expect(await findings()).toEqual([])
  await place.sign()
  expect(await findings()).toEqual([])
  await place.setPolicy(1, { storageDays: 2 })
  await place.retain()
  await place.setPolicy(1, { storageDays: null })
  await place.send(3, ['after retention'])
  await place.storeAll()
  expect(await findings()).toEqual([])
  await place.sign()
  const seen = await place.verify()
  expect(seen.findings).toEqual([])
  expect(await place.messages()).toEqual(['a', 'a', 'after retention', 'c', 'c', 'late', 'today'])
})

test('a changed, removed or added event of a signed day names log, day and rows', async () => {
  const { store } = place.engine
  const first = { policy: 1, day: DAY - 2, kind: 'unit' }
  const alter = async (what: string) =>
    await store.command({ sql: `ALTER TABLE events ${what}`, settings: { mutations_sync: 2 } })
  await alter("UPDATE message = 'A' WHERE message = 'late'")
  expect(await findings()).toMatchObject([{ ...first, rowsExpected: 3, rowsFound: 3 }])
  await alter("UPDATE message = 'late' WHERE message = 'A'")
  expect(await findings()).toEqual([])
  await store.command({
    sql: "INSERT INTO events SELECT * REPLACE(now64(9) AS timestamp) FROM events WHERE message = 'late'",
  })
  expect(await findings()).toMatchObject([{ ...first, rowsExpected: 3, rowsFound: 4 }])
  await alter("DELETE WHERE message = 'late'")
  expect(await findings()).toMatchObject([{ ...first, rowsExpected: 3, rowsFound: 2 }])
})

test('changed, removed and added entries of the audit log are named alone', async () => {
  const change = async (statement: ReturnType<typeof sql>, entry: number) => {
    const rows = await database().read.selectFrom('audit').selectAll().execute()
    await database().write((transaction) => statement.execute(transaction))
    const found = (await findings()).filter(({ kind }) => kind === 'audit')
    expect(found).toHaveLength(1)
    expect(found[0]?.entry).toBe(entry)
    await database().write(async (transaction) => {
      await transaction.deleteFrom('audit').execute()
      await transaction.insertInto('audit').values(rows).execute()
    })
  }
  await change(sql`update audit set target = 'ONE' where id = 1`, 1)
  await change(sql`update audit set hash = 'x' where id = 2`, 2)
  await change(sql`update audit set hash = null where id = 2`, 2)
  await change(sql`delete from audit where id = 3`, 3)
  await change(sql`delete from audit where id >= 4`, 4)
  expect((await texts()).filter((text) => text.includes('audit'))).toEqual([])
})

test('changed files that stand in no checksum name part, policy and day', async () => {
  const { store } = place.engine
  const inFiles = async () => (await findings()).filter(({ kind }) => kind === 'files')
  const [part] = await store.query<{ name: string; path: string; partition: string }>({
    sql: "SELECT name, path, partition FROM system.parts WHERE active AND database = currentDatabase() AND table = 'events' ORDER BY name LIMIT 1",
  })
  const [, date = ''] = /,(\d+)\)/.exec(part?.partition ?? '') ?? []
  const day = Date.parse(date.replace(/(....)(..)(..)/, '$1-$2-$3')) / 86_400_000
  for (const [name, text] of [
    ['metadata_version.txt', '1'],
    ['columns_substreams.txt', ''],
    ['default_compression_codec.txt', 'CODEC(NONE)'],
    ['checksums.txt', undefined],
  ] as const) {
    expect(await inFiles(), name).toEqual([])
    const path = join(part?.path ?? '', name)
    const before = readFileSync(path)
    if (text === undefined) rmSync(path)
    else writeFileSync(path, text)
    const seen = await inFiles()
    expect(seen, name).toMatchObject([{ policy: 1, day }])
    expect(seen[0]?.text).toContain(part?.name)
    expect(await inFiles(), `${name}, once more`).toEqual(seen)
    writeFileSync(path, before)
  }
  await store.command({ sql: 'CREATE TABLE kept AS events' })
  await store.command({ sql: `ALTER TABLE kept REPLACE PARTITION ${part?.partition} FROM events` })
  await store.command({ sql: `ALTER TABLE events REPLACE PARTITION ${part?.partition} FROM kept` })
  expect(await inFiles()).toEqual([])
})
