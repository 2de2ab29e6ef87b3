// What can happen to the files of a stopped data directory. Each damage is of one engine's files.
// Left out, because no check can see it: all engines of one older moment together; an older event
// log that ends at or beyond the stored position (here more was stored since); a byte within a
// value of SQLite (here only its headers are hit, which its checks read).
import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { Random } from '../campaign/target.ts'
import { copyDirectory } from './copy-directory.ts'

export type Engine = 'store' | 'event log' | 'database'
export type Operation = 'bytes flipped' | 'cut' | 'emptied' | 'removed' | 'folder removed' | 'older'
export type Damage = { readonly engine: Engine; readonly operation: Operation }
export type Directories = { readonly dataDir: string; readonly older: string }

const MAX_FLIPPED = 16
const SQLITE_PAGE_BYTES = 4096
const SQLITE_FILE_HEADER_BYTES = 100
const SQLITE_PAGE_HEADER_BYTES = 8
const ENGINE_FOLDERS = { store: 'store', 'event log': 'event-log' } as const
const DATABASE = 'logeye.db'
const UUID = /[0-9a-f]{3}\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** As often as there are files to hit and ways to hit them. */
export const DAMAGES: readonly { readonly damage: Damage; readonly weight: number }[] = [
  ...makeDamages('store', ['bytes flipped', 'cut', 'emptied', 'removed'], 4),
  ...makeDamages('store', ['folder removed', 'older'], 3),
  ...makeDamages('event log', ['bytes flipped', 'cut', 'emptied', 'removed', 'older'], 2),
  ...makeDamages('event log', ['folder removed'], 1),
  ...makeDamages('database', ['bytes flipped', 'cut', 'emptied', 'removed', 'older'], 2),
]

/** Does it; what was done, for who reads the table. */
export function strike(damage: Damage, directories: Directories, random: Random): string {
  const { dataDir } = directories
  const { operation } = damage
  if (operation === 'older') return makeOlder(damage.engine, directories, random)
  if (operation === 'folder removed') {
    const folder = pick(foldersOf(join(dataDir, folderOf(damage.engine))), random)
    rmSync(folder, { recursive: true })
    return `${relative(dataDir, folder)} removed`
  }
  const files = filesOf(damage.engine, dataDir)
  const file = pick(operation === 'removed' ? files : files.filter((it) => sizeOf(it) > 0), random)
  return strikeFile(file, operation, relative(dataDir, file), random)
}

function strikeFile(
  file: string,
  operation: Exclude<Operation, 'folder removed' | 'older'>,
  name: string,
  random: Random,
): string {
  switch (operation) {
    case 'bytes flipped':
      return `${flip(file, random)} bytes of ${name} flipped`
    case 'cut': {
      const size = sizeOf(file)
      const left = random(size)
      truncateSync(file, left)
      return `${name} cut from ${size} to ${left} bytes`
    }
    case 'emptied':
      truncateSync(file, 0)
      return `${name} emptied`
    case 'removed':
      rmSync(file)
      return `${name} removed`
  }
}

function makeDamages(engine: Engine, operations: readonly Operation[], weight: number) {
  return operations.map((operation) => ({ damage: { engine, operation }, weight }))
}

function folderOf(engine: Engine): string {
  if (engine === 'database') throw new Error('the database has no folder')
  return ENGINE_FOLDERS[engine]
}

/** The whole engine, or of the store also one table or part that was there then. */
function makeOlder(engine: Engine, { dataDir, older }: Directories, random: Random): string {
  if (engine === 'database') {
    for (const file of filesOf(engine, dataDir)) rmSync(file)
    for (const file of filesOf(engine, older)) cpSync(file, join(dataDir, basename(file)))
    return `${DATABASE} of an older moment`
  }
  const root = folderOf(engine)
  const inside = foldersOf(join(older, root)).map((path) => relative(older, path))
  const name = engine === 'store' && random(2) === 0 ? pick(inside, random) : root
  rmSync(join(dataDir, name), { recursive: true, force: true })
  copyDirectory(join(older, name), join(dataDir, name))
  return `${name} of an older moment`
}

function filesOf(engine: Engine, dataDir: string): string[] {
  if (engine === 'database')
    return [DATABASE, `${DATABASE}-wal`].map((name) => join(dataDir, name)).filter(existsSync)
  const folder = join(dataDir, folderOf(engine))
  return entriesOf(folder).filter((path) => statSync(path).isFile())
}

function foldersOf(folder: string): string[] {
  return [folder, ...entriesOf(folder).filter((path) => statSync(path).isDirectory())]
}

/** In the same order each time, wherever the directory lies: tables are named by the engine's
 *  links, not by its random numbers. */
function entriesOf(folder: string): string[] {
  const tables = tablesBelow(folder)
  const orderOf = (path: string) =>
    path.replace(UUID, (place) => tables.get(basename(place)) ?? 'none')
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
}

function tablesBelow(folder: string): ReadonlyMap<string, string> {
  const links = join(folder, 'data/default')
  const names = existsSync(links) ? readdirSync(links) : []
  return new Map(names.map((name) => [basename(readlinkSync(join(links, name))), name]))
}

function flip(file: string, random: Random): number {
  const isDatabase = basename(file) === DATABASE
  const size = sizeOf(file)
  const count = 1 + random(Math.min(MAX_FLIPPED, size))
  const handle = openSync(file, 'r+')
  try {
    const byte = Buffer.alloc(1)
    const first = isDatabase ? headerAt(size, random) : random(size)
    const end = isDatabase ? first + 1 : Math.min(first + count, size)
    for (let at = first; at < end; at += 1) {
      readSync(handle, byte, 0, 1, at)
      byte[0] = (byte[0] ?? 0) ^ (1 + random(255))
      writeSync(handle, byte, 0, 1, at)
    }
    return end - first
  } finally {
    closeSync(handle)
  }
}

/** A byte of the head of the file or of one of its pages. */
function headerAt(size: number, random: Random): number {
  const page = random(Math.max(1, Math.floor(size / SQLITE_PAGE_BYTES)))
  if (page === 0) return random(Math.min(size, SQLITE_FILE_HEADER_BYTES))
  return page * SQLITE_PAGE_BYTES + random(SQLITE_PAGE_HEADER_BYTES)
}

function sizeOf(file: string): number {
  return statSync(file).size
}

function pick<T>(values: readonly T[], random: Random): T {
  const value = values[random(values.length)]
  if (value === undefined) throw new Error('there is nothing to damage')
  return value
}
