import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type NodePermissions,
  type Viewers,
  visibleLogs,
} from '../../../../infra/metastore/rights/visible-logs.ts'
import { EMPTY_TREE, mergeTree } from '../../../../infra/metastore/tree/tree-cache.ts'
import { GROUP_EVERYONE } from '../../../../schemas/users.ts'

const folder = (id: number, parentId: number) => ({
  id,
  parent_id: parentId,
  name: `f${id}`,
  changed: 1,
  description: '',
  removed_ms: null,
})
const log = (id: number, folderId: number) => ({
  id,
  folder_id: folderId,
  name: `l${id}`,
  account_id: null,
  policy_id: 1,
  app_tags: '[]',
  type_words: '[]',
  received_hour: 0,
  made_ms: 0,
  changed: 1,
  description: '',
  definition: '{}',
  removed_ms: null,
})
/** f1 > f2 > f3, a log in each with the folder's number, l4 a second one in f3. */
const tree = mergeTree(
  EMPTY_TREE,
  [folder(1, 0), folder(2, 1), folder(3, 2)],
  [log(1, 1), log(2, 2), log(3, 3), log(4, 3)],
)
const viewers = (groups: number[], users: number[] = []): Viewers => ({
  groups: new Set(groups),
  users: new Set(users),
})
const permissions = (
  folders: [number, Viewers][],
  logs: [number, Viewers][] = [],
): NodePermissions => ({ folders: new Map(folders), logs: new Map(logs) })
const ann = { userId: 100, groups: new Set([GROUP_EVERYONE.id, 7]), opened: new Set<never>() }
const see = (given: NodePermissions) => [...visibleLogs(tree, given, ann)].sort()

describe('visibleLogs', () => {
  it('lets everyone view what nobody restricted', () => {
    expect(see(permissions([]))).toEqual([1, 2, 3, 4])
  })

  it('passes the list of a folder down to all that sets none of its own', () => {
    expect(see(permissions([[2, viewers([8])]]))).toEqual([1])
    expect(see(permissions([[2, viewers([7])]]))).toEqual([1, 2, 3, 4])
  })

  it('lets a deeper list replace the one above, wider or narrower', () => {
    expect(
      see(
        permissions([
          [1, viewers([])],
          [3, viewers([7])],
        ]),
      ),
    ).toEqual([3, 4])
    expect(
      see(
        permissions([
          [1, viewers([7])],
          [3, viewers([])],
        ]),
      ),
    ).toEqual([1, 2])
  })

  it('lets the list of a log replace that of its folder', () => {
    expect(see(permissions([[3, viewers([])]], [[4, viewers([], [100])]]))).toEqual([1, 2, 4])
    expect(see(permissions([], [[4, viewers([])]]))).toEqual([1, 2, 3])
  })

  it('takes the list of the root for what nobody else restricts', () => {
    expect(
      see(
        permissions([
          [0, viewers([])],
          [2, viewers([GROUP_EVERYONE.id])],
        ]),
      ),
    ).toEqual([2, 3, 4])
  })

  it('names the user or one of the groups, no other', () => {
    expect(see(permissions([[0, viewers([], [101])]]))).toEqual([])
    expect(see(permissions([[0, viewers([], [100])]]))).toEqual([1, 2, 3, 4])
  })

  it('decides each log by its nearest list, in any tree', () => {
    const anyList = fc.option(fc.subarray([GROUP_EVERYONE.id, 7, 8]), { nil: undefined })
    const anyTree = fc.array(fc.record({ parent: fc.nat(), list: anyList, log: anyList }), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(anyTree, anyList, (nodes, rootList) => {
        const parentOf = nodes.map((node, index) => node.parent % (index + 1))
        const any = mergeTree(
          EMPTY_TREE,
          nodes.map((_, index) => folder(index + 1, parentOf[index] ?? 0)),
          nodes.map((_, index) => log(index + 1, index + 1)),
        )
        const folders = new Map<number, Viewers>()
        const logs = new Map<number, Viewers>()
        if (rootList !== undefined) folders.set(0, viewers(rootList))
        nodes.forEach((node, index) => {
          if (node.list !== undefined) folders.set(index + 1, viewers(node.list))
          if (node.log !== undefined) logs.set(index + 1, viewers(node.log))
        })
        const nearest = (id: number): number[] | undefined => {
          if (id === 0) return rootList
          return nodes[id - 1]?.list ?? nearest(parentOf[id - 1] ?? 0)
        }
        const expected = nodes
          .map((node, index) => ({ id: index + 1, list: node.log ?? nearest(index + 1) }))
          .filter(({ list }) => list === undefined || list.some((group) => ann.groups.has(group)))
          .map(({ id }) => id)
        expect([...visibleLogs(any, { folders, logs }, ann)]).toEqual(expected)
      }),
    )
  })
})
