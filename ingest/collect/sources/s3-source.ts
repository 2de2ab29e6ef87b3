// Objects of a bucket as files. An object is never changed: one with another etag is another object
// under the same key, which goes on with what was read where it begins with it. Keys that are
// listed late are met late, whatever their order: what was read is known object by object.

import type { S3Files, S3Object } from '../../../infra/outbound/s3-files.ts'
import { trimEnd } from '../../../schemas/names/trim-end.ts'
import { byAge, MAX_FILES } from '../find-files.ts'
import type { PathPattern } from '../path-pattern.ts'
import type { FileSeen, FileSource, FoundFile, ListedEntry, OpenFile } from './file-source.ts'

/** A call for a thousand objects: storages take money for it. */
const LOOK_EVERY_MS = 10_000
/** Of one call; what is read next comes from memory. */
const CHUNK_BYTES = 4 * 1024 * 1024

export function s3Source(files: S3Files): FileSource {
  return {
    lookEveryMs: LOOK_EVERY_MS,
    identity: 'content',
    list: (directory) => listDirectory(files, directory),
    stat: async (path) => seenOf(await files.head(keyOf(path))),
    find: async (patterns) => {
      const found = new Map<string, FoundFile>()
      for (const pattern of patterns)
        for (const object of await files.list(keyOf(pattern.root))) {
          if (found.size >= MAX_FILES || !isReadable(object) || !isTaken(object.key, pattern))
            continue
          const { place, size, changedMs } = seenOf(object)
          found.set(place, { path: `/${object.key}`, place, size, changedMs })
        }
      return { files: [...found.values()].sort(byAge), faults: [] }
    },
    open: async (path) => new OpenObject(files, await files.head(keyOf(path))),
    findPlace: async (_, place) => {
      const key = place.slice(place.indexOf(' ') + 1)
      try {
        return seenOf(await files.head(key)).place === place ? `/${key}` : undefined
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    mayGoOn: (place, from) => place.slice(place.indexOf(' ')) === from.slice(from.indexOf(' ')),
    close: () => Promise.resolve(),
  }
}

class OpenObject implements OpenFile {
  readonly #files: S3Files
  readonly #object: S3Object
  #chunk: Buffer = Buffer.alloc(0)
  #chunkFrom = 0

  constructor(files: S3Files, object: S3Object) {
    this.#files = files
    this.#object = object
  }

  async read(buffer: Buffer, offset: number, length: number, position: number) {
    const end = this.#chunkFrom + this.#chunk.length
    if (position < this.#chunkFrom || position >= end) {
      this.#chunk = await this.#files.read(this.#object, position, CHUNK_BYTES)
      this.#chunkFrom = position
    }
    const at = position - this.#chunkFrom
    const bytesRead = this.#chunk.copy(buffer, offset, at, at + length)
    // Of many that are open few are read.
    if (at + bytesRead === this.#chunk.length) this.#chunk = Buffer.alloc(0)
    return { bytesRead }
  }

  look(): Promise<FileSeen> {
    return Promise.resolve(seenOf(this.#object))
  }

  close(): Promise<void> {
    this.#chunk = Buffer.alloc(0)
    return Promise.resolve()
  }
}

/** As a directory would list it: keys up to the next slash. */
async function listDirectory(files: S3Files, directory: string): Promise<readonly ListedEntry[]> {
  const prefix = keyOf(`${trimEnd(directory, '/')}/`)
  const entries = new Map<string, ListedEntry>()
  for (const object of await files.list(prefix)) {
    const [name = '', ...below] = object.key.slice(prefix.length).split('/')
    if (name === '' || !isReadable(object)) continue
    const isDirectory = below.length > 0
    entries.set(name, {
      name,
      isDirectory: () => isDirectory,
      isFile: () => !isDirectory,
      isSymbolicLink: () => false,
      ...(isDirectory ? {} : { seen: seenOf(object) }),
    })
  }
  return [...entries.values()]
}

function seenOf({ key, etag, size, changedMs }: S3Object): FileSeen {
  return { place: `${etag} ${key}`, size, changedMs, isFile: true, isDirectory: false }
}

/** Directories that a console makes are objects of nothing; an address cannot name dots. */
function isReadable({ key, size }: S3Object): boolean {
  return size > 0 && !key.split('/').some((part) => part === '.' || part === '..' || part === '')
}

function isTaken(key: string, { root, levels }: PathPattern): boolean {
  const top = keyOf(root)
  if (levels.length === 0) {
    const rest = key.slice(top.length)
    return rest === '' || (isBelow(key, top) && !rest.replace(/^\//, '').includes('/'))
  }
  if (!isBelow(key, top)) return false
  return fits(key.slice(top === '' ? 0 : top.length + 1).split('/'), levels)
}

function isBelow(key: string, top: string): boolean {
  return top === '' || key.startsWith(`${top}/`)
}

function fits(names: readonly string[], levels: PathPattern['levels']): boolean {
  const [level, ...rest] = levels
  const [name, ...below] = names
  if (level === undefined || name === undefined) return level === undefined && name === undefined
  if (level === '**') return fits(names, rest) || fits(below, levels)
  return level.test(name) && fits(below, rest)
}

function keyOf(path: string): string {
  return path.replace(/^\/+/, '')
}
