// Files of another machine, which SFTP tells by their paths alone: a file that was renamed is known
// by what was read of it.
import { dirname, join } from 'node:path/posix'
import type { RemoteSeen, SshFiles } from '../../../infra/outbound/ssh-files.ts'
import { findFiles } from '../find-files.ts'
import type { FileSeen, FileSource, ListedEntry } from './file-source.ts'

export function sshSource(files: SshFiles): FileSource {
  const source: FileSource = {
    lookEveryMs: 2000,
    identity: 'path',
    list: async (directory) => (await files.list(directory)).map((it) => entryOf(directory, it)),
    stat: async (path) => seenAt(path, await files.stat(path)),
    find: (patterns) => findFiles(patterns, source),
    open: async (path) => {
      const file = await files.open(path)
      return { ...file, look: async () => seenAt(path, await file.look()) }
    },
    findPlace: async (directory, place) => {
      if (dirname(place) !== directory) return undefined
      try {
        return (await files.stat(place)).isFile ? place : undefined
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    realPath: (path) => Promise.resolve(path),
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
