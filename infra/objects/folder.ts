// Objects as files in a folder: written beside it, flushed, and moved to their place in one step;
// the folder is flushed, too, or a power cut could forget the name.
import { type Dirent, mkdirSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import { checkKey, checkPrefix } from './check-key.ts'
import type { ByteRange, ObjectSeen, ObjectStore } from './port.ts'
import { onDisk, Spool } from './spool.ts'

/** No key begins with a dot. */
const SPOOL = '.incoming'
const PIECE_BYTES = 64 * 1024

/** `folder` is made. One folder may serve several processes of one machine. */
export function openFolderStore(
  folder: string,
  clock: Pick<Clock, 'nowMs' | 'randomBytes'>,
): ObjectStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const spool = new Spool(join(folder, SPOOL), clock)
  const pathOf = (key: string): string => {
    checkKey(key)
    return join(folder, ...key.split('/'))
  }
  const head = async (key: string): Promise<ObjectSeen | undefined> => {
    const found = await orMissing(stat(pathOf(key)))
    if (found === undefined || !found.isFile()) return undefined
    return { key, bytes: found.size, modifiedMs: Math.floor(found.mtimeMs) }
  }
  return {
    head,
    put: (key, source) => {
      const path = pathOf(key)
      return spool.with(source, async ({ path: from, bytes }) => {
        await onDisk(makeFolders(folder, dirname(path)))
        await onDisk(rename(from, path))
        await onDisk(syncFolder(dirname(path)))
        return (await head(key)) ?? { key, bytes, modifiedMs: clock.nowMs() }
      })
    },
    get: async (key, range) => {
      const file = await orMissing(open(pathOf(key), 'r'))
      if (file === undefined) throw new Failure('object_store.missing')
      try {
        const found = await onDisk(file.stat())
        if (!found.isFile()) throw new Failure('object_store.missing')
        return readFile(file, range ?? { from: 0, to: found.size })
      } catch (error) {
        await file.close()
        throw error
      }
    },
    delete: async (key) => {
      const path = pathOf(key)
      await orMissing(rm(path))
      if ((await orMissing(readdir(dirname(path)))) !== undefined)
        await onDisk(syncFolder(dirname(path)))
    },
    list: async (prefix, { after = '', limit }) => {
      checkPrefix(prefix)
      const found: ObjectSeen[] = []
      for await (const key of walk(folder, '', { prefix, after })) {
        // One that was deleted meanwhile is none.
        const seen = await head(key)
        if (seen !== undefined) found.push(seen)
        if (found.length === limit) break
      }
      return found
    },
  }
}

/** In the order of keys: a folder stands where its name with a slash does. */
async function* walk(
  folder: string,
  at: string,
  wanted: { readonly prefix: string; readonly after: string },
): AsyncGenerator<string> {
  const { prefix, after } = wanted
  const entries: Dirent[] = (await orMissing(readdir(folder, { withFileTypes: true }))) ?? []
  const names = entries
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry) => `${at}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .sort((a, b) => (a < b ? -1 : 1))
  for (const name of names) {
    const isFolder = name.endsWith('/')
    const isWanted = name.startsWith(prefix) || (isFolder && prefix.startsWith(name))
    const isBehind = name > after || (isFolder && after.startsWith(name))
    if (!isWanted || !isBehind) continue
    if (isFolder) yield* walk(join(folder, name.slice(at.length)), name, wanted)
    else yield name
  }
}

/** The stream closes the file. */
function readFile(file: FileHandle, { from, to }: ByteRange): ReadableStream<Uint8Array> {
  let at = from
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = new Uint8Array(Math.min(PIECE_BYTES, to - at))
          const { bytesRead } = await onDisk(file.read(piece, 0, piece.length, at))
          at += bytesRead
          if (bytesRead > 0) controller.enqueue(piece.subarray(0, bytesRead))
          else if (at < to) throw new Failure('object_store.unavailable', { reason: 'too short' })
          if (at < to) return
          await file.close()
          controller.close()
        } catch (error) {
          await file.close().catch(() => undefined)
          controller.error(error)
        }
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  )
}

/** Down to `path`, each flushed into the one above it. */
async function makeFolders(root: string, path: string): Promise<void> {
  if (path === root) return
  const made = await mkdir(path, { recursive: true, mode: 0o700 })
  if (made === undefined) return
  for (let at = path; at.length >= made.length; at = dirname(at)) await syncFolder(dirname(at))
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function orMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ERR_FS_EISDIR')
      return undefined
    return await onDisk(Promise.reject(error))
  }
}
