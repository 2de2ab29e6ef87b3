// Logs, by their path.
import { EMPTY_TREE, loadTree } from '../../../../infra/metastore/tree/tree-cache.ts'
import { ENTRY_SEPARATOR } from '../../../../schemas/log-definition.ts'
import { SYSTEM_FOLDER } from '../../../../schemas/names/log-path.ts'
import { PATTERN_SEPARATOR } from '../../../../schemas/sdk/sample.ts'
import { pathValue } from '../../../../schemas/sdk/values.ts'
import type { ObjectArguments, ObjectKind } from '../object-kind.ts'
import { readPolicyNames } from '../policy-names.ts'
import { printList } from '../print-values.ts'
import { refTo } from '../ref-to.ts'
import { findHandMade } from './hand-made.ts'
import { nodeName, parentOf, placeArguments } from './node-names.ts'

export const log: ObjectKind = {
  type: 'log',
  command: 'addLog',
  isCaseSensitive: true,
  isReadByViewers: true,
  nameOf: nodeName,
  rename: (given, newName) => ({ ...given, ...placeArguments(pathValue.parse(newName)) }),
  needs: (given) => [
    ...parentOf(given),
    ...refTo('collectionPolicy', given.collectionPolicy),
    ...refTo('template', given.template),
  ],
  readAll: async (transaction, { logs: visible }) => {
    const tree = await loadTree(transaction, EMPTY_TREE, 0)
    const handMade = await findHandMade(transaction, tree)
    const policyNames = await readPolicyNames(transaction)
    return [...tree.logs.values()].flatMap((record) => {
      const { id, folder, name, definition } = record
      if (folder[0] === SYSTEM_FOLDER) return []
      if (visible !== 'all' && !visible.has(id)) return []
      const given: ObjectArguments = {
        ...placeArguments([...folder, name]),
        description: record.description,
        filePaths: definition.filePaths.join(ENTRY_SEPARATOR),
        account: definition.account,
        unc: definition.unc,
        pattern: definition.patterns.join(PATTERN_SEPARATOR),
        template: definition.template,
        collectionPolicy: policyNames.get(record.policyId) ?? '',
        appTags: printList(record.appTags),
        charSet: definition.charSet ?? '',
        timeZone: definition.timeZone ?? '',
        dataFilterQuery: definition.dataFilterQuery,
      }
      const origin = handMade.logs.has(id) ? {} : ({ origin: 'data' } as const)
      return [{ name: nodeName(given), arguments: given, ...origin }]
    })
  },
  removal: { command: 'removeMember', arguments: (name) => ({ path: name, type: 'log' }) },
  dataAfterRemoval:
    'its events stay on disk, and are found again when a log of the same path is made',
}
