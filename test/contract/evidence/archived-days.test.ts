// Days that are archived, leave the store and are thawed: none of it is a difference.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askForThaw, readThaws } from '../../../infra/metastore/archive/thaws.ts'
import { type EvidencePlace, openEvidencePlace } from '../../support/evidence/evidence-place.ts'
import { NOW_MS } from '../../support/retention/retention-place.ts'

let place: EvidencePlace
beforeAll(async () => {
  place = await openEvidencePlace()
})
afterAll(() => place?.close())

test('an archived day may leave and be thawed, and the evidence tells of both', async () => {
  await place.setPolicy(1, { storageDays: null, archiveDirectory: place.folder })
  await place.send(20, ['a', 'b'])
  await place.send(1, ['c'])
  await place.storeAll()
  await place.sign()
  await place.setPolicy(1, { storageDays: 5 })
  await place.retain()
  expect(await place.messages()).toEqual(['c'])
  expect((await place.verify()).findings).toEqual([])

  const { database } = place.metastore
  const thaw = (untilMs: number) =>
    database.write((transaction) =>
      askForThaw(transaction, { archive: 1, untilMs, askedBy: 'ann', askedMs: NOW_MS }),
    )
  await thaw(NOW_MS + 1000)
  await place.retain()
  expect(await readThaws(database.read)).toMatchObject([{ state: 'thawed', events: 2 }])
  await place.sign()
  expect((await place.verify()).findings).toEqual([])

  await thaw(NOW_MS - 1000)
  await place.retain()
  expect(await readThaws(database.read)).toEqual([])
  await place.sign()
  expect((await place.verify()).findings).toEqual([])
  const kinds = await database.read
    .selectFrom('evidence')
    .select('kind')
    .orderBy('number')
    .execute()
  const told = kinds.map(({ kind }) => kind).filter((kind) => kind !== 'audit')
  expect(told).toEqual(['begin', 'day', 'day', 'archive', 'retention', 'thaw'])
})
