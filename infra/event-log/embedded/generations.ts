// LMDB's file never shrinks. So a partition that holds little in a large file goes on in another
// one: the environment is sealed, which refuses every further change in the very transactions of
// all processes, and its successor, a copy of what is left, is published by one rename. Rules that
// make any kill, and any pause, harmless (decision 0022):
//   - The highest published number is in use. It is published only when the one before is sealed.
//   - A process that has opened one looks again: a higher one wins. A sealed one without a
//     successor gets it from the process that meets it first.
//   - Lower ones are removed only after the publication, which is on disk before anybody uses it.
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../../schemas/failures.ts'
import type { Clock } from '../../clock.ts'
import { ALL_BLOCKS, Environment, type Key } from './environment.ts'
import { FIRST_STATE } from './records.ts'

const MAX_TRIES = 100

export type PartitionPlace = {
  readonly directory: string
  readonly partition: number
  readonly maxBytes: number
  readonly clock: Pick<Clock, 'randomBytes'>
}

/** The one in use, of number `least` or higher; makes the first one if there is none. Fails with
 *  event_log.gone. */
export async function openCurrent(place: PartitionPlace, least = 0): Promise<Environment> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const number = await highestGeneration(place)
    if ((number ?? 0) < least) throw new Failure('event_log.gone', { path: pathOf(place, least) })
    if (number === undefined) {
      await publishFirst(place)
      continue
    }
    const environment = await openUnlessLower(place, number)
    if (environment === undefined) continue
    let isCurrent = false
    try {
      const isLast = (await highestGeneration(place)) === number
      isCurrent = isLast && !environment.state.isSealed
      if (isCurrent) await syncDirectory(place.directory)
      else if (isLast) await publishSuccessor(place, environment, number)
    } catch (error) {
      isCurrent = false
      throw error
    } finally {
      if (!isCurrent) await environment.retire()
    }
    if (isCurrent) return environment
  }
  throw new Failure('event_log.unavailable')
}

/** Undefined when another became the one in use meanwhile, and this one is gone. */
async function openUnlessLower(
  place: PartitionPlace,
  number: number,
): Promise<Environment | undefined> {
  try {
    return new Environment(pathOf(place, number), place.maxBytes)
  } catch (error) {
    if ((await highestGeneration(place)) === number) throw error
    return undefined
  }
}

/** Resolves with false when there is more in it than `maxLiveBytes`, or it is sealed already. */
export async function sealEnvironment(
  environment: Environment,
  maxLiveBytes: number,
): Promise<boolean> {
  return await environment.write(() => {
    const { state } = environment
    if (state.isSealed || state.bytes > maxLiveBytes) return false
    environment.putState({ ...state, isSealed: true })
    return true
  })
}

/** Publishes the successor of a sealed environment. Any number of processes may do it at once, and
 *  again: the first rename counts. */
export async function publishSuccessor(
  place: PartitionPlace,
  sealed: Environment,
  number: number,
): Promise<void> {
  await publish(place, await draftSuccessor(place, sealed, number + 1), number + 1)
}

/** All that a sealed one holds, under a name that nobody opens. Resolves with its path. */
export async function draftSuccessor(
  place: PartitionPlace,
  sealed: Environment,
  number: number,
): Promise<string> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    // A copy of one that still changes would be a second truth.
    if (!(await sealed.write(() => sealed.state.isSealed)))
      throw new Error('a partition goes on before it is sealed')
    let isWhole = false
    const draft = await draftOf(place, number, (successor) => {
      sealed.refresh()
      // The seal is the last commit: who does not see it does not see all (last-commit.ts).
      isWhole = sealed.state.isSealed
      if (!isWhole) return
      for (const key of sealed.database.getKeys(ALL_BLOCKS)) copy(sealed, successor, key)
      copy(sealed, successor, 'position')
      successor.putState({ ...sealed.state, isSealed: false })
    })
    if (isWhole) return draft
    await rm(draft, { recursive: true, force: true })
  }
  throw new Failure('event_log.unavailable')
}

/** The generations before the one in use, which nothing needs any more. */
export async function removeOlder(place: PartitionPlace): Promise<void> {
  const numbers = await generationsOf(place)
  // Who opens one meanwhile makes files in it.
  for (const number of numbers.slice(0, -1))
    await rm(pathOf(place, number), { recursive: true, force: true, maxRetries: 3 })
}

/** An empty one whose offsets begin at `first`, and all that were there set aside, whatever they
 *  are: their new paths. Only while no other process has the log open. */
export async function beginAnew(place: PartitionPlace, first: number): Promise<string[]> {
  const numbers = await generationsOf(place)
  const number = (numbers.at(-1) ?? -1) + 1
  const draft = await draftOf(place, number, (fresh) => {
    fresh.putState({ ...FIRST_STATE, end: first })
    fresh.putPosition({ next: first, metadata: '' })
  })
  await publish(place, draft, number)
  const aside: string[] = []
  for (const older of numbers) {
    const path = join(place.directory, `aside-${place.partition}-${older}-before-${first}`)
    await rename(pathOf(place, older), path)
    aside.push(path)
  }
  return aside
}

/** Only while no other process has the log open: those of processes that were killed. */
export async function removeDrafts({ directory, partition }: PartitionPlace): Promise<void> {
  const isDraft = new RegExp(`^partition-${partition}-(?:\\d+-)?new`)
  for (const name of await readdir(directory)) {
    if (isDraft.test(name)) await rm(join(directory, name), { recursive: true, force: true })
  }
}

export async function generationsOf({ directory, partition }: PartitionPlace): Promise<number[]> {
  const pattern = new RegExp(`^partition-${partition}(?:-([1-9]\\d{0,9}))?$`)
  const numbers: number[] = []
  for (const name of await readdir(directory)) {
    const match = pattern.exec(name)
    if (match !== null) numbers.push(Number(match[1] ?? 0))
  }
  return numbers.sort((one, other) => one - other)
}

/** Number 0 has the name that a partition had before it could have several. */
export function pathOf(
  { directory, partition }: Pick<PartitionPlace, 'directory' | 'partition'>,
  number: number,
): string {
  return join(
    directory,
    number === 0 ? `partition-${partition}` : `partition-${partition}-${number}`,
  )
}

/** True when the generation has a successor: it was sealed then, whatever a look at it says. */
export async function hasSuccessor(place: PartitionPlace, number: number): Promise<boolean> {
  return ((await highestGeneration(place)) ?? 0) > number
}

export function numberOf(place: PartitionPlace, environment: Environment): number {
  const prefix = pathOf(place, 0)
  return environment.path === prefix ? 0 : Number(environment.path.slice(prefix.length + 1))
}

async function highestGeneration(place: PartitionPlace): Promise<number | undefined> {
  return (await generationsOf(place)).at(-1)
}

async function publishFirst(place: PartitionPlace): Promise<void> {
  const draft = await draftOf(place, 0, (first) => first.putState(FIRST_STATE))
  await publish(place, draft, 0)
}

/** Whole and on disk, under a name that nobody opens. */
async function draftOf(
  place: PartitionPlace,
  number: number,
  fill: (draft: Environment) => void,
): Promise<string> {
  const unique = place.clock.randomBytes(8).toString('hex')
  const path = join(place.directory, `partition-${place.partition}-${number}-new-${unique}`)
  await mkdir(path, { recursive: true })
  try {
    const draft = new Environment(path, place.maxBytes)
    await draft.write(() => fill(draft)).finally(() => draft.retire())
    await syncDirectory(path)
  } catch (error) {
    // Every append comes here again while the disk is full.
    await rm(path, { recursive: true, force: true })
    throw error
  }
  return path
}

async function publish(place: PartitionPlace, draft: string, number: number): Promise<void> {
  try {
    await rename(draft, pathOf(place, number))
    await syncDirectory(place.directory)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  }
}

function copy(from: Environment, to: Environment, key: Key): void {
  const value = from.database.get(key)
  if (value !== undefined) void to.database.put(key, value)
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
