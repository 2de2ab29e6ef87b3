// How many files and connections a process may have open. Node raises its own limit to the hardest
// that it may have.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Failure } from '../../schemas/failures.ts'
import type { Logger } from '../logger.ts'

/** Below it not every process comes up; measured with an empty store. */
const LEAST = 256
/** The store opens each column of each part, a front has one per connection. */
export const ENOUGH_OPEN_FILES = 4096
export const RAISE_OPEN_FILES =
  "raise it by 'ulimit -n 65536', LimitNOFILE of systemd or --ulimit nofile of a container"

/** undefined: there is no limit, or it cannot be read. */
export function readOpenFileLimit(): number | undefined {
  try {
    const text =
      process.platform === 'linux'
        ? /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
        : execFileSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'latin1', timeout: 2000 })
    const limit = Number(text)
    return Number.isInteger(limit) && limit > 0 ? limit : undefined
  } catch {
    return undefined
  }
}

/** Fails with start.refused when nothing can work with it. To be called before anything else is
 *  loaded. */
export function requireOpenFiles(limit = readOpenFileLimit()): void {
  if (limit === undefined || limit >= LEAST) return
  const reason = `only ${limit} files may be open at once, ${LEAST} are needed to start and ${ENOUGH_OPEN_FILES} to work: ${RAISE_OPEN_FILES}`
  throw new Failure('start.refused', { reason })
}

/** Where it is low but works. */
export function warnOfOpenFiles(logger: Logger, limit = readOpenFileLimit()): void {
  if (limit === undefined || limit >= ENOUGH_OPEN_FILES) return
  logger.warn('the limit of open files is low', {
    limit,
    enough: ENOUGH_OPEN_FILES,
    advice: RAISE_OPEN_FILES,
  })
}
