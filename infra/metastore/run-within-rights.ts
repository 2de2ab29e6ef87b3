// Whoever changes rights gives and takes only what he holds himself (docs/decisions/0044), and
// whoever changes where events and alerts go views the events concerned (docs/decisions/0137),
// whichever command does it. Judged by the effect: before and after, in the transaction.
import type { Transaction } from 'kysely'
import { Failure } from '../../schemas/failures.ts'
import type { EventPath } from '../../schemas/rights/sees.ts'
import { ANONYMOUS_USER, type Operation, type UserRecord } from '../../schemas/users.ts'
import type { Tables } from '../database/tables.ts'
import { readVersions } from './counters.ts'
import { type EventNodes, loadEventNodes, NO_NODES } from './event-paths/event-nodes.ts'
import { readEventPaths } from './event-paths/event-paths.ts'
import { findUnseen } from './event-paths/find-unseen.ts'
import { makeSight } from './event-paths/make-sight.ts'
import type { Concern, PathState } from './event-paths/port.ts'
import { findExcess } from './rights/find-excess.ts'
import { loadSecurity } from './rights/security-state.ts'
import { readAllSettings } from './settings/setting-changes.ts'
import { EMPTY_TREE, loadTree } from './tree/tree-cache.ts'

/** What the work is allowed by, and what it may change. */
export type Change = {
  /** Of each of these one is needed. */
  readonly operations: Iterable<readonly Operation[]>
  readonly paths: ReadonlySet<EventPath>
}

/** `actor`: as he signed in, which may be seconds ago: whoever was disabled, removed or is no
 *  administrator any more since then changes nothing, nor does one who lost the operation. Fails
 *  with rights.missing, rights.exceeded, rights.unseen, and what `work` fails with. */
export async function runWithinRights<T>(
  transaction: Transaction<Tables>,
  actor: UserRecord,
  change: Change,
  work: () => Promise<T>,
): Promise<T> {
  if (actor.id === ANONYMOUS_USER.id) {
    if ((await readIsOn(transaction)) !== 'false') throw new Failure('rights.missing')
    return await work()
  }
  const versions = await readVersions(transaction)
  const before = await loadSecurity(transaction)
  const now = before.usersById.get(actor.id)
  const isStill = now?.isEnabled === true && (now.isAdministrator || !actor.isAdministrator)
  if (!isStill) throw new Failure('rights.missing')
  if (actor.isAdministrator) return await work()
  for (const some of change.operations)
    if (!some.some((one) => now.operations.has(one))) throw new Failure('rights.missing')
  const wasOn = await readIsOn(transaction)
  const nodes = await loadNodes(transaction, change)
  const ways = await readWays(transaction, change, nodes)
  const done = await work()
  // With security off, everybody is an administrator.
  if ((await readIsOn(transaction)) !== wasOn)
    throw new Failure('rights.exceeded', { right: 'all rights' })
  const versionsAfter = await readVersions(transaction)
  const isSame = versionsAfter.security === versions.security
  const after = isSame ? before : await loadSecurity(transaction)
  if (!isSame) {
    const tree = await loadTree(transaction, EMPTY_TREE, 0)
    const right = findExcess({ before, after, tree, actor })
    if (right !== undefined) throw new Failure('rights.exceeded', { right })
  }
  const isTreeSame = versionsAfter.tree === versions.tree
  const nodesAfter = isTreeSame ? nodes : await loadNodes(transaction, change)
  const waysAfter = await readWays(transaction, change, nodesAfter)
  const what = findUnseen(ways, waysAfter, makeSight(actor, [before, after], nodesAfter))
  if (what !== undefined) throw new Failure('rights.unseen', { what })
  return done
}

/** For what acts on events itself. Fails with rights.unseen, and what `findConcerns` fails with. */
export async function requireSight(
  transaction: Transaction<Tables>,
  actor: UserRecord,
  findConcerns: (nodes: EventNodes) => Promise<readonly Concern[]> | readonly Concern[],
): Promise<void> {
  if (actor.isAdministrator) return
  const nodes = await loadEventNodes(transaction)
  const concerns = await findConcerns(nodes)
  const states = [await loadSecurity(transaction)]
  const sight = makeSight(actor, states, nodes)
  if (!concerns.every((concern) => sight.has(concern)))
    throw new Failure('rights.unseen', { what: 'what this acts on' })
}

/** Names of objects of these ways that are about events of which `actor` may not change the way;
 *  none of an administrator. */
export async function findFixed(
  transaction: Transaction<Tables>,
  actor: UserRecord,
  paths: readonly EventPath[],
): Promise<ReadonlySet<string>> {
  if (actor.isAdministrator || paths.length === 0) return new Set()
  const nodes = await loadEventNodes(transaction)
  const sight = makeSight(actor, [await loadSecurity(transaction)], nodes)
  const entries = [...(await readEventPaths(transaction, nodes, paths)).values()]
  const fixed = entries.flatMap(({ object, concerns }) =>
    object === undefined || concerns().every((concern) => sight.has(concern)) ? [] : [object],
  )
  return new Set(fixed)
}

function loadNodes(transaction: Transaction<Tables>, { paths }: Change): Promise<EventNodes> {
  return paths.size === 0 ? Promise.resolve(NO_NODES) : loadEventNodes(transaction)
}

function readWays(
  transaction: Transaction<Tables>,
  { paths }: Change,
  nodes: EventNodes,
): Promise<PathState> {
  return readEventPaths(transaction, nodes, paths)
}

async function readIsOn(transaction: Transaction<Tables>): Promise<string | undefined> {
  return (await readAllSettings(transaction))['system.security']
}
