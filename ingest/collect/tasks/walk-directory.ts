// The logs that a scan task finds in its directory: each series of files is one, named like it,
// below folders named like the directories.
import { join } from 'node:path'
import { RemoteFault } from '../../../infra/outbound/remote-fault.ts'
import type { TaskSettings } from '../../../schemas/task.ts'
import { describeFault, MAX_FILES } from '../find-files.ts'
import { escapePath, levelPattern, type NamePattern, seriesOf } from '../path-pattern.ts'
import type { FileTree, ListedEntry } from '../sources/file-source.ts'

export type FoundLog = {
  /** Below the folder of the task. */
  readonly folder: readonly string[]
  readonly name: string
  readonly filePath: string
}

type Walked = {
  readonly files: number
  readonly logs: readonly FoundLog[]
  readonly faults: readonly string[]
}

const MOST_LEVELS = 100
const MOST_FAULTS = 20

/** Fails with RemoteFault. */
export async function walkDirectory(
  settings: TaskSettings<'scan'>,
  tree: Pick<FileTree, 'list'>,
): Promise<Walked> {
  const { directory, include, exclude, scanLevel } = settings
  const taken = include.map(globOf)
  const left = exclude.map(globOf)
  const logs = new Map<string, FoundLog>()
  const faults: string[] = []
  let files = 0
  const isTaken = (name: string) =>
    (taken.length === 0 || taken.some((it) => it.test(name))) && !left.some((it) => it.test(name))

  async function walk(path: string, folder: readonly string[]): Promise<void> {
    let entries: ListedEntry[] = []
    try {
      entries = [...(await tree.list(path))]
    } catch (error) {
      if (error instanceof RemoteFault) throw error
      if (faults.length < MOST_FAULTS) faults.push(describeFault(path, error))
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      if (files >= MAX_FILES) return
      const isBelow = folder.length < (scanLevel ?? MOST_LEVELS)
      if (entry.isDirectory() && isBelow)
        await walk(join(path, entry.name), [...folder, entry.name])
      if (!entry.isFile() || !isTaken(entry.name)) continue
      files += 1
      const name = seriesOf(entry.name)
      const filePath = `${escapePath(join(path, name))}{rotation}`
      logs.set(filePath, { folder, name, filePath })
    }
  }
  await walk(directory, [])
  return { files, logs: [...logs.values()], faults }
}

/** Only `*` and `?` have a meaning. */
function globOf(name: string): NamePattern {
  return levelPattern(name.replace(/[[{]/g, '[$&]'))
}
