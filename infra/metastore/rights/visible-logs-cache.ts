// Answers of visibleLogs, kept until tree or rights change. Users of the same groups whom no list
// names share one answer: ten thousand ids for each of hundreds of users would be a lot of memory.

import type { IndexedTree } from '../tree/tree-cache.ts'
import type { SecurityState } from './security-state.ts'
import { visibleLogs } from './visible-logs.ts'

type Question = {
  readonly userId: number
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
    const user = question.security.usersById.get(question.userId)
    if (user === undefined || !user.isEnabled) return NONE
    if (user.isAdministrator) return 'all'
    const versions = `${question.treeVersion}/${question.securityVersion}`
    if (versions !== this.#versions) this.#answers.clear()
    this.#versions = versions
    const key = answerKey(question)
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const groups = question.security.groupsOfUser.get(user.id) ?? new Set()
    const { permissions } = question.security
    const answer = visibleLogs(question.tree, permissions, { userId: user.id, groups })
    this.#answers.set(key, answer)
    return answer
  }
}

function answerKey({ userId, security }: Question): string {
  const groups = [...(security.groupsOfUser.get(userId) ?? [])].sort((a, b) => a - b).join(',')
  return isNamed(security, userId) ? `${groups}:${userId}` : groups
}

function isNamed({ permissions }: SecurityState, userId: number): boolean {
  for (const viewers of permissions.folders.values()) if (viewers.users.has(userId)) return true
  for (const viewers of permissions.logs.values()) if (viewers.users.has(userId)) return true
  return false
}
