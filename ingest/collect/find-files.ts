// The files that a path pattern names now, and what cannot be looked into.
import type { BigIntStats } from 'node:fs'
import { join } from 'node:path'
import { RemoteFault } from '../../infra/outbound/remote-fault.ts'
import { PackedFault } from './packing.ts'
import { NamePattern, type PathPattern } from './path-pattern.ts'
import type { FileSeen, FileTree, Found, FoundFile, ListedEntry } from './sources/file-source.ts'

const PACKED = /\.(?:gz|zst|bz2|xz)$/
/** At the end of a rotated one's name: how many there are that are newer. */
const COUNTED = /\.\d{1,3}(?:\.[a-z]\w*)?$/

type Aged = Pick<FoundFile, 'path' | 'changedMs'>

export const MAX_FILES = 200_000
const MAX_DEPTH = 100
const LOOKS_AT_ONCE = 64
/** At a directory in which names come and go all the time. */
const MOST_LOOKS = 5

/** Fails with RemoteFault. */
export async function findFiles(patterns: readonly PathPattern[], tree: FileTree): Promise<Found> {
  const search = new Search(tree)
  for (const { root, levels } of patterns) await search.look(root, levels, 0)
  const files = [...search.files.values()]
  files.sort(byAge)
  return { files, faults: search.faults }
}

class Search {
  readonly files = new Map<string, FoundFile>()
  readonly faults: string[] = []
  readonly #tree: FileTree

  constructor(tree: FileTree) {
    this.#tree = tree
  }

  async look(path: string, levels: PathPattern['levels'], depth: number): Promise<void> {
    const [level, ...rest] = levels
    if (level === undefined) return await this.#takePath(path)
    if (depth > MAX_DEPTH) return
    const [name, ...below] = level === '**' ? rest : levels
    const isNamed = (entry: ListedEntry) => name instanceof NamePattern && name.test(entry.name)
    const isTaken = (entry: ListedEntry) => below.length === 0 && isNamed(entry)
    for (const entry of await this.#takeOf(path, isTaken)) {
      const there = join(path, entry.name)
      const isFolder = entry.isDirectory()
      if (level === '**' && isFolder) await this.look(there, levels, depth + 1)
      if (below.length > 0 && isNamed(entry) && (isFolder || entry.isSymbolicLink()))
        await this.look(there, below, depth + 1)
    }
  }

  /** Without wildcards: a file, or all files of a directory. */
  async #takePath(path: string): Promise<void> {
    const stats = await this.#stat(path)
    if (stats?.isDirectory === true) await this.#takeOf(path, () => true)
    else if (stats !== undefined) this.#add(path, stats)
  }

  /** Those files of one directory, and all that is in it. Between the list of its names and a look
   *  at each a file may get another name and be missed, while what is newer is found: then all are
   *  looked at again. */
  async #takeOf(directory: string, isTaken: (entry: ListedEntry) => boolean) {
    for (let looks = 1; ; looks += 1) {
      const before = await this.#stamp(directory)
      const entries = await this.#list(directory)
      const taken = entries.filter((entry) => !entry.isDirectory() && isTaken(entry))
      const seen = await this.#lookAt(directory, taken)
      if (looks < MOST_LOOKS && before !== (await this.#stamp(directory))) continue
      for (const [path, stats] of seen) this.#add(path, stats)
      return entries
    }
  }

  /** In their order; several at once, since each is a way to a thread or another machine. */
  async #lookAt(directory: string, entries: readonly ListedEntry[]) {
    const seen: [path: string, stats: FileSeen][] = []
    for (let at = 0; at < entries.length; at += LOOKS_AT_ONCE) {
      const some = entries.slice(at, at + LOOKS_AT_ONCE).map(async (entry) => {
        const path = join(directory, entry.name)
        return [path, entry.seen ?? (await this.#stat(path))] as const
      })
      for (const [path, stats] of await Promise.all(some))
        if (stats !== undefined) seen.push([path, stats])
    }
    return seen
  }

  /** Of what cannot be looked into, `#list` says why. */
  async #stamp(directory: string): Promise<string | undefined> {
    return await this.#tree.stamp?.(directory).catch(() => undefined)
  }

  #add(path: string, { isFile, place, size, changedMs }: FileSeen): void {
    if (!isFile || this.files.size >= MAX_FILES) return
    if (this.files.has(place)) return
    this.files.set(place, { path, place, size, changedMs })
  }

  async #stat(path: string): Promise<FileSeen | undefined> {
    try {
      return await this.#tree.stat(path)
    } catch (error) {
      this.#note(path, error)
      return undefined
    }
  }

  async #list(path: string): Promise<readonly ListedEntry[]> {
    try {
      return await this.#tree.list(path)
    } catch (error) {
      this.#note(path, error)
      return []
    }
  }

  /** What is not there may still come. */
  #note(path: string, error: unknown): void {
    if (error instanceof RemoteFault) throw error
    const code = codeOf(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && this.faults.length < 10)
      this.faults.push(describeFault(path, error))
  }
}

/** Of the same moment a rotated one, which has the longer name, is the older, and of `app.log.1`
 *  and `app.log.2` the second; dates in names go up. Whether one is packed says nothing. */
export function byAge(a: Aged, b: Aged): number {
  return a.changedMs - b.changedMs || byNames(a.path, b.path)
}

function byNames(a: string, b: string): number {
  const [one, other] = [a.replace(PACKED, ''), b.replace(PACKED, '')]
  if (one === other) return nameLength(b) - nameLength(a)
  const byName = one < other ? -1 : 1
  const isCounted = COUNTED.test(one) && COUNTED.test(other)
  return nameLength(other) - nameLength(one) || (isCounted ? -byName : byName)
}

/** Whether a file came or was cut off between two looks. */
export function haveMoved(before: readonly FoundFile[], after: readonly FoundFile[]): boolean {
  const sizes = new Map(before.map(({ place, size }) => [place, size]))
  return after.some(({ place, size }) => size < (sizes.get(place) ?? Number.POSITIVE_INFINITY))
}

/** Without its directory: a file may be found by several, through links. */
function nameLength(path: string): number {
  return path.length - path.lastIndexOf('/')
}

export function placeOf(stats: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${stats.dev}:${stats.ino}`
}

export function describeFault(path: string, error: unknown): string {
  if (error instanceof RemoteFault) return error.message
  if (error instanceof PackedFault) return `${path}: ${error.message}`
  const code = codeOf(error)
  if (code === 'EACCES' || code === 'EPERM')
    return `${path}: may not be read: give the user of the product the right to read it`
  if (code === 'ENOENT') return `${path}: is not there`
  return `${path}: ${code === '' ? 'cannot be read' : code}`
}

/** Its name is gone, or another file has it. */
export function isGone(error: unknown): boolean {
  return codeOf(error) === 'ENOENT'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
