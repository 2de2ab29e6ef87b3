// What people do on a day, at random, to the product by its commands and to the naive model: what
// one refuses the other must refuse, too.
import type { Random } from '../reference/random/random.ts'
import { type DayProduct, LOGS_OF_POLICY, POLICY_NAMES, ROOT } from './day-product.ts'
import { DAY_MS, type NaiveDays, type NaiveEvent, type NaiveHold } from './naive-days.ts'

const HOUR_MS = 3_600_000
const USERS = 5
const MAX_HOLDS = 3

export type World = {
  readonly product: DayProduct
  readonly model: NaiveDays
  readonly random: Random
  /** How often each was done, and how often refused. */
  readonly did: Map<string, number>
}

export const pathOf = (policy: string, log: string) => [ROOT, policy, `${policy}-${log}`].join('->')

/** A few events of each log, received at `receivedMs`; most of their times are just before. */
export async function sendDay(world: World, receivedMs: number, policies = POLICY_NAMES) {
  const { product, model, random } = world
  for (const policy of policies) {
    const sent: Parameters<DayProduct['send']>[1][number][] = []
    for (const log of LOGS_OF_POLICY)
      for (let at = random.below(4); at >= 0; at -= 1) {
        const n = model.events.length
        const user = `u${random.below(USERS)}`
        const timeMs = timeOf(random, receivedMs)
        const message = `event ${n} of ${user} ü ${'x'.repeat(random.below(60))}`
        const name = `${policy}-${log}`
        const time = new Date(timeMs).toISOString()
        const event = { message, folder: policy, log: name, user, n, time }
        sent.push(event)
        model.events.push({
          ...{ name: message, n, user, log: pathOf(policy, log), policy, timeMs },
          ...{
            day: Math.floor(receivedMs / DAY_MS),
            bytes: Buffer.byteLength(JSON.stringify(event)),
          },
          ...{ isStored: true, isDeleted: false },
        })
      }
    await product.send(policy, sent, receivedMs)
  }
}

/** Never within the first hour of a day: a hold that ends there is kept by quarters of an hour. */
function timeOf(random: Random, receivedMs: number): number {
  const daysBefore = random.chance(0.2) ? random.below(3) : 0
  const day = Math.floor(receivedMs / DAY_MS) - daysBefore
  return day * DAY_MS + HOUR_MS + random.below(10 * HOUR_MS)
}

type Deed = (world: World) => Promise<string>

const DEEDS: readonly (readonly [weight: number, deed: Deed])[] = [
  [3, deleteSome],
  [3, thaw],
  [2, addHold],
  [2, removeHold],
  [2, changeLimits],
  [1, archiveDay],
  [1, removeArchive],
  [1, verifyArchive],
  [1, kill9],
]

export async function doSomething(world: World): Promise<void> {
  const { random, did } = world
  const all = DEEDS.flatMap(([weight, deed]) => Array.from({ length: weight }, () => deed))
  const name = await random.pick(all)(world)
  did.set(name, (did.get(name) ?? 0) + 1)
}

/** Fails when the product and the model do not agree. */
async function command(
  { product }: World,
  name: string,
  given: Readonly<Record<string, string>>,
  isAllowed: boolean,
): Promise<unknown> {
  const { success, errorMessage, response } = await product.sdk(name, given)
  if (success !== isAllowed)
    throw new Error(
      `${name} ${JSON.stringify(given)}: ${success ? 'was done' : errorMessage}, and the model says ${isAllowed ? 'yes' : 'no'}`,
    )
  return response
}

const told = (name: string, isAllowed: boolean) => (isAllowed ? name : `${name} refused`)
const moment = (ms: number) => new Date(ms).toISOString()

async function deleteSome(world: World): Promise<string> {
  const { model, random, product } = world
  const log = pathOf(random.pick(POLICY_NAMES), random.pick(LOGS_OF_POLICY))
  const user = random.chance(0.7) ? `u${random.below(USERS)}` : undefined
  const today = Math.floor(product.nowMs / DAY_MS)
  const isTimed = user === undefined || random.chance(0.5)
  const fromMs = isTimed ? (today - random.below(15)) * DAY_MS : undefined
  const toMs = fromMs === undefined ? undefined : fromMs + (1 + random.below(3)) * DAY_MS
  const isAllowed = model.delete({ log, user, fromMs, toMs })
  const given = {
    log,
    ...(user === undefined ? {} : { query: `user = ${user}` }),
    ...(fromMs === undefined || toMs === undefined
      ? {}
      : { startTime: moment(fromMs), endTime: moment(toMs) }),
  }
  await command(world, 'deleteData', given, isAllowed)
  return told('deletion', isAllowed)
}

async function thaw(world: World): Promise<string> {
  const { model, random, product } = world
  const archives = model.archives
  if (archives.length === 0) return 'no archive'
  const archive = random.pick(archives)
  const untilMs = product.nowMs + (random.below(9) - 2) * (DAY_MS / 2)
  const isAllowed = archive.hasLeft && !archive.isEnding
  if (isAllowed) archive.thawedUntilMs = untilMs
  const given = { archive: String(archive.number), until: moment(untilMs) }
  await command(world, 'thaw', given, isAllowed)
  return told('thaw', isAllowed)
}

async function addHold(world: World): Promise<string> {
  const { model, random, product } = world
  if (model.holds.length >= MAX_HOLDS) return await removeHold(world)
  const policy = random.pick(POLICY_NAMES)
  const [kind, name] = random.pick([
    ['log', pathOf(policy, random.pick(LOGS_OF_POLICY))],
    ['folder', `${ROOT}->${policy}`],
    ['policy', policy],
  ] as const)
  const today = Math.floor(product.nowMs / DAY_MS)
  const fromMs = random.chance(0.7) ? (today - random.below(12)) * DAY_MS : undefined
  const lengthMs = (1 + random.below(4)) * DAY_MS
  const toMs = fromMs !== undefined && random.chance(0.8) ? fromMs + lengthMs : undefined
  const response = await command(
    world,
    'addHold',
    {
      ...{ [kind]: name, reason: 'a case' },
      ...(fromMs === undefined ? {} : { from: moment(fromMs) }),
      ...(toMs === undefined ? {} : { to: moment(toMs) }),
    },
    true,
  )
  const { number } = response as { number: number }
  const hold: NaiveHold = { number, [kind]: name, fromMs, toMs }
  model.holds.push(hold)
  return 'hold'
}

async function removeHold(world: World): Promise<string> {
  const { model, random } = world
  if (model.holds.length === 0) return 'no hold'
  const hold = random.pick(model.holds)
  await command(world, 'removeHold', { number: String(hold.number) }, true)
  model.holds = model.holds.filter((one) => one !== hold)
  return 'hold removed'
}

async function changeLimits(world: World): Promise<string> {
  const { model, random, product } = world
  const name = random.pick(['days', 'size', 'plain'] as const)
  const policy = model.policies.get(name)
  if (policy === undefined) throw new Error('a policy of the model')
  if (name !== 'size') policy.storageDays = random.chance(0.9) ? 1 + random.below(9) : null
  if (name === 'days') policy.archiveDays = random.chance(0.8) ? 8 + random.below(20) : null
  if (name === 'size') policy.storageMaxBytes = 15_000 + random.below(60_000)
  policy.changedMs = product.nowMs
  await giveLimits(world, name)
  return 'limits changed'
}

/** Those of the model. */
export async function giveLimits(world: World, name: string): Promise<void> {
  const { model, product } = world
  const policy = model.policies.get(name)
  const print = (limit: number | null | undefined) => (limit == null ? '' : String(limit))
  const given = {
    ...{ name, update: 'true', storageDays: print(policy?.storageDays) },
    storageMaxBytes: print(policy?.storageMaxBytes),
    ...(policy?.isArchiving === true
      ? { archiveDirectory: product.folder, archiveDays: print(policy.archiveDays) }
      : {}),
  }
  await command(world, 'addCollectionPolicy', given, true)
}

async function archiveDay(world: World): Promise<string> {
  const { model, random, product } = world
  const policy = random.pick(['days', 'size'] as const)
  const today = Math.floor(product.nowMs / DAY_MS)
  const over = model.storedDays(policy).filter((one) => one < today)
  if (over.length === 0) return 'no day'
  const day = random.pick(over)
  const isAllowed = model.policies.get(policy)?.isArchiving === true
  if (isAllowed) model.archive(policy, day)
  const given = { policy, day: moment(day * DAY_MS).slice(0, 10) }
  await command(world, 'archive', given, isAllowed)
  return told('archive', isAllowed)
}

async function removeArchive(world: World): Promise<string> {
  const { model, random } = world
  if (model.archives.length === 0) return 'no archive'
  const archive = random.pick(model.archives)
  const isAllowed = archive.thawedUntilMs === undefined && !model.isHeldArchive(archive)
  if (isAllowed) archive.isEnding = true
  await command(world, 'removeArchive', { archive: String(archive.number) }, isAllowed)
  return told('archive removed', isAllowed)
}

async function verifyArchive(world: World): Promise<string> {
  const { model, random } = world
  const whole = model.archives.filter(({ isEnding }) => !isEnding)
  if (whole.length === 0) return 'no archive'
  await command(world, 'verifyArchive', { archive: String(random.pick(whole).number) }, true)
  return 'archive verified'
}

async function kill9({ product }: World): Promise<string> {
  await product.kill9()
  return 'kill -9'
}

/** By their names, in order. */
export const namesOf = (events: readonly NaiveEvent[]) => events.map(({ name }) => name).sort()
