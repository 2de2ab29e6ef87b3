// The files that a path pattern names now, and what cannot be looked into.
import type { BigIntStats } from 'node:fs'
import { join } from 'node:path'
import { RemoteFault } from '../../infra/outbound/remote-fault.ts'
import type { PathPattern } from './path-pattern.ts'
import type { FileSeen, FileTree, ListedEntry } from './sources/file-source.ts'

export type FoundFile = {
  readonly path: string
  /** Of this machine `<device>:<inode>`: stays when it gets another name. */
  readonly place: string
  readonly size: number
  readonly changedMs: number
}

type Aged = Pick<FoundFile, 'path' | 'changedMs'>

export type Found = {
  /** The longest unchanged first. */
  readonly files: readonly FoundFile[]
  /** For operators: what cannot be read, and why. */
  readonly faults: readonly string[]
}

export const MAX_FILES = 200_000
const MAX_DEPTH = 100

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
    for (const entry of await this.#list(path)) {
      const below = join(path, entry.name)
      if (level === '**') {
        if (entry.isDirectory()) await this.look(below, levels, depth + 1)
        if (rest[0] instanceof RegExp && rest[0].test(entry.name))
          await this.#step(below, entry, rest.slice(1), depth)
      } else if (level.test(entry.name)) await this.#step(below, entry, rest, depth)
    }
  }

  async #step(path: string, entry: ListedEntry, rest: PathPattern['levels'], depth: number) {
    if (rest.length > 0) {
      if (entry.isDirectory() || entry.isSymbolicLink()) await this.look(path, rest, depth + 1)
    } else if (!entry.isDirectory()) await this.#take(path, entry)
  }

  /** Without wildcards: a file, or all files of a directory. */
  async #takePath(path: string): Promise<void> {
    const stats = await this.#stat(path)
    if (stats?.isDirectory !== true) return stats === undefined ? undefined : this.#add(path, stats)
    for (const entry of await this.#list(path))
      if (!entry.isDirectory()) await this.#take(join(path, entry.name), entry)
  }

  async #take(path: string, entry: ListedEntry): Promise<void> {
    const stats = entry.seen ?? (await this.#stat(path))
    if (stats !== undefined) this.#add(path, stats)
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

/** Of the same moment a rotated one, which has the longer name, is the older. */
export function byAge(a: Aged, b: Aged): number {
  const byTime = a.changedMs - b.changedMs
  const byName = a.path === b.path ? 0 : a.path < b.path ? -1 : 1
  return byTime || b.path.length - a.path.length || byName
}

export function placeOf(stats: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${stats.dev}:${stats.ino}`
}

export function describeFault(path: string, error: unknown): string {
  if (error instanceof RemoteFault) return error.message
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
