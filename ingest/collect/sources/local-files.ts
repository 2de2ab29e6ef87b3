// Files of this machine, by device and inode.
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../../infra/clock.ts'
import { findFiles, placeOf } from '../find-files.ts'
import { PackedFault } from '../packing.ts'
import type { FileSeen, FileSource } from './file-source.ts'

/** Longer than the steps in which the system counts: two changes within one may leave one time. */
const TICK_MS = 20
const MOST_LOOKS = 5

export const LOCAL_FILES: FileSource = {
  lookEveryMs: 1000,
  identity: 'file',
  list: (directory) => readdir(directory, { withFileTypes: true }),
  stat: look,
  stamp: async (directory) => {
    for (let looks = 1; ; looks += 1) {
      const { mtimeNs, mtimeMs } = await stat(directory, { bigint: true })
      const ageMs = systemClock.nowMs() - Number(mtimeMs)
      if (ageMs < 0 || ageMs > TICK_MS || looks === MOST_LOOKS) return String(mtimeNs)
      await systemClock.sleep(TICK_MS)
    }
  },
  find: (patterns) => findFiles(patterns, LOCAL_FILES),
  open: async (path) => {
    const handle = await open(path, 'r')
    return {
      read: (buffer, offset, length, position) => handle.read(buffer, offset, length, position),
      look: async () => {
        const stats = await handle.stat({ bigint: true })
        return { place: placeOf(stats), size: Number(stats.size), changedMs: Number(stats.mtimeMs) }
      },
      close: () => handle.close(),
    }
  },
  findPlace: async (directory, place) => {
    for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
      if (!entry.isFile()) continue
      const path = join(directory, entry.name)
      if ((await look(path).catch(() => undefined))?.place === place) return path
    }
    return undefined
  },
  realPath: (path) => realpath(path),
  mayGoOn: () => true,
  close: () => Promise.resolve(),
}

/** Those of one directory, such as where a share is mounted: whoever writes there leads by no link
 *  to other files of this machine. */
export function filesWithin(directory: string): FileSource {
  return {
    ...LOCAL_FILES,
    realPath: async (path) => {
      const [real, top] = await Promise.all([realpath(path), realpath(directory)])
      if (real.startsWith(top === '/' ? top : `${top}/`)) return real
      throw new PackedFault(`is not read: it lies outside of ${directory}`)
    },
  }
}

async function look(path: string): Promise<FileSeen> {
  const stats = await stat(path, { bigint: true })
  return {
    ...{ place: placeOf(stats), size: Number(stats.size), changedMs: Number(stats.mtimeMs) },
    ...{ isFile: stats.isFile(), isDirectory: stats.isDirectory() },
  }
}
