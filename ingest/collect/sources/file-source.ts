// The port of what files are read from: this machine, another one by SSH, a storage. A source lists
// files, tells them apart and reads them from an offset; splitting, filters, positions and the
// commit are the collector's (docs/decisions/0117).
import type { Dirent } from 'node:fs'
import type { PathPattern } from '../path-pattern.ts'

export type FileSeen = {
  /** See `identity`. */
  readonly place: string
  readonly size: number
  readonly changedMs: number
  readonly isFile: boolean
  readonly isDirectory: boolean
}

export type FoundFile = {
  readonly path: string
  /** Of this machine `<device>:<inode>`: stays when it gets another name. */
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

export type ListedEntry = Pick<Dirent, 'name' | 'isDirectory' | 'isFile' | 'isSymbolicLink'> & {
  /** Where listing tells it, too. */
  readonly seen?: FileSeen
}

/** Directories; fails with a SystemError for one of them, RemoteFault for all. */
export interface FileTree {
  list(directory: string): Promise<readonly ListedEntry[]>
  /** Links are followed. */
  stat(path: string): Promise<FileSeen>
  /** Another one after each name that came or went in it; absent: `list` tells of all files as they
   *  are at one moment. */
  stamp?(directory: string): Promise<string>
}

/** As FileHandle of Node. */
export interface OpenFile {
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>
  look(): Promise<Pick<FileSeen, 'place' | 'size' | 'changedMs'>>
  close(): Promise<void>
}

/** Called with where a path leads, behind links. Fails with PackedFault where that is not to be
 *  listed or read. */
export type PathGuard = (real: string) => Promise<void>

export interface FileSource extends FileTree {
  /** Between two looks at what is there. */
  readonly lookEveryMs: number
  /** What a place tells: a file whatever its name; a path, where another file may stand next time;
   *  or content that never changes and is never read again. */
  readonly identity: 'file' | 'path' | 'content'
  /** Fails with RemoteFault; what is wrong with one path is among the faults of what is found. */
  find(patterns: readonly PathPattern[]): Promise<Found>
  /** Fails with a SystemError (ENOENT, EACCES), RemoteFault. */
  open(path: string): Promise<OpenFile>
  /** Its path in this directory; undefined: it is not there. */
  findPlace(directory: string, place: string): Promise<string | undefined>
  /** Of this machine: the same, as far as the guard lets it; absent: of another one. */
  within?(guard: PathGuard): FileSource
  /** Whether a file at the one place may go on with what was read at the other. */
  mayGoOn(place: string, from: string): boolean
  close(): Promise<void>
}
