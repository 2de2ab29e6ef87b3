// Answers of visibleLogs, kept until tree or rights change. Users of the same groups whom no list
// names share one answer: ten thousand ids for each of hundreds of users would be a lot of memory.

import { GUARDED_LOG_NAMES, type GuardedLog } from '../../../schemas/names/guarded-logs.ts'
import { logPathKey, SYSTEM_FOLDER } from '../../../schemas/names/log-path.ts'
import type { IndexedTree } from '../tree/tree-cache.ts'
import { openedLogs } from './guarded-logs.ts'
import { makeMasksMark } from './masks-mark.ts'
import type { Reader } from './port.ts'
import { masksOf, type SecurityState } from './security-state.ts'
import { visibleLogs } from './visible-logs.ts'

type Question = {
  readonly reader: Reader
  readonly tree: IndexedTree
  readonly treeVersion: number
  readonly security: SecurityState
  readonly securityVersion: number
}

const NONE: ReadonlySet<number> = new Set()

export class VisibleLogsCache {
  #versions = ''
  readonly #answers = new Map<string, ReadonlySet<number>>()

  find(question: Question): 'all' | ReadonlySet<number> {
    const { reader, security, tree } = question
    const user = security.usersById.get(reader.id)
    if (user === undefined || !user.isEnabled) return NONE
    const opened = openedLogs(security, reader)
    const hidden = GUARDED_LOG_NAMES.filter((name) => !opened.has(name)).flatMap(
      (name) => tree.logsByPath.get(logPathKey([SYSTEM_FOLDER], name))?.id ?? [],
    )
    const mark = makeMasksMark(masksOf(security, reader))
    if (user.isAdministrator && hidden.length === 0 && mark === undefined) return 'all'
    const versions = `${question.treeVersion}/${question.securityVersion}`
    if (versions !== this.#versions) this.#answers.clear()
    this.#versions = versions
    const of = user.isAdministrator ? `all but ${hidden.join(',')}` : answerKey(question, opened)
    const key = `${of} ${mark ?? ''}`
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const visible = user.isAdministrator
      ? new Set([...tree.logs.keys()].filter((id) => !hidden.includes(id)))
      : visibleOf(question, opened)
    // The first, so that it is found at once.
    const answer = mark === undefined ? visible : new Set([mark, ...visible])
    this.#answers.set(key, answer)
    return answer
  }
}

function visibleOf(
  { reader, tree, security }: Question,
  opened: ReadonlySet<GuardedLog>,
): Set<number> {
  const groups = security.groupsOfUser.get(reader.id) ?? new Set()
  return visibleLogs(tree, security.permissions, { userId: reader.id, groups, opened })
}

function answerKey(
  { reader: { id }, security }: Question,
  opened: ReadonlySet<GuardedLog>,
): string {
  const groups = [...(security.groupsOfUser.get(id) ?? [])].sort((a, b) => a - b).join(',')
  return `${groups}${isNamed(security, id) ? `:${id}` : ''} ${[...opened].join(' ')}`
}

function isNamed({ permissions }: SecurityState, userId: number): boolean {
  for (const viewers of permissions.folders.values()) if (viewers.users.has(userId)) return true
  for (const viewers of permissions.logs.values()) if (viewers.users.has(userId)) return true
  return false
}
