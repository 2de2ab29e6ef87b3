// Paths of this machine in arguments of commands (docs/decisions/0138). Here they are judged as
// they are written; where links lead is judged by who reads and writes, at each run.
import { resolve } from 'node:path'
import { fixedPartOf, isClosed, isWithin, type PathRules } from '../../../infra/files/path-rules.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { UserRecord } from '../../../schemas/users.ts'

/** Both fail with sdk.argument for closed paths, and with rights.path for paths outside of the
 *  roots where the caller is no administrator. `path`: whole. */
export type PathTools = {
  /** Wildcards are allowed. `others`: directories that an administrator has opened besides. */
  readonly requireReadable: (argument: string, path: string, others?: readonly string[]) => void
  readonly requireCopyable: (argument: string, path: string) => void
}

/** Only administrators give paths. */
export const NO_ROOTS: PathRules = { readRoots: [], copyRoots: [], closed: [] }

export function makePathTools(
  rules: PathRules,
  { isAdministrator }: Pick<UserRecord, 'isAdministrator'>,
): PathTools {
  const { readRoots, copyRoots } = rules
  const requireWithin = (
    { argument, path, setting }: Readonly<Record<'argument' | 'path' | 'setting', string>>,
    roots: readonly string[],
  ): void => {
    const reason = 'must not lie among files of the product or of the system'
    if (isClosed(path, rules)) throw new Failure('sdk.argument', { argument, reason })
    if (isAdministrator || isWithin(path, roots)) return
    throw new Failure('rights.path', { argument, path, setting })
  }
  return {
    requireReadable: (argument, path, others = []) => {
      const asked = { argument, path: fixedPartOf(path), setting: 'LOGEYE_COLLECT_READ_ROOTS' }
      requireWithin(asked, [...readRoots, ...others])
    },
    requireCopyable: (argument, path) => {
      const asked = { argument, path: resolve(path), setting: 'LOGEYE_COLLECT_COPY_ROOTS' }
      requireWithin(asked, copyRoots)
    },
  }
}
