// Opens files that are not known yet and looks at their begin, some of them before it is their
// turn: each is several ways to a thread or to another machine. They are begun one after another
// all the same.
import { type FileHead, FileTail, newFile } from './file-tail.ts'
import type { FileSource, FoundFile } from './sources/file-source.ts'

const AT_ONCE = 32

export type OpenedFile = {
  readonly tail: FileTail
  /** undefined for a packed one: it may not be whole yet. */
  readonly head: FileHead | undefined
}

type Deps = {
  readonly logId: number
  readonly source: FileSource
  readonly elapsedMs: () => number
}

/** `files` may grow meanwhile. */
export function openAhead(files: readonly FoundFile[], deps: Deps) {
  const begun: (Promise<OpenedFile | undefined> | undefined)[] = []
  return {
    /** Called for each in turn; what it gives is the caller's to close. undefined: the file is
     *  empty. Fails as opening of the file does. */
    at: (number: number): Promise<OpenedFile | undefined> => {
      for (const file of files.slice(begun.length, number + AT_ONCE)) {
        const opening = openNew(file, deps)
        // It is met in its turn.
        opening.catch(() => undefined)
        begun.push(opening)
      }
      const opening = begun[number]
      begun[number] = undefined
      return opening ?? Promise.resolve(undefined)
    },
    /** Those that nobody asked for. */
    close: async (): Promise<void> => {
      for (const opening of begun.splice(0))
        await opening?.then((it) => it?.tail.close()).catch(() => undefined)
    },
  }
}

async function openNew(
  found: FoundFile,
  { logId, source, elapsedMs }: Deps,
): Promise<OpenedFile | undefined> {
  if (found.size === 0) return undefined
  const tail = new FileTail(newFile(logId, found), elapsedMs(), source)
  tail.note(found.size, found.changedMs, elapsedMs())
  try {
    const { packing } = await tail.source()
    return { tail, head: packing === undefined ? await tail.readHead() : undefined }
  } catch (error) {
    await tail.close()
    throw error
  }
}
