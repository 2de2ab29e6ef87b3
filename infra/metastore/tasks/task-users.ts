// Tasks that name another object: it cannot be removed meanwhile.
import { TASK_KINDS, type TaskKind } from '../../../schemas/task.ts'
import { foldName } from '../../database/fold-name.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import { listTasks } from './tasks.ts'

type Named =
  | { readonly policyId: number }
  | { readonly template: string }
  | { readonly account: string }

/** `2 scan tasks`: not by name, since who removes it may not know of tasks. */
export async function findTaskUsers(
  transaction: Pick<DatabaseTransaction, 'selectFrom'>,
  object: Named,
): Promise<readonly string[]> {
  const scans = (await listTasks(transaction, 'scan')).filter(({ settings }) => {
    if ('policyId' in object) return settings.policyId === object.policyId
    return 'template' in object
      ? isSame(settings.template, object.template)
      : isSame(settings.account, object.account)
  })
  const syncLogs = (await listTasks(transaction, 'syncLog')).filter(
    ({ settings }) =>
      'account' in object && settings.accounts.some((name) => isSame(name, object.account)),
  )
  const queries = (await listTasks(transaction, 'query')).filter(
    ({ settings }) => 'account' in object && isSame(settings.account, object.account),
  )
  return [
    ...count('scan', scans.length),
    ...count('syncLog', syncLogs.length),
    ...count('query', queries.length),
  ]
}

function isSame(one: string, other: string): boolean {
  return foldName(one) === foldName(other)
}

function count(kind: TaskKind, number: number): string[] {
  if (number === 0) return []
  return [`${number} ${TASK_KINDS[kind]}${number === 1 ? '' : 's'}`]
}
