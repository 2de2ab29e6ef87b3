// Collection policies: where events are copied, archived and removed.
import type { CollectionPolicy } from '../../../schemas/collection-policy.ts'
import { GUARDED_LOG_NAMES, GUARDED_LOGS } from '../../../schemas/names/guarded-logs.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import { readCurrentSettings } from '../accounts/account-settings.ts'
import { DEFAULT_POLICY_ID, readAllPolicies } from '../policies/collection-policies.ts'
import { listTasks } from '../tasks/tasks.ts'
import type { EventNodes } from './event-nodes.ts'
import { belowFolder } from './listener-paths.ts'
import type { Concern, PathEntry, ReadPaths } from './port.ts'

export const readPolicyPaths: ReadPaths = async (transaction, nodes) => {
  const concernsOf = await readPolicyConcerns(transaction, nodes)
  const policies = await readAllPolicies(transaction)
  return new Map(
    policies.map(({ id, name, policy, isRemoved }): [string, PathEntry] => [
      `collectionPolicy ${id}`,
      {
        mark: JSON.stringify([waysOf(policy), isRemoved]),
        name: `the collection policy ${name}`,
        ...(isRemoved ? {} : { object: name }),
        concerns: () => concernsOf(id),
      },
    ]),
  )
}

function waysOf({ description: _, ...policy }: CollectionPolicy) {
  return policy
}

/** It has the logs of the product, whether they are there yet or not, and of whatever names
 *  none. */
const OF_DEFAULT: readonly Concern[] = [
  belowFolder([], 'view'),
  ...GUARDED_LOG_NAMES.map(
    (name): Concern => ({ kind: 'operation', operation: GUARDED_LOGS[name] }),
  ),
]

/** The logs that a policy has, and where it is given to new ones. */
export async function readPolicyConcerns(
  transaction: DatabaseTransaction,
  { logs }: EventNodes,
): Promise<(policyId: number) => readonly Concern[]> {
  const given = [...(await readCurrentSettings(transaction)), ...(await readScans(transaction))]
  return (policyId) => [
    ...(policyId === DEFAULT_POLICY_ID ? OF_DEFAULT : []),
    ...[...logs.values()]
      .filter((log) => log.policyId === policyId)
      .map(({ id }): Concern => ({ kind: 'node', node: { kind: 'log', id }, asks: 'view' })),
    ...given
      .filter((one) => one.policyId === policyId)
      .map(({ parentFolder }) => belowFolder(parentFolder, 'view')),
  ]
}

export async function concernsOfPolicy(
  policyId: number,
  transaction: DatabaseTransaction,
  nodes: EventNodes,
): Promise<readonly Concern[]> {
  return (await readPolicyConcerns(transaction, nodes))(policyId)
}

async function readScans(transaction: DatabaseTransaction) {
  return (await listTasks(transaction, 'scan')).map(({ settings }) => settings)
}
