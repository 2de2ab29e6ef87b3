// Listener accounts. A token is kept nowhere: an account that is made again has a new one.

import { listAccounts } from '../../../infra/metastore/accounts/listener-accounts.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { printLimit } from '../../../schemas/masking/shaping-values.ts'
import { printFolder } from '../../../schemas/names/log-path.ts'
import { PATTERN_SEPARATOR } from '../../../schemas/sdk/sample.ts'
import { isFolderSeen } from '../tasks/seen-folder.ts'
import type { DescribedObject, ObjectArguments, ObjectKind } from './object-kind.ts'
import { readPolicyNames } from './policy-names.ts'
import { printList, printSplitColumns } from './print-values.ts'
import { refTo } from './ref-to.ts'

export const listener: ObjectKind = {
  type: 'listener',
  command: 'addListener',
  shownOnce: ['token'],
  nameOf: ({ name = '' }) => name.trim(),
  rename: (given, newName) => ({ ...given, name: newName }),
  needs: (given) => [
    ...refTo('collectionPolicy', given.collectionPolicy),
    ...refTo('template', given.template),
  ],
  readAll: async (transaction, viewer) => {
    const policyNames = await readPolicyNames(transaction)
    const described: DescribedObject[] = []
    for (const account of await listAccounts(transaction)) {
      if (!(await isFolderSeen(transaction, account.parentFolder, viewer))) continue
      const given = describe(account, policyNames.get(account.policyId) ?? '')
      described.push({ name: account.name, arguments: given, secrets: ['token'] })
    }
    return described
  },
  removal: { command: 'removeAccount', arguments: (name) => ({ name }) },
}

function describe(account: ListenerAccount, collectionPolicy: string): ObjectArguments {
  return {
    name: account.name,
    description: account.description,
    enabled: String(account.isEnabled),
    parentFolder: printFolder(account.parentFolder),
    collectionPolicy,
    appTags: printList(account.appTags),
    logNamePrefix: account.logNamePrefix,
    splitBySource: account.sourceSplit,
    ipMask: String(account.maskBitsV4),
    ipMaskV6: String(account.maskBitsV6),
    messageKeys: printList(account.messageKeys),
    splitColumns: printSplitColumns(account.splitColumns),
    timeKey: account.timeKey ?? '',
    timeZone: account.timeZone ?? '',
    jsonParsingLevel: String(account.jsonParsingLevel),
    template: account.template ?? '',
    pattern: (account.patterns ?? []).join(PATTERN_SEPARATOR),
    maskRules: (account.maskRules ?? []).join(PATTERN_SEPARATOR),
    dropFilter: account.dropFilter ?? '',
    sampledPercent: String(account.sampledPercent ?? 100),
    allowedAddresses: (account.allowedAddresses ?? []).join(','),
    maxEventsPerSecond: printLimit(account.maxEventsPerSecond),
    maxBytesPerSecond: printLimit(account.maxBytesPerSecond),
    maxBytesPerDay: printLimit(account.maxBytesPerDay),
    listeningNode: account.listeningNode ?? '',
  }
}
