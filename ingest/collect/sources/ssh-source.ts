// Files of another machine, which SFTP tells by their paths behind links alone: a file that was
// renamed is known by what was read of it.
import { join } from 'node:path/posix'
import type { RemoteSeen, SshFiles } from '../../../infra/outbound/ssh-files.ts'
import { findFiles } from '../find-files.ts'
import type { FileSeen, FileSource, ListedEntry } from './file-source.ts'

export function sshSource(files: SshFiles): FileSource {
  // Two names of one file, by a link, are one place.
  const realPath = (path: string) => files.realPath(path)
  const look = async (path: string) => {
    const place = await realPath(path)
    return seenAt(place, await files.stat(place))
  }
  const source: FileSource = {
    lookEveryMs: 2000,
    identity: 'path',
    list: async (directory) => {
      const real = await realPath(directory)
      return (await files.list(real)).map((it) => entryOf(real, it))
    },
    stat: look,
    find: (patterns) => findFiles(patterns, source),
    open: async (path) => {
      const place = await realPath(path)
      const file = await files.open(place)
      return { ...file, look: async () => seenAt(place, await file.look()) }
    },
    findPlace: async (_directory, place) => {
      try {
        return (await files.stat(place)).isFile ? place : undefined
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    mayGoOn: () => true,
    close: () => Promise.resolve(files.close()),
  }
  return source
}

function seenAt(path: string, { size, changedMs, isFile, isDirectory }: RemoteSeen): FileSeen {
  return { place: path, size, changedMs, isFile, isDirectory }
}

function entryOf(directory: string, { name, ...seen }: RemoteSeen & { name: string }): ListedEntry {
  return {
    name,
    isDirectory: () => seen.isDirectory,
    isFile: () => seen.isFile,
    isSymbolicLink: () => seen.isLink,
    // Of a link it tells the link.
    ...(seen.isLink ? {} : { seen: seenAt(join(directory, name), seen) }),
  }
}
