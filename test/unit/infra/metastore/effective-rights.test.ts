// Effective rights against a second, naive reading of the rules (docs/decisions/0044): it walks
// groups, policies and trees by their sentences, without sharing code.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  groupsOfUser,
  makeGroupGraph,
  policiesOfUser,
} from '../../../../infra/metastore/rights/group-graph.ts'
import { makeNodeAccess } from '../../../../infra/metastore/rights/node-access.ts'
import type { NodePermissions } from '../../../../infra/metastore/rights/visible-logs.ts'
import { visibleFolders, visibleLogs } from '../../../../infra/metastore/rights/visible-logs.ts'
import { EMPTY_TREE, mergeTree } from '../../../../infra/metastore/tree/tree-cache.ts'
import { expandOperations, OPERATIONS } from '../../../../schemas/users.ts'

const EVERYONE = 2
const USER = 100
const GROUPS = [1, EVERYONE, 10, 11, 12, 13, 14]
const FOLDERS = [1, 2, 3, 4, 5, 6]
const LOGS = [1, 2, 3, 4, 5, 6, 7, 8]

type Member = { group_id: number; member_kind: 'user' | 'group'; member_id: number }
type List = { groups: number[]; users: number[] } | null

const member: fc.Arbitrary<Member> = fc.record({
  group_id: fc.constantFrom(...GROUPS.filter((id) => id !== EVERYONE)),
  member_kind: fc.constantFrom('user', 'group'),
  member_id: fc.constantFrom(USER, ...GROUPS),
})
const list: fc.Arbitrary<List> = fc.option(
  fc.record({
    groups: fc.uniqueArray(fc.constantFrom(...GROUPS), { maxLength: 2 }),
    users: fc.subarray([USER, 101]),
  }),
)
const world = fc.record({
  members: fc.array(member, { maxLength: 12 }),
  ownPolicy: fc.option(fc.constantFrom(1, 2, 3)),
  policyOfGroup: fc.array(fc.option(fc.constantFrom(1, 2, 3)), {
    minLength: GROUPS.length,
    maxLength: GROUPS.length,
  }),
  // A parent has a smaller number than what lies in it.
  parents: fc.tuple(...FOLDERS.map((id) => fc.integer({ min: 0, max: id - 1 }))),
  places: fc.tuple(...LOGS.map(() => fc.constantFrom(0, ...FOLDERS))),
  views: fc.array(list, { minLength: 15, maxLength: 15 }),
  edits: fc.array(list, { minLength: 15, maxLength: 15 }),
})
type World = typeof world extends fc.Arbitrary<infer T> ? T : never

/** One that holds him, or holds one that holds him. */
function naiveGroups({ members }: World): number[] {
  const isIn = (group: number, seen: readonly number[]): boolean =>
    group === EVERYONE ||
    members.some(
      (one) =>
        one.group_id === group &&
        (one.member_kind === 'user'
          ? one.member_id === USER
          : !seen.includes(one.member_id) && isIn(one.member_id, [...seen, one.member_id])),
    )
  return GROUPS.filter((group) => isIn(group, [group]))
}

function naivePolicies(given: World): number[] {
  const { members, ownPolicy, policyOfGroup } = given
  const own = (group: number) => policyOfGroup[GROUPS.indexOf(group)] ?? null
  const ofGroup = (group: number, seen: readonly number[]): number[] => {
    const policy = own(group)
    if (policy !== null) return [policy]
    const parents = members.filter((one) => one.member_kind === 'group' && one.member_id === group)
    return parents.flatMap(({ group_id: parent }) =>
      seen.includes(parent) ? [] : ofGroup(parent, [...seen, parent]),
    )
  }
  const direct = members.filter((one) => one.member_kind === 'user' && one.member_id === USER)
  const groups = [EVERYONE, ...direct.map((one) => one.group_id)]
  return [...(ownPolicy === null ? [] : [ownPolicy]), ...groups.flatMap((id) => ofGroup(id, [id]))]
}

/** Places: 0 the root, 1-6 folders, 7-14 logs. */
function naiveListed(given: World, lists: readonly List[], place: number): boolean {
  const own = lists[place] ?? null
  if (own !== null)
    return own.users.includes(USER) || own.groups.some((id) => naiveGroups(given).includes(id))
  if (place === 0) return true
  const above =
    place <= FOLDERS.length ? given.parents[place - 1] : given.places[place - FOLDERS.length - 1]
  return naiveListed(given, lists, above ?? 0)
}

const logPlace = (id: number) => FOLDERS.length + id

function realLists(lists: readonly List[]): NodePermissions {
  const read = (ids: readonly number[], place: (id: number) => number) =>
    new Map(
      ids.flatMap((id) => {
        const own = lists[place(id)]
        return own
          ? [[id, { groups: new Set(own.groups), users: new Set(own.users) }] as const]
          : []
      }),
    )
  return { folders: read([0, ...FOLDERS], (id) => id), logs: read(LOGS, logPlace) }
}

function realTree({ parents, places }: World) {
  const facts = { changed: 1, description: '', removed_ms: null }
  const log = { account_id: null, policy_id: 1, app_tags: '[]', type_words: '[]' }
  return mergeTree(
    EMPTY_TREE,
    FOLDERS.map((id) => ({ id, parent_id: parents[id - 1] ?? 0, name: `f${id}`, ...facts })),
    LOGS.map((id) => ({
      ...{ id, folder_id: places[id - 1] ?? 0, name: `l${id}`, ...facts, ...log },
      ...{ received_hour: 0, made_ms: 0, definition: '{}' },
    })),
  )
}

const sorted = (ids: Iterable<number>) => [...new Set(ids)].sort((a, b) => a - b)

describe('effective rights', () => {
  it('are those of the naive reading: groups, policies, what may be viewed and edited', () => {
    fc.assert(
      fc.property(world, (given) => {
        const graph = makeGroupGraph(given.members)
        const groups = groupsOfUser(graph, USER)
        expect(sorted(groups)).toEqual(naiveGroups(given))
        const policyOfGroup = new Map(GROUPS.map((id, n) => [id, given.policyOfGroup[n] ?? null]))
        const user = { id: USER, policy_id: given.ownPolicy }
        expect(sorted(policiesOfUser(graph, policyOfGroup, user))).toEqual(
          sorted(naivePolicies(given)),
        )
        const tree = realTree(given)
        const [permissions, editors] = [realLists(given.views), realLists(given.edits)]
        const viewer = { userId: USER, groups, opened: new Set<never>() }
        const mayView = (place: number) => naiveListed(given, given.views, place)
        const mayEdit = (place: number) => mayView(place) && naiveListed(given, given.edits, place)
        expect(sorted(visibleLogs(tree, permissions, viewer))).toEqual(
          LOGS.filter((id) => mayView(logPlace(id))),
        )
        const isAbove = (id: number, folder: number): boolean =>
          folder !== 0 && (folder === id || isAbove(id, given.parents[folder - 1] ?? 0))
        expect(sorted(visibleFolders(tree, permissions, viewer))).toEqual(
          FOLDERS.filter(
            (id) =>
              FOLDERS.some((below) => isAbove(id, below) && mayView(below)) ||
              LOGS.some((log) => isAbove(id, given.places[log - 1] ?? 0) && mayView(logPlace(log))),
          ),
        )
        const access = makeNodeAccess(tree, { permissions, editors }, viewer)
        for (const id of [0, ...FOLDERS]) {
          expect(access.mayView({ kind: 'folder', id })).toBe(mayView(id))
          expect(access.mayEdit({ kind: 'folder', id })).toBe(mayEdit(id))
        }
        for (const id of LOGS)
          expect(access.mayEdit({ kind: 'log', id })).toBe(mayEdit(logPlace(id)))
      }),
      { numRuns: 400 },
    )
  })

  it('of a choice of operations are itself and all that begin with it and a point', () => {
    fc.assert(
      fc.property(fc.subarray([...OPERATIONS]), (chosen) => {
        const naive = OPERATIONS.filter((one) =>
          chosen.some((it) => `${one}.`.startsWith(`${it}.`)),
        )
        expect([...expandOperations(chosen)].sort()).toEqual([...naive].sort())
      }),
    )
  })
})
