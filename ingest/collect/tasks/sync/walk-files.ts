// The files of one directory of a log sync task.
import { join } from 'node:path/posix'
import { RemoteFault } from '../../../../infra/outbound/remote-fault.ts'
import type { SyncDirectory } from '../../../../schemas/task.ts'
import { describeFault, MAX_FILES } from '../../find-files.ts'
import { levelPattern, type NamePattern } from '../../path-pattern.ts'
import type { FileTree, ListedEntry } from '../../sources/file-source.ts'

export type WalkedFile = {
  readonly path: string
  readonly size: number
  readonly changedMs: number
}

const MOST_LEVELS = 100

/** Links are not followed. Fails with RemoteFault; `fault` is told what cannot be read. */
export async function walkFiles(
  tree: FileTree,
  rule: SyncDirectory,
  fault: (text: string) => void,
): Promise<readonly WalkedFile[]> {
  const isFile = makeTest(rule.filesToInclude, rule.filesToExclude)
  const isDirectory = makeTest(rule.directoriesToInclude, rule.directoriesToExclude)
  const files: WalkedFile[] = []

  async function walk(directory: string, level: number): Promise<void> {
    let entries: readonly ListedEntry[] = []
    try {
      entries = await tree.list(directory)
    } catch (error) {
      if (error instanceof RemoteFault) throw error
      fault(describeFault(directory, error))
    }
    for (const entry of entries) {
      const path = join(directory, entry.name)
      const isBelow = level < (rule.scanLevel ?? MOST_LEVELS)
      if (entry.isDirectory() && isBelow && isDirectory(entry.name)) await walk(path, level + 1)
      if (!entry.isFile() || !isFile(entry.name) || files.length >= MAX_FILES) continue
      const seen = entry.seen ?? (await tree.stat(path).catch(() => undefined))
      if (seen?.isFile === true) files.push({ path, size: seen.size, changedMs: seen.changedMs })
    }
  }
  await walk(rule.directory, 0)
  return files
}

function makeTest(include: readonly string[], exclude: readonly string[]) {
  const taken = include.map(globOf)
  const left = exclude.map(globOf)
  return (name: string) =>
    (taken.length === 0 || taken.some((it) => it.test(name))) && !left.some((it) => it.test(name))
}

/** Only `*` and `?` have a meaning. */
function globOf(name: string): NamePattern {
  return levelPattern(name.replace(/[[{]/g, '[$&]'))
}
