// An empty database beside events is no first start: it would give numbers of logs again, under
// which events of others lie, and print a new password for them. Refused before anything is made
// (docs/decisions/0023).
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, isFailure } from '../../schemas/failures.ts'
import type { Config } from '../config-schema.ts'
import { checkSound, damaged } from '../database/sqlite-check.ts'
import { type DatabaseLook, lookAtSqlite } from '../database/sqlite-look.ts'

/** Written when the database is: which one the events of this directory belong to. */
const INSTALLATION_FILE = 'installation'
/** Name of the key in the database that is its other half. */
export const INSTALLATION_KEY = 'installation'

type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 'storeUrl' | 'eventLogUrl'>

/** Checks the embedded database before it is opened. Fails with start.refused in one line that says
 *  how to go on. */
export function checkDatabaseIsThere(place: Place): void {
  const { dataDir, databaseUrl } = place
  if (databaseUrl !== undefined) return
  const look = lookOrRefuse(dataDir)
  if (look === 'filled') {
    checkSound(dataDir)
    return
  }
  const filled = findFilled(place)
  if (look !== 'log alone' && filled.length === 0) return
  throw new Failure('start.refused', { reason: describe(place, look, filled) })
}

/** For a database without users, wherever it is; `hasRows`: a store by URL holds events. Fails with
 *  start.refused. */
export function refuseNewDatabase(place: Place, hasRows: boolean): void {
  const filled = [...findFilled(place), ...(hasRows ? ['the store of LOGEYE_STORE_URL'] : [])]
  if (filled.length === 0) return
  const reason = `the database is new, but there are events in ${filled.join(' and ')}: bring the database of these events back, or, if it is lost, run 'logeye adopt-data', after which only administrators see them`
  throw new Failure('start.refused', { reason })
}

/** Fails with start.refused when the database is of another directory. `isAdopting`: it is this
 *  one's from now on. */
export function checkInstallation(
  { dataDir, storeUrl, eventLogUrl }: Place,
  key: Buffer,
  options: { readonly isAdopting?: boolean } = {},
): void {
  // Nothing here belongs to a database.
  if (storeUrl !== undefined && eventLogUrl !== undefined) return
  // The file shows only the first half of the key, which signs nothing.
  const id = key.toString('hex').slice(0, 32)
  const file = join(dataDir, INSTALLATION_FILE)
  const known = existsSync(file) ? readFileSync(file, 'latin1').trim() : undefined
  if (known === id) return
  if (known !== undefined && options.isAdopting !== true) {
    const reason = `the database is not that of the data directory ${dataDir} (its file ${INSTALLATION_FILE} says so): bring the right one back, or run 'logeye adopt-data' to keep this database with these events`
    throw new Failure('start.refused', { reason })
  }
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${id}\n`, { mode: 0o640, flush: true })
  renameSync(draft, file)
}

function lookOrRefuse(dataDir: string): DatabaseLook {
  try {
    return lookAtSqlite(dataDir)
  } catch (error) {
    throw isFailure(error) && error.code === 'database.damaged' ? damaged(dataDir) : error
  }
}

function describe({ dataDir }: Place, look: DatabaseLook, filled: readonly string[]): string {
  const database = join(dataDir, 'logeye.db')
  const what =
    look === 'log alone'
      ? `${database} is missing beside its log logeye.db-wal`
      : `${database} is ${look === 'missing' ? 'missing' : 'empty (its log logeye.db-wal is most likely missing)'} beside ${filled.join(' and ')}`
  return `${what}: bring logeye.db back together with its logeye.db-wal, or, if it is lost, run 'logeye adopt-data', after which only administrators see the old events`
}

/** Embedded engines that a start has had open before; each start makes the database first. */
function findFilled({ dataDir, storeUrl, eventLogUrl }: Place): string[] {
  const filled: string[] = []
  if (storeUrl === undefined && hasFiles(join(dataDir, 'store'))) filled.push('a store')
  if (eventLogUrl === undefined && hasFiles(join(dataDir, 'event-log'))) filled.push('an event log')
  return filled
}

function hasFiles(directory: string): boolean {
  if (!existsSync(directory)) return false
  return readdirSync(directory, { withFileTypes: true }).some((entry) =>
    entry.isDirectory() ? hasFiles(join(directory, entry.name)) : true,
  )
}
