// Folders and logs: whether they are there, and from where and how the events of a log are read.
import { foldName } from '../../database/fold-name.ts'
import { NO_DEFINITION, readLogDefinition } from '../tree/log-definitions.ts'
import type { PathEntry, ReadPaths } from './port.ts'

export const readFolderPaths: ReadPaths = (_, { folders }) => {
  const state = new Map<string, PathEntry>()
  for (const { id, isRemoved } of folders.values())
    state.set(`folder ${id}`, {
      mark: String(isRemoved),
      name: 'a folder',
      concerns: () => [{ kind: 'node', node: { kind: 'folder', id }, asks: 'edit' }],
    })
  return state
}

export const readLogPaths: ReadPaths = (_, { logs }) => {
  const state = new Map<string, PathEntry>()
  for (const { id, isRemoved, definition, policyId } of logs.values()) {
    state.set(`log ${id}`, {
      mark: JSON.stringify([isRemoved, definition, policyId]),
      name: 'a log',
      concerns: () => [{ kind: 'node', node: { kind: 'log', id }, asks: 'edit' }],
    })
    const account = definition === NO_DEFINITION ? '' : readLogDefinition(definition).account
    if (account !== '') state.set(`log ${id} account`, usesAccount(account))
  }
  return state
}

/** Of what is read with the credentials of an account: who names another needs the right to change
 *  them. */
export function usesAccount(account: string): PathEntry {
  return {
    mark: foldName(account),
    name: `the account ${account}`,
    concerns: () => [],
    gained: [{ kind: 'operation', operation: 'data.accounts' }],
  }
}
