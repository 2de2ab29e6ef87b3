// Looks at the files of a partition before anything opens them, and then at what they say of each
// other. Without this, damaged numbers would crash LMDB, an older commit could be taken for the
// last one, and a missing or empty file would begin again at offset 0.
import { type Dirent, lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../../schemas/failures.ts'
import type { Clock } from '../../clock.ts'
import { checkPages } from './check-pages.ts'
import { ALL_BLOCKS, type Environment } from './environment.ts'
import {
  generationsOf,
  openCurrent,
  type PartitionPlace,
  pathOf,
  removeDrafts,
  removeOlder,
} from './generations.ts'
import { DATA_FILE, LOCK_FILE } from './last-commit.ts'
import { FileDamage } from './page-file.ts'

/** A log of any size must not hold up a start: what is not checked by then is left out. */
const PAGES_LIMIT_MS = 1500

type CheckedPlace = PartitionPlace & {
  readonly clock: Pick<Clock, 'elapsedMs'>
  /** An earlier start made the log: if it is missing now, that is damage. */
  readonly hasBegun: boolean
}

/** Only while no process has the log open. Fails with event_log.damaged, which says what to do. */
export async function checkEmbeddedFiles(place: CheckedPlace): Promise<void> {
  await removeDrafts(place)
  const last = (await generationsOf(place)).at(-1)
  if (last === undefined) {
    if (place.hasBegun) throw damaged(pathOf(place, 0), 'it is missing')
    return
  }
  const path = pathOf(place, last)
  await checkKinds(path)
  try {
    checkPages(join(path, DATA_FILE), { clock: place.clock, limitMs: PAGES_LIMIT_MS })
  } catch (error) {
    if (error instanceof FileDamage) throw damaged(join(path, DATA_FILE), error.message)
    throw damaged(join(path, DATA_FILE), 'it cannot be read', error)
  }
  const environment = await openCurrent(place)
  try {
    checkRecords(environment)
  } finally {
    await environment.retire()
  }
  await removeOlder(place)
}

/** LMDB opens the target of a link but locks by the link's own name: two products could share a log
 *  without noticing. */
async function checkKinds(path: string): Promise<void> {
  let entries: Dirent[]
  try {
    entries = await readdir(path, { withFileTypes: true })
  } catch (error) {
    throw damaged(path, 'it is not a readable directory', error)
  }
  for (const name of [DATA_FILE, LOCK_FILE]) {
    const entry = entries.find((it) => it.name === name)
    if (entry === undefined && name === DATA_FILE) throw damaged(join(path, name), 'it is missing')
    if (entry === undefined || entry.isFile()) continue
    const kind = entry.isSymbolicLink() ? 'a link' : 'no file'
    throw damaged(join(path, name), `it is ${kind}: copy the files themselves`)
  }
  if (lstatSync(join(path, DATA_FILE)).size === 0)
    throw damaged(join(path, DATA_FILE), 'it is empty')
}

/** Offsets of a partition have no gaps: a block more or less than the records say is damage. */
function checkRecords(environment: Environment): void {
  const { database, path } = environment
  const { end } = environment.state
  const { next } = environment.position
  const file = join(path, DATA_FILE)
  if (next > end) throw damaged(file, `it ends at ${end}, before its position ${next}`)
  const [first] = database.getKeys({ ...ALL_BLOCKS, limit: 1 })
  const [last] = database.getKeys({ start: Number.MAX_SAFE_INTEGER, reverse: true, limit: 1 })
  const records = [database.get('state'), database.get('position')].filter((it) => it !== undefined)
  const blocks = entriesOf(database.getStats()) - records.length
  const isWhole =
    end === next ? blocks === 0 : first === next && last === end - 1 && blocks === end - next
  if (!isWhole) throw damaged(file, `it holds ${blocks} blocks, not all from ${next} to ${end}`)
}

function entriesOf(stats: unknown): number {
  if (typeof stats !== 'object' || stats === null || !('entryCount' in stats)) return Number.NaN
  return Number(stats.entryCount)
}

function damaged(file: string, what: string, cause?: unknown): Failure {
  const advice =
    "Bring back a copy of the whole data directory, or give up what is in it and not yet stored: 'logeye adopt-event-log'"
  const reason = `${file}: ${what}. ${advice}`
  return new Failure('event_log.damaged', { reason }, cause)
}
