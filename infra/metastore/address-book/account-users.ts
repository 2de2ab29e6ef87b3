// What names an account of the address book: it cannot be removed meanwhile.
import { forwardAccount } from '../../../schemas/collection-policy.ts'
import { foldName } from '../../database/fold-name.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import { findTargetUsers } from '../monitors/monitors.ts'
import { listPolicies } from '../policies/collection-policies.ts'
import { findTargetReports } from '../reports/reports.ts'
import { findTaskUsers } from '../tasks/task-users.ts'
import { NO_DEFINITION, readLogDefinition } from '../tree/log-definitions.ts'

const MAX_NAMED = 5

/** `the log access`, `1 scan task`, a few at most; of logs that the caller may not view, that
 *  there are such. */
export async function findAccountUsers(
  transaction: DatabaseTransaction,
  name: string,
  visibleLogs: 'all' | ReadonlySet<number>,
): Promise<readonly string[]> {
  const folded = foldName(name)
  const logs = await transaction
    .selectFrom('logs')
    .select(['id', 'name', 'definition'])
    .where('definition', '!=', NO_DEFINITION)
    .where('removed_ms', 'is', null)
    .execute()
  const using = logs.filter((log) => foldName(readLogDefinition(log.definition).account) === folded)
  const named = using.filter(({ id }) => visibleLogs === 'all' || visibleLogs.has(id))
  return [
    ...named.slice(0, MAX_NAMED).map((log) => `the log ${log.name}`),
    ...(named.length < using.length ? ['logs that you may not view'] : []),
    ...(await findTaskUsers(transaction, { account: name })),
    ...(await findTargetUsers(transaction, name)),
    ...(await findTargetReports(transaction, name)),
    ...(await findArchiveUsers(transaction, folded)),
  ]
}

/** Collection policies that archive or forward there, and archives that are there. */
async function findArchiveUsers(
  transaction: DatabaseTransaction,
  folded: string,
): Promise<readonly string[]> {
  const policies = await listPolicies(transaction)
  const using = policies.filter(({ policy: { archiveAccount, forwardTo } }) =>
    [archiveAccount, forwardAccount(forwardTo)].some((one) => foldName(one) === folded),
  )
  const archives = await transaction.selectFrom('archives').select('account').execute()
  return [
    ...using.slice(0, MAX_NAMED).map(({ name }) => `the collection policy ${name}`),
    ...(archives.some(({ account }) => foldName(account) === folded) ? ['archives'] : []),
  ]
}
