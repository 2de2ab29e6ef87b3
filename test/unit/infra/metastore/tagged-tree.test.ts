// Tags of logs against a plain reading of the rules, over random trees and tags.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderTags } from '../../../../infra/metastore/tags/order-tags.ts'
import { TaggedTree } from '../../../../infra/metastore/tags/tagged-tree.ts'
import type { LogRecord } from '../../../../infra/metastore/tree/port.ts'
import { EMPTY_TREE, mergeTree } from '../../../../infra/metastore/tree/tree-cache.ts'
import { readTagQuery } from '../../../../query/configuration/source-scope.ts'
import { appTagSchema, type NamedAppTag } from '../../../../schemas/app-tag.ts'

const TAGS = ['T0', 'T1', 'T2', 'T3']
const FOLDERS = ['a', 'b', 'a c', 'b c']

const folderRow = (name: string, id: number, parent_id: number, changed: number) => ({
  ...{ id, parent_id, name, changed, description: '', removed_ms: null },
})
const logRow = (id: number, folder_id: number, tags: readonly string[], changed: number) => ({
  ...{ id, folder_id, name: `log${id}`, account_id: (id % 2) + 1, policy_id: 1, changed },
  ...{ app_tags: JSON.stringify(tags), type_words: '[]', received_hour: 0, made_ms: 0 },
  ...{ description: '', definition: '{}', removed_ms: null },
})

/** T<n> asks at most for tags before it, so there is no circle. */
const tagArbitrary = (n: number) =>
  fc.record({
    folders: fc.subarray([1, 2, 3, 4]),
    logs: fc.subarray([1, 2, 3, 4, 5, 6]),
    accounts: fc.subarray([1, 2]),
    query: fc.subarray([
      ...['folder.a', 'folder.a c', 'log.log1', 'log.b->*', 'folder.b*'],
      ...TAGS.slice(0, n).map((name) => `apptag.${name}`),
    ]),
  })
const worldArbitrary = fc.record({
  /** Of each log its folder and the tags that it was given by name. */
  logs: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.subarray(TAGS)), { maxLength: 6 }),
  tags: fc.tuple(tagArbitrary(0), tagArbitrary(1), tagArbitrary(2), tagArbitrary(3)),
})
type World = typeof worldArbitrary extends fc.Arbitrary<infer T> ? T : never

/** Folder 3 lies in 1, and 4 in 2. */
const PARENT = new Map([
  [1, 0],
  [2, 0],
  [3, 1],
  [4, 2],
])

function makeTree({ logs }: Pick<World, 'logs'>) {
  const folders = FOLDERS.map((name, index) =>
    folderRow(name, index + 1, PARENT.get(index + 1) ?? 0, 1),
  )
  return mergeTree(
    EMPTY_TREE,
    folders,
    logs.map(([folder, tags], index) => logRow(index + 1, folder, tags, 1)),
  )
}

const makeTags = ({ tags }: Pick<World, 'tags'>): NamedAppTag[] =>
  tags.map(({ query, ...by }, n) => ({
    id: n,
    name: TAGS[n] ?? '',
    tag: appTagSchema.parse({ ...by, sourceQuery: query.join(', ') }),
  }))

/** By the words of the rule, a tag at a time. */
function expectedTags(log: LogRecord, { tags }: Pick<World, 'tags'>): string[] {
  const has = new Set(log.appTags)
  const folderIds = [log.folderId, PARENT.get(log.folderId) ?? 0]
  const path = [...log.folder, log.name].join('->')
  const asked: Readonly<Record<string, () => boolean>> = {
    'folder.a': () => log.folder.includes('a'),
    'folder.a c': () => log.folder.includes('a c'),
    'log.log1': () => log.name === 'log1',
    'log.b->*': () => path.startsWith('b->'),
    'folder.b*': () => log.folder.some((level) => level.startsWith('b')),
  }
  tags.forEach(({ folders, logs, accounts, query }, n) => {
    const isMember =
      folders.some((id) => folderIds.includes(id)) ||
      logs.includes(log.id) ||
      accounts.includes(log.accountId ?? 0) ||
      query.some((item) => asked[item]?.() ?? has.has(item.slice('apptag.'.length)))
    if (isMember) has.add(TAGS[n] ?? '')
  })
  return [...has].sort()
}

describe('tags of logs', () => {
  it('are those of the rules, whatever order the tags are given in', () => {
    fc.assert(
      fc.property(worldArbitrary, fc.boolean(), (world, isReversed) => {
        const tagged = new TaggedTree()
        tagged.readQueriesBy(readTagQuery)
        const from = makeTree(world)
        const tags = makeTags(world)
        const tree = tagged.tree(from, isReversed ? tags.reverse() : tags)
        for (const log of from.logs.values()) {
          const found = tree.logs.get(log.id)
          expect([...(found?.appTags ?? [])].sort()).toEqual(expectedTags(log, world))
          expect(tree.logsByPath.get([...log.folder, log.name].join('->'))).toBe(found)
        }
      }),
    )
  })

  it('are asked of new logs only', () => {
    const asked: string[] = []
    const tagged = new TaggedTree()
    tagged.readQueriesBy(() => ({
      selects: ({ name, id }) => {
        asked.push(`${name}/${id}`)
        return true
      },
      namesTag: () => false,
    }))
    const tags = [{ id: 1, name: 'T', tag: appTagSchema.parse({ sourceQuery: '*' }) }]
    const before = makeTree({ logs: [[1, []]] })
    const first = tagged.tree(before, tags)
    expect(tagged.tree(before, tags)).toBe(first)
    const after = mergeTree(before, [], [logRow(2, 1, [], 2)])
    expect([...tagged.tree(after, tags).logs.values()].map(({ appTags }) => appTags)).toEqual([
      ...[['T'], ['T']],
    ])
    expect(asked).toEqual(['log1/1', 'log2/2'])
  })

  it('end where tags ask for each other in a circle', () => {
    const tagged = new TaggedTree()
    tagged.readQueriesBy(readTagQuery)
    const tags = ['x', 'y'].map((name, id) => ({
      ...{ id, name },
      tag: appTagSchema.parse({ sourceQuery: `apptag.${name === 'x' ? 'y' : 'x'}, log.log1` }),
    }))
    const tree = tagged.tree(makeTree({ logs: [[1, []]] }), tags)
    expect([...(tree.logs.get(1)?.appTags ?? [])].sort()).toEqual(['x', 'y'])
    const { circle } = orderTags(
      ['x', 'y', 'z'],
      (tag, other) => tag !== 'z' && other !== 'z' && tag !== other,
    )
    expect(circle).toEqual(['x', 'y', 'x'])
  })
})
