// What is removed leaves the tree in memory, and comes back under its id.
import { expect, it } from 'vitest'
import {
  EMPTY_TREE,
  type IndexedTree,
  mergeTree,
} from '../../../../infra/metastore/tree/tree-cache.ts'

const folder = (id: number, parentId: number, removedMs: number | null = null) => ({
  ...{ id, parent_id: parentId, name: `f${id}`, changed: 1 },
  ...{ description: '', removed_ms: removedMs },
})
const log = (id: number, folderId: number, removedMs: number | null = null) => ({
  ...{ id, folder_id: folderId, name: `l${id}`, account_id: null, policy_id: 1 },
  ...{ app_tags: '[]', type_words: '[]', received_hour: 0, made_ms: 0, changed: 1 },
  ...{ description: '', definition: '{}', removed_ms: removedMs },
})
const paths = (tree: IndexedTree) => ({
  folders: [...tree.folderIdByPath.keys()],
  logs: [...tree.logsByPath.keys()],
  removedFolders: [...tree.removedFolderIdByPath.keys()],
  removedLogs: [...tree.removedLogsByPath.keys()],
})

it('takes removed folders and logs out of the tree, and puts them back', () => {
  const full = mergeTree(EMPTY_TREE, [folder(1, 0), folder(2, 1)], [log(1, 1), log(2, 2)])
  const without = mergeTree(full, [folder(1, 0, 9), folder(2, 1, 9)], [log(1, 1, 9), log(2, 2, 9)])
  expect(paths(without)).toEqual({
    folders: [''],
    logs: [],
    removedFolders: ['f1', 'f1->f2'],
    removedLogs: ['f1->l1', 'f1->f2->l2'],
  })
  expect([without.folders.size, without.logs.size]).toEqual([0, 0])
  // Only what was made again is in the rows that have changed.
  const again = mergeTree(without, [folder(1, 0), folder(2, 1)], [log(2, 2)])
  expect(paths(again)).toEqual({
    folders: ['', 'f1', 'f1->f2'],
    logs: ['f1->f2->l2'],
    removedFolders: [],
    removedLogs: ['f1->l1'],
  })
  expect(again.logsByPath.get('f1->f2->l2')).toMatchObject({ id: 2, folder: ['f1', 'f2'] })
  expect(paths(full).logs).toEqual(['f1->l1', 'f1->f2->l2'])
})

it('is the same whether it is read at once or change by change', () => {
  const rows = [
    [folder(1, 0), folder(2, 1, 9)],
    [log(1, 1), log(2, 2, 9)],
  ] as const
  const atOnce = mergeTree(EMPTY_TREE, ...rows)
  const before = mergeTree(EMPTY_TREE, [folder(1, 0), folder(2, 1)], [log(1, 1), log(2, 2)])
  const later = mergeTree(before, [folder(2, 1, 9)], [log(2, 2, 9)])
  expect(later).toEqual(atOnce)
})
