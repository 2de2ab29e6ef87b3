// Which files of this machine a log, a scan task or a directory of a log sync task may have read,
// wherever links lead.
import { realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isClosed, isWithin, type PathRules } from '../../../infra/files/path-rules.ts'
import { PackedFault } from '../packing.ts'
import type { FileSource, PathGuard } from './file-source.ts'

/** `source` with the rules in force. `startsOf`: where its paths begin, before a wildcard. One
 *  within the roots leads to nothing outside of them; another one was given by an administrator,
 *  and opens its own directory. */
export function guarded(
  source: FileSource,
  rules: PathRules,
  startsOf: () => readonly string[],
): FileSource {
  return source.within?.(makeGuard(rules, startsOf)) ?? source
}

function makeGuard(rules: PathRules, startsOf: () => readonly string[]): PathGuard {
  const { readRoots } = rules
  return async (real) => {
    if (isClosed(real, rules))
      throw new PackedFault('is not read: it lies among files of the product or of the system')
    if (isWithin(real, readRoots)) return
    for (const start of startsOf().map((path) => resolve(path)))
      if (!isWithin(start, readRoots) && isWithin(real, [await directoryOf(start)])) return
    throw new PackedFault(
      'is not read: a link leads there, outside of its directory and of LOGEYE_COLLECT_READ_ROOTS',
    )
  }
}

/** Behind links: itself, or that of a file. */
async function directoryOf(start: string): Promise<string> {
  const real = await realpath(start)
  return (await stat(real)).isDirectory() ? real : dirname(real)
}
