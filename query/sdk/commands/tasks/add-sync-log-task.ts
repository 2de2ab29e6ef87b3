// addSyncLogTask: makes a task that copies logs of machines, or with -update changes one.
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { requireListeningNode } from '../../../../infra/metastore/accounts/listening-nodes.ts'
import { requireBookAccount } from '../../../../infra/metastore/address-book/book-accounts.ts'
import { addTask, changeTask } from '../../../../infra/metastore/tasks/tasks.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { addSyncLogTask as published } from '../../../../schemas/sdk/tasks/add-sync-log-task.ts'
import type { PathTools } from '../../server/path-tools.ts'
import { serveCommand } from '../../server/serve-command.ts'
import { describeTask } from '../../tasks/describe-task.ts'
import { readSyncConfiguration } from '../../tasks/read-sync-configuration.ts'

const DEFAULTS = { cron: '', accounts: [], assignedNode: null }

export const addSyncLogTask = serveCommand(
  published,
  (input, { clock, paths }) => {
    const { name, configFile, assignedNode } = input
    const named = configFile === undefined ? undefined : namedIn(configFile)
    return async (transaction) => {
      const nowMs = clock.nowMs()
      const change = {
        description: input.description,
        isEnabled: input.enabled,
        settings: {
          ...{ cron: input.cron, configuration: configFile },
          accounts: named === undefined ? undefined : await requireAll(transaction, named),
          assignedNode:
            typeof assignedNode === 'string'
              ? await requireListeningNode(transaction, assignedNode, nowMs)
              : assignedNode,
        },
      }
      const what = { kind: 'syncLog', name } as const
      const task =
        input.update === true
          ? await changeTask(transaction, clock, { ...what, ...change })
          : await addTask(transaction, clock, { ...what, defaults: DEFAULTS, ...change })
      requirePaths(task.settings.configuration, paths)
      return describeTask(transaction, task, nowMs)
    }
  },
  {
    arguments: { listeningNode: 'assignedNode' },
    hints: { 'object.exists': 'give -update true to change it' },
  },
)

/** Of this machine, also those that the task had before. */
function requirePaths(text: string, paths: PathTools): void {
  const read = readSyncConfiguration(text)
  if ('fault' in read) return
  const { repository, nodes } = read.plan
  if ('folder' in repository) paths.requireCopyable('configFile', repository.folder)
  for (const { account, directories } of nodes)
    for (const { directory } of account === '' ? directories : [])
      paths.requireReadable('configFile', directory)
}

/** Accounts that the file names. Fails with sdk.argument. */
function namedIn(text: string): readonly string[] {
  const read = readSyncConfiguration(text)
  if ('fault' in read)
    throw new Failure('sdk.argument', { argument: 'configFile', reason: read.fault })
  return read.accounts
}

async function requireAll(
  transaction: DatabaseTransaction,
  names: readonly string[],
): Promise<readonly string[]> {
  const spelled = new Set<string>()
  for (const name of names) spelled.add(await requireBookAccount(transaction, name))
  return [...spelled]
}
