// Makes a data directory level by level: Node's recursive mkdir never ends where a level cannot be
// made and says ENOENT (/proc/x).
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Failure } from '../../schemas/failures.ts'

const ONLY_OURS = 0o750

/** Does nothing when it is there. Fails with start.refused in one line. */
export function makeDataDir(dataDir: string): void {
  const missing: string[] = []
  let level = resolve(dataDir)
  try {
    while (!isDirectory(level)) {
      missing.unshift(level)
      level = dirname(level)
    }
    for (const one of missing) makeLevel(one)
  } catch (error) {
    throw unusable(dataDir, error)
  }
}

/** What a user can do something about, by the code of the system. */
export function unusable(dataDir: string, error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const isFile = code === 'ENOTDIR' || code === 'EEXIST'
  const why = isFile ? 'it, or a part of its path, is not a directory' : code
  const reason = `the data directory ${dataDir} cannot be written (${why}): set LOGEYE_DATA_DIR to one that can`
  return new Failure('start.refused', { reason }, error)
}

function makeLevel(path: string): void {
  try {
    mkdirSync(path, { mode: ONLY_OURS })
  } catch (error) {
    // Made meanwhile by somebody else.
    if (!isDirectory(path)) throw error
  }
}

function isDirectory(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found !== undefined && !found.isDirectory())
    throw Object.assign(new Error('no directory'), { code: 'ENOTDIR' })
  return found !== undefined
}
