// Directories on other disks that may hold days of the store (docs/decisions/0132). Each is marked,
// and the data directory knows the marks: a disk that is not mounted, or that the setting no longer
// names, is told of before the engine starts without the days that lie there.
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { z } from 'zod'
import { Failure } from '../../../../schemas/failures.ts'
import type { Clock } from '../../../clock.ts'
import { writeFlushed } from './write-flushed.ts'

const SETTING = 'LOGEYE_STORE_DIRECTORIES'
const MARK = 'logeye-store.json'
const KNOWN = 'store-directories.json'
const ID_BYTES = 16
/** What the engine has in the folder of a table beside its parts. */
const NO_PARTS: ReadonlySet<string> = new Set(['detached', 'moving', 'format_version.txt'])

const markSchema = z.strictObject({ id: z.string() })
const knownSchema = z.array(z.strictObject({ path: z.string(), id: z.string() }))

/** By their real paths. Fails with start.refused. */
export function claimDirectories(
  dataDir: string,
  given: readonly string[],
  clock: Pick<Clock, 'randomBytes'>,
): string[] {
  const file = join(dataDir, KNOWN)
  const known = readKnown(dataDir)
  const paths = given.map((path) => requireDirectory(path, dataDir))
  if (new Set(paths).size < paths.length) throw refused('names a directory twice')
  const marks = paths.map((path) => ({ path, id: readMark(path) }))
  for (const { path, id } of known) {
    if (marks.some((mark) => mark.id === id)) continue
    if (readMark(path) !== id)
      throw refused(`days of the store may lie in ${path}, which is not there: is it mounted?`)
    if (holdsParts(path))
      throw refused(`days of the store lie in ${path}, which it must name until they are moved`)
  }
  if (marks.length === 0 && known.length === 0) return []
  const claimed = marks.map(({ path, id }) => {
    if (known.some((one) => one.id === id)) return { path, id: id ?? '' }
    if (id !== undefined) throw refused(`${path} holds days of another store`)
    const made = clock.randomBytes(ID_BYTES).toString('hex')
    writeFlushed(join(path, MARK), JSON.stringify({ id: made }))
    return { path, id: made }
  })
  writeFlushed(`${file}.new`, JSON.stringify(claimed))
  renameSync(`${file}.new`, file)
  return paths
}

/** Paths of the directories on which days may lie. Fails with start.refused. */
export function readDirectories(dataDir: string): readonly string[] {
  return readKnown(dataDir).map(({ path }) => path)
}

function readKnown(dataDir: string): z.infer<typeof knownSchema> {
  const file = join(dataDir, KNOWN)
  return existsSync(file) ? knownSchema.parse(readJson(file)) : []
}

function requireDirectory(given: string, dataDir: string): string {
  if (!isAbsolute(given)) throw refused(`${given} is no whole path, from the root of the machine`)
  if (statSync(given, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw refused(`${given} is no directory: is its disk mounted?`)
  const path = realpathSync(given)
  // They stand in the configuration of the engine.
  if (/[<>&'"\n]/.test(path)) throw refused(`${given} has characters that the engine cannot take`)
  const isInside = (outer: string, inner: string) => {
    const way = relative(outer, inner)
    return way === '' || !(way.startsWith('..') || isAbsolute(way))
  }
  if (isInside(dataDir, path) || isInside(path, dataDir))
    throw refused(`${given} and the data directory lie in each other`)
  return path
}

function readMark(path: string): string | undefined {
  const file = join(path, MARK)
  return existsSync(file) ? markSchema.parse(readJson(file)).id : undefined
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw refused(`${file} cannot be read`, error)
  }
}

function holdsParts(path: string): boolean {
  const tables = list(join(path, 'store')).flatMap(list)
  return tables.flatMap(list).some((part) => !NO_PARTS.has(part.slice(part.lastIndexOf('/') + 1)))
}

function list(path: string): string[] {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return readdirSync(path).map((name) => join(path, name))
}

function refused(reason: string, cause?: unknown): Failure {
  return new Failure('start.refused', { reason: `${SETTING}: ${reason}` }, cause)
}
