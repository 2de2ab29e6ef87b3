// Files of this machine, by device and inode.
import { type FileHandle, open, readdir, readlink, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../../infra/clock.ts'
import { isWithin } from '../../../infra/files/path-rules.ts'
import { findFiles, placeOf } from '../find-files.ts'
import { PackedFault } from '../packing.ts'
import type { FileSeen, FileSource, OpenFile, PathGuard } from './file-source.ts'

/** Longer than the steps in which the system counts: two changes within one may leave one time. */
const TICK_MS = 20
const MOST_LOOKS = 5

export const LOCAL_FILES: FileSource = guardedFiles()

/** Those of one directory, such as where a share is mounted: whoever writes there leads by no link
 *  to other files of this machine. */
export function filesWithin(directory: string): FileSource {
  return guardedFiles(async (real) => {
    if (isWithin(real, [await realpath(directory)])) return
    throw new PackedFault(`is not read: it lies outside of ${directory}`)
  })
}

function guardedFiles(guard?: PathGuard): FileSource {
  const source: FileSource = {
    lookEveryMs: 1000,
    identity: 'file',
    list: async (directory) => {
      await guard?.(await realpath(directory))
      return await readdir(directory, { withFileTypes: true })
    },
    stat: look,
    stamp: async (directory) => {
      for (let looks = 1; ; looks += 1) {
        const { mtimeNs, mtimeMs } = await stat(directory, { bigint: true })
        const ageMs = systemClock.nowMs() - Number(mtimeMs)
        if (ageMs < 0 || ageMs > TICK_MS || looks === MOST_LOOKS) return String(mtimeNs)
        await systemClock.sleep(TICK_MS)
      }
    },
    find: (patterns) => findFiles(patterns, source),
    open: (path) => openGuarded(path, guard),
    findPlace: async (directory, place) => {
      for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
        if (!entry.isFile()) continue
        const path = join(directory, entry.name)
        if ((await look(path).catch(() => undefined))?.place === place) return path
      }
      return undefined
    },
    mayGoOn: () => true,
    within: (more) =>
      guardedFiles(async (real) => {
        await guard?.(real)
        await more(real)
      }),
    close: () => Promise.resolve(),
  }
  return source
}

/** The guard is asked before, since opening a device can change it, and of what was opened: a link
 *  may have been put there in between. */
async function openGuarded(path: string, guard: PathGuard | undefined): Promise<OpenFile> {
  await guard?.(await realpath(path))
  const handle = await open(path, 'r')
  try {
    await guard?.(await realPathOf(handle, path))
  } catch (error) {
    await handle.close()
    throw error
  }
  return {
    read: (buffer, offset, length, position) => handle.read(buffer, offset, length, position),
    look: async () => {
      const stats = await handle.stat({ bigint: true })
      return { place: placeOf(stats), size: Number(stats.size), changedMs: Number(stats.mtimeMs) }
    },
    close: () => handle.close(),
  }
}

/** Linux says which file a descriptor is of; elsewhere the path is asked again. */
async function realPathOf(handle: FileHandle, path: string): Promise<string> {
  return await readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(path))
}

async function look(path: string): Promise<FileSeen> {
  const stats = await stat(path, { bigint: true })
  return {
    ...{ place: placeOf(stats), size: Number(stats.size), changedMs: Number(stats.mtimeMs) },
    ...{ isFile: stats.isFile(), isDirectory: stats.isDirectory() },
  }
}
