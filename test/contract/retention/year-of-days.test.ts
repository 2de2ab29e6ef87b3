// A year of days, with an injected clock: policies by days and by bytes, archives, thaws, holds and
// deletions at random, jobs that end anywhere and a store that is killed; each day every search and
// `datastream` equals a naive model (naive-days.ts), and the ledger finds no damage.
// LOGEYE_TEST_RETENTION_DAYS=365 by hand. LOGEYE_TEST_RETENTION_SEED=random takes
// another order.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRandom, type Random } from '../../support/reference/random/random.ts'
import {
  doSomething,
  giveLimits,
  namesOf,
  sendDay,
  type World,
} from '../../support/retention/day-deeds.ts'
import { type DayProduct, type Flow, openDayProduct } from '../../support/retention/day-product.ts'
import type { EndPoint } from '../../support/retention/end-point.ts'
import {
  DAY_MS,
  type NaiveArchive,
  NaiveDays,
  type NaiveEvent,
} from '../../support/retention/naive-days.ts'
import { readSeed } from '../../support/run/seed.ts'
import { series } from '../../support/run/tier.ts'

const DAYS = Number(process.env.LOGEYE_TEST_RETENTION_DAYS ?? series(3, 12))
const START_MS = Date.UTC(2025, 1, 20, 12)
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

let product: DayProduct
beforeAll(async () => {
  product = await openDayProduct(START_MS)
})
afterAll(() => product?.stop())

test(
  'whatever is done, what is found is what the model says',
  async () => {
    const seed = readSeed('LOGEYE_TEST_RETENTION_SEED', 23)
    const random = makeRandom(seed)
    const world: World = { product, model: makeModel(), random, did: new Map() }
    for (const name of world.model.policies.keys()) await giveLimits(world, name)
    for (let day = 0; day < DAYS; day += 1) {
      const where = `seed ${seed}, day ${day}`
      product.nowMs = START_MS + day * DAY_MS
      await sendDay(world, product.nowMs - MINUTE_MS)
      // Of a writer that was days behind.
      if (random.chance(0.15)) await sendDay(world, product.nowMs - random.below(15) * DAY_MS)
      await settle(world, where)
      product.nowMs += HOUR_MS
      await doSomething(world).catch((error: unknown) => {
        throw new Error(`${where}: ${String(error)}`)
      })
      await settle(world, `${where}, afterwards`)
      if (day % 30 === 29) console.info(`retention, ${where}:`, tell(world))
    }
    console.info(`retention, ${DAYS} days:`, tell(world))
    expect(world.did.size).toBeGreaterThan(Math.min(9, DAYS / 4))
  },
  DAYS * 60_000,
)

function makeModel(): NaiveDays {
  const kept = { storageDays: null, storageMaxBytes: null, archiveDays: null, changedMs: START_MS }
  return new NaiveDays(
    new Map([
      ['days', { ...kept, isArchiving: true, storageDays: 4, archiveDays: 20 }],
      ['size', { ...kept, isArchiving: true, storageMaxBytes: 30_000 }],
      ['plain', { ...kept, isArchiving: false, storageDays: 3 }],
      ['kept', { ...kept, isArchiving: false }],
    ]),
  )
}

/** Lets the jobs do what is due, and compares. */
async function settle(world: World, where: string): Promise<void> {
  const { model, random } = world
  const bytes = await product.bytesOfDays()
  if (random.chance(0.25)) await endAnywhere(world, where)
  await product.retain()
  await product.retain()
  model.retain(product.nowMs, bytes)
  await compareArchives(model, where)
  await compareEvents(world, where)
}

/** In between: nothing that is deleted or never was, nothing twice, and all that must stay. */
async function endAnywhere({ model, random }: World, where: string): Promise<void> {
  const stays = model.visible().filter(({ policy }) => policy === 'kept')
  await product.retain(endPoint(random))
  const seen = await product.messages('*')
  expect(new Set(seen).size, where).toBe(seen.length)
  const possible = new Set(namesOf(model.events.filter(({ isDeleted }) => !isDeleted)))
  expect(
    seen.filter((one) => !possible.has(one)),
    where,
  ).toEqual([])
  const all = new Set(seen)
  expect(
    namesOf(stays).filter((one) => !all.has(one)),
    where,
  ).toEqual([])
}

function endPoint(random: Random): EndPoint {
  return {
    call: random.pick(['write', 'command']),
    when: random.pick(['before', 'after']),
    nth: 1 + random.below(14),
  }
}

async function compareEvents({ model, random }: World, where: string): Promise<void> {
  const visible = model.visible()
  expect(await product.messages('*'), where).toEqual(namesOf(visible))
  const user = `u${random.below(5)}`
  const ofUser = visible.filter((one) => one.user === user)
  expect(await product.messages(`user = ${user}`), where).toEqual(namesOf(ofUser))
  const from = random.below(model.events.length)
  const query = `n >= ${from} and n < ${from + 40}`
  const some = visible.filter(({ n }) => n >= from && n < from + 40)
  expect(await product.count(query), where).toBe(some.length)
  // What was received, and what is there.
  expect(await product.flow('*'), where).toEqual(flowOf(model.events))
  expect(await product.flow(`user = ${user}`), where).toEqual(flowOf(ofUser))
  expect(await product.damage(), where).toEqual([])
}

function flowOf(events: readonly NaiveEvent[]): ReadonlyMap<string, Flow> {
  const sums = new Map<string, Flow>()
  for (const { log, timeMs, bytes } of events) {
    const [year, month, day] = new Date(timeMs).toISOString().slice(0, 10).split('-')
    const key = `${log.split('->').at(-1)} ${month}/${day}/${year} 00:00:00`
    const sum = sums.get(key) ?? { events: 0, bytes: 0 }
    sums.set(key, { events: sum.events + 1, bytes: sum.bytes + bytes })
  }
  return sums
}

/** They get the numbers of the product's. */
async function compareArchives(model: NaiveDays, where: string): Promise<void> {
  const there = (await product.archives()).toSorted((a, b) => a.number - b.number)
  const describe = (one: {
    policy: string
    day: number
    events: number
    hasLeft: boolean
    isThawed: boolean
  }) => `${one.policy} ${one.day} ${one.events} ${one.hasLeft ? 'left' : 'stays'} ${one.isThawed}`
  const toldAll = there.map(({ thaw, ...one }) =>
    describe({ ...one, isThawed: thaw?.state === 'thawed' }),
  )
  const expected = (one: NaiveArchive) =>
    describe({ ...one, events: one.events.length, isThawed: one.thawedUntilMs !== undefined })
  expect(toldAll.toSorted(), where).toEqual(model.archives.map(expected).sort())
  expect(
    there.filter(({ fault, thaw }) => `${fault}${thaw?.fault ?? ''}` !== ''),
    where,
  ).toEqual([])
  for (const one of there) {
    if (model.archives.some(({ number }) => number === one.number)) continue
    const made = model.archives.find(
      ({ number, policy, day, events }) =>
        number === 0 && policy === one.policy && day === one.day && events.length === one.events,
    )
    if (made !== undefined) made.number = one.number
  }
}

function tell({ model, did }: World): string {
  const done = [...did].sort().map(([name, times]) => `${name} ${times}`)
  return [`${model.events.length} events`, `${model.archives.length} archives`, ...done].join(', ')
}
