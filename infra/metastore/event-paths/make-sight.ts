// Whether somebody holds what a change of event paths asks. Pure.
import { guardedLogOf } from '../../../schemas/names/guarded-logs.ts'
import type { Operation, UserRecord } from '../../../schemas/users.ts'
import { openedLogs } from '../rights/guarded-logs.ts'
import { makeNodeAccess, type NodeAccess, type NodeId } from '../rights/node-access.ts'
import type { SecurityState } from '../rights/security-state.ts'
import type { NodePlace } from '../tree/find-node.ts'
import { ROOT_FOLDER_ID } from '../tree/tree-cache.ts'
import type { EventNodes } from './event-nodes.ts'
import type { Concern } from './port.ts'

export type Sight = { has(concern: Concern): boolean }

/** `actor`: as he signed in. `states`: of before and after a change: he holds what he holds in
 *  each of them. Who does not see each value of an event does not see the event. */
export function makeSight(
  actor: UserRecord,
  states: readonly SecurityState[],
  nodes: EventNodes,
): Sight {
  const users = states.map((state) => state.usersById.get(actor.id))
  const isMasked = [actor, ...users].some((user) => (user?.masks.length ?? 0) > 0)
  const accesses = states.map((state) => accessOf(state, actor, nodes))
  const may = (node: NodeId, asks: 'view' | 'edit') =>
    !isMasked &&
    accesses.every((access) => (asks === 'view' ? access.mayView(node) : access.mayEdit(node)))
  const mayDo = (operation: Operation) =>
    [actor, ...users].every((user) => user?.operations.has(operation) === true)
  /** Many entries are about one folder. */
  const places = new Map<string, boolean>()
  const mayAll = (concern: Extract<Concern, { kind: 'place' }>): boolean => {
    const key = JSON.stringify(concern)
    const known = places.get(key)
    if (known !== undefined) return known
    const answer = [...nodesOf(concern.place, nodes)].every((node) => may(node, concern.asks))
    places.set(key, answer)
    return answer
  }
  return {
    has: (concern) => {
      switch (concern.kind) {
        case 'place':
          return mayAll(concern)
        case 'node':
          return may(concern.node, concern.asks)
        case 'owner': {
          const { userId, orBy } = concern
          // What his user's rights send must not be hidden from the token that he signed in with.
          const isHis = userId === actor.id && isUnmaskedOf(actor, users)
          return isHis || (orBy !== undefined && !isMasked && mayDo(orBy))
        }
        case 'operation':
          return mayDo(concern.operation)
        case 'administrator':
          return actor.isAdministrator
      }
    },
  }
}

/** Nothing is hidden from him but what is hidden from his user. */
function isUnmaskedOf({ masks }: UserRecord, users: readonly (UserRecord | undefined)[]): boolean {
  return users.every((user) => masks.every((mask) => user?.masks.includes(mask) === true))
}

function accessOf(state: SecurityState, actor: UserRecord, nodes: EventNodes): NodeAccess {
  const opened = openedLogs(state, actor)
  if (state.usersById.get(actor.id)?.isAdministrator === true) {
    const mayView = ({ kind, id }: NodeId) => {
      const log = kind === 'log' ? nodes.logs.get(id) : undefined
      const guarded = log === undefined ? undefined : guardedLogOf(log)
      return guarded === undefined || opened.has(guarded)
    }
    return { mayView, mayEdit: mayView }
  }
  const groups = state.groupsOfUser.get(actor.id) ?? new Set()
  return makeNodeAccess(nodes, state, { userId: actor.id, groups, opened })
}

function* nodesOf({ kind, levels }: NodePlace, nodes: EventNodes): Generator<NodeId> {
  let id = ROOT_FOLDER_ID
  for (const name of kind === 'folder' ? levels : levels.slice(0, -1)) {
    const child = nodes.foldersIn.get(id)?.find((folder) => folder.levels.at(-1) === name)
    if (child === undefined) return yield { kind: 'folder', id }
    id = child.id
  }
  if (kind === 'folder') return yield* withBelow(id, nodes)
  const log = nodes.logsIn.get(id)?.find(({ name }) => name === levels.at(-1))
  yield log === undefined ? { kind: 'folder', id } : { kind: 'log', id: log.id }
}

function* withBelow(id: number, nodes: EventNodes): Generator<NodeId> {
  yield { kind: 'folder', id }
  for (const log of nodes.logsIn.get(id) ?? []) yield { kind: 'log', id: log.id }
  for (const folder of nodes.foldersIn.get(id) ?? []) yield* withBelow(folder.id, nodes)
}
