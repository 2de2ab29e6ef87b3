// The files that a path pattern names now, and what cannot be looked into.
import type { BigIntStats, Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PathPattern } from './path-pattern.ts'

export type FoundFile = {
  readonly path: string
  /** `<device>:<inode>`: stays when it gets another name. */
  readonly place: string
  readonly size: number
  readonly changedMs: number
}

export type Found = {
  /** The longest unchanged first. */
  readonly files: readonly FoundFile[]
  /** For operators: what cannot be read, and why. */
  readonly faults: readonly string[]
}

export const MAX_FILES = 200_000
const MAX_DEPTH = 100

export async function findFiles(patterns: readonly PathPattern[]): Promise<Found> {
  const search = new Search()
  for (const { root, levels } of patterns) await search.look(root, levels, 0)
  const files = [...search.files.values()]
  files.sort(byAge)
  return { files, faults: search.faults }
}

class Search {
  readonly files = new Map<string, FoundFile>()
  readonly faults: string[] = []

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

  async #step(path: string, entry: Dirent, rest: PathPattern['levels'], depth: number) {
    if (rest.length > 0) {
      if (entry.isDirectory() || entry.isSymbolicLink()) await this.look(path, rest, depth + 1)
    } else if (!entry.isDirectory()) await this.#take(path)
  }

  /** Without wildcards: a file, or all files of a directory. */
  async #takePath(path: string): Promise<void> {
    const stats = await this.#stat(path)
    if (stats?.isDirectory() !== true)
      return stats === undefined ? undefined : this.#add(path, stats)
    for (const entry of await this.#list(path))
      if (!entry.isDirectory()) await this.#take(join(path, entry.name))
  }

  async #take(path: string): Promise<void> {
    const stats = await this.#stat(path)
    if (stats !== undefined) this.#add(path, stats)
  }

  #add(path: string, stats: BigIntStats): void {
    if (!stats.isFile() || this.files.size >= MAX_FILES) return
    const place = placeOf(stats)
    if (this.files.has(place)) return
    const changedMs = Number(stats.mtimeMs)
    this.files.set(place, { path, place, size: Number(stats.size), changedMs })
  }

  async #stat(path: string): Promise<BigIntStats | undefined> {
    try {
      return await stat(path, { bigint: true })
    } catch (error) {
      this.#note(path, error)
      return undefined
    }
  }

  async #list(path: string): Promise<Dirent[]> {
    try {
      return await readdir(path, { withFileTypes: true })
    } catch (error) {
      this.#note(path, error)
      return []
    }
  }

  /** What is not there may still come. */
  #note(path: string, error: unknown): void {
    const code = codeOf(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && this.faults.length < 10)
      this.faults.push(describeFault(path, error))
  }
}

/** Another name in the directory. */
export async function findPlace(directory: string, place: string): Promise<string | undefined> {
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue
    const path = join(directory, entry.name)
    const stats = await stat(path, { bigint: true }).catch(() => undefined)
    if (stats !== undefined && placeOf(stats) === place) return path
  }
  return undefined
}

/** Of the same moment a rotated one, which has the longer name, is the older. */
function byAge(a: FoundFile, b: FoundFile): number {
  const byTime = a.changedMs - b.changedMs
  return byTime || b.path.length - a.path.length || (a.path < b.path ? -1 : 1)
}

export function placeOf(stats: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${stats.dev}:${stats.ino}`
}

export function describeFault(path: string, error: unknown): string {
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
