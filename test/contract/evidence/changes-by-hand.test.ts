// Random changes by hand: each is named, and nothing else; an untouched product has nothing to
// name, also with late events on their way. LOGEYE_TEST_EVIDENCE_CHANGES=100 is the long form,
// LOGEYE_TEST_SEED another run of it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ChainEnd } from '../../../infra/evidence/check-links.ts'
import { CHANGES } from '../../support/evidence/change-by-hand.ts'
import { type EvidencePlace, openEvidencePlace } from '../../support/evidence/evidence-place.ts'
import { series } from '../../support/run/tier.ts'

const TIMES = Number(process.env.LOGEYE_TEST_EVIDENCE_CHANGES ?? series(8, 40))
const SEED = Number(process.env.LOGEYE_TEST_SEED ?? 23)

let place: EvidencePlace
beforeAll(async () => {
  place = await openEvidencePlace()
  // A part that is merged while it is looked at takes its change with it: nothing is to be named.
  for (const table of ['events', 'counts'])
    await place.engine.store.command({
      sql: `ALTER TABLE ${table} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1`,
    })
  await place.audit(Array.from({ length: 20 }, (_, at) => `before ${at}`))
  for (const age of [1, 2, 3])
    for (const account of [1, 2])
      await place.send(
        age,
        Array.from({ length: 30 }, (_, at) => `event ${age} ${at}`),
        account,
      )
  await place.send(0, ['today'])
  await place.storeAll()
  await place.sign()
})
afterAll(() => place?.close())

it(`names each of ${TIMES} changes, and nothing else`, async () => {
  let state = SEED
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const missed: string[] = []
  const falsely: string[] = []
  for (let round = 0; round < TIMES; round += 1) {
    if (round % 5 === 2) {
      await place.send(1 + random(3), ['late'])
      await place.storeAll()
      if (random(2) === 0) {
        await place.audit([`round ${round}`])
        await place.sign()
      }
    }
    if (round % 5 === 2 || round === 0)
      falsely.push(...(await place.verify()).findings.map(({ text }) => `untouched: ${text}`))
    const heads = [await readHeadSent()]
    const change = await CHANGES[round % CHANGES.length]?.(place, random)
    if (change === undefined) throw new Error('there is no change')
    const { findings } = await place.verify(heads)
    const { what, isNamedBy, takeBack } = change
    if (process.env.LOGEYE_TEST_EVIDENCE_CHANGES)
      process.stdout.write(`${round} ${what}: ${findings.map(({ text }) => text).join('; ')}\n`)
    if (!findings.some(isNamedBy)) missed.push(what)
    for (const finding of findings)
      if (!isNamedBy(finding)) falsely.push(`${what}: ${finding.kind} ${finding.text}`)
    await takeBack()
  }
  expect({ missed, falsely }).toEqual({ missed: [], falsely: [] })
  expect((await place.verify()).findings).toEqual([])
}, 2_400_000)

async function readHeadSent(): Promise<ChainEnd> {
  const { number, hash } = await place.metastore.database.read
    .selectFrom('evidence')
    .select(['number', 'hash'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { number: Number(number), hash, from: 'what was sent away' }
}
