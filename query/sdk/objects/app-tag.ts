// App tags. What a log was given by name is told of the log; members by hand that the caller may
// not view are left out.
import { listAccounts } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { isByNameAlone, removeTag, requireTag } from '../../../infra/metastore/tags/app-tags.ts'
import { readTags } from '../../../infra/metastore/tags/tag-state.ts'
import { TaggedTree } from '../../../infra/metastore/tags/tagged-tree.ts'
import type { Tree } from '../../../infra/metastore/tree/port.ts'
import { EMPTY_TREE, type IndexedTree, loadTree } from '../../../infra/metastore/tree/tree-cache.ts'
import type { NamedAppTag } from '../../../schemas/app-tag.ts'
import { Failure } from '../../../schemas/failures.ts'
import { LEVEL_SEPARATOR } from '../../../schemas/names/log-path.ts'
import { listValue } from '../../../schemas/sdk/values.ts'
import { readTagQuery } from '../../configuration/source-scope.ts'
import type { ObjectArguments, ObjectKind, ObjectRef, ObjectViewer } from './object-kind.ts'
import { printList } from './print-values.ts'

export const appTag: ObjectKind = {
  type: 'appTag',
  command: 'addAppTag',
  nameOf: ({ name = '' }) => name.trim(),
  rename: (given, newName) => ({ ...given, name: newName }),
  needs: (given) => [
    ...refsOf('folder', given.folders),
    ...refsOf('log', given.logs),
    ...refsOf('listener', given.accounts),
  ],
  readAll: async (transaction, viewer) => {
    const raw = await loadTree(transaction, EMPTY_TREE, 0)
    const tags = await readTags(transaction)
    const tagged = new TaggedTree()
    tagged.readQueriesBy(readTagQuery)
    const isSeen = seenTags(tagged.tree(raw, tags), viewer)
    const accounts = await listAccounts(transaction)
    const accountNames = new Map(accounts.map(({ id, name }) => [id, name]))
    return tags.filter(isSeen).map((one) => {
      const described = { name: one.name, arguments: describe(one, raw, viewer, accountNames) }
      return isByNameAlone(one) ? { ...described, origin: 'data' } : described
    })
  },
  removal: {
    remove: async (transaction, name, _nowMs, viewer) => {
      const { name: kept } = await requireTag(transaction, name)
      const seen = await appTag.readAll(transaction, viewer)
      if (!seen.some((one) => one.name === kept))
        throw new Failure('object.not_found', { kind: 'app tag', name })
      await removeTag(transaction, name, viewer.logs)
    },
  },
}

/** A tag is hidden with its logs; one without logs hides nothing, and one with a source query is
 *  hidden from nobody who may change tags: whoever writes a query would learn, by a tag that goes,
 *  which hidden names there are. */
function seenTags({ logs }: Tree, viewer: ObjectViewer): (tag: NamedAppTag) => boolean {
  const all = new Set<string>()
  const seen = new Set<string>()
  for (const { id, appTags } of logs.values())
    for (const name of appTags) {
      all.add(name)
      if (viewer.logs === 'all' || viewer.logs.has(id)) seen.add(name)
    }
  return ({ name, tag }) => tag.sourceQuery !== '' || seen.has(name) || !all.has(name)
}

function describe(
  { name, tag }: NamedAppTag,
  { folderLevels, logs }: IndexedTree,
  viewer: ObjectViewer,
  accountNames: ReadonlyMap<number, string>,
): ObjectArguments {
  const folders = tag.folders
    .filter((id) => viewer.folders === 'all' || viewer.folders.has(id))
    .map((id) => folderLevels.get(id)?.join(LEVEL_SEPARATOR))
  const members = tag.logs
    .filter((id) => viewer.logs === 'all' || viewer.logs.has(id))
    .map((id) => logs.get(id))
    .map((log) => log && [...log.folder, log.name].join(LEVEL_SEPARATOR))
  return {
    name,
    description: tag.description,
    sourceQuery: tag.sourceQuery,
    folders: printNames(folders),
    logs: printNames(members),
    accounts: printNames(tag.accounts.map((id) => accountNames.get(id))),
    parameters: printParameters(tag.parameters),
    timeZone: tag.timeZone ?? '',
  }
}

/** Without what was removed. */
function printNames(names: readonly (string | undefined)[]): string {
  return printList(names.filter((name) => name !== undefined))
}

/** `a=1,b=2`; a JSON object where that would be read differently. */
function printParameters(parameters: Readonly<Record<string, string>>): string {
  const values = Object.values(parameters)
  return values.some((value) => value.includes(',') || value.trim() !== value)
    ? JSON.stringify(parameters)
    : Object.entries(parameters)
        .map(([name, value]) => `${name}=${value}`)
        .join(',')
}

function refsOf(type: ObjectRef['type'], list: string | undefined): ObjectRef[] {
  const names = listValue.safeParse(list ?? '')
  return (names.data ?? []).map((name) => ({ type, name }))
}
