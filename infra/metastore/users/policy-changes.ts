// Changes of policies, each inside the caller's write transaction.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { type Operation, shortenOperations } from '../../../schemas/users.ts'
import { foldName } from '../../database/fold-name.ts'
import type { PolicyRow, Tables } from '../../database/tables.ts'
import { raiseVersion, takeIds } from '../counters.ts'
import { refuseAlike, requireNameCharacters } from '../new-names.ts'

export type PolicyChange = {
  readonly displayName?: string | undefined
  readonly description?: string | undefined
  /** Replaces the choice. */
  readonly operations?: readonly Operation[] | undefined
  /** Replaces what is hidden. */
  readonly masks?: readonly string[] | undefined
}

/** Fails with object.exists, object.looks_alike, object.invalid (name). */
export async function addPolicy(
  transaction: Transaction<Tables>,
  name: string,
  change: PolicyChange,
): Promise<void> {
  requireNameCharacters('policy', name)
  const policies = await transaction.selectFrom('policies').selectAll().execute()
  const known = policies.find((policy) => policy.name_folded === foldName(name))
  if (known !== undefined) throw new Failure('object.exists', { kind: 'policy', name: known.name })
  refuseAlike('policy', name, policies)
  await transaction
    .insertInto('policies')
    .values({
      id: await takeIds(transaction, 'policy', 1),
      name,
      name_folded: foldName(name),
      display_name: change.displayName ?? name,
      description: change.description ?? '',
      operations: JSON.stringify(shortenOperations(change.operations ?? [])),
      masks: change.masks === undefined ? null : JSON.stringify(change.masks),
      is_fixed: 0,
    })
    .execute()
  await raiseVersion(transaction, 'security')
}

/** What is not given stays. Fails with object.not_found, object.built_in. */
export async function editPolicy(
  transaction: Transaction<Tables>,
  name: string,
  change: PolicyChange,
): Promise<void> {
  const policy = await requireChangeable(transaction, name)
  await transaction
    .updateTable('policies')
    .set({
      display_name: change.displayName ?? policy.display_name,
      description: change.description ?? policy.description,
      operations:
        change.operations === undefined
          ? policy.operations
          : JSON.stringify(shortenOperations(change.operations)),
      masks: change.masks === undefined ? policy.masks : JSON.stringify(change.masks),
    })
    .where('id', '=', policy.id)
    .execute()
  await raiseVersion(transaction, 'security')
}

/** Fails with object.not_found, object.built_in, object.in_use. */
export async function removePolicy(transaction: Transaction<Tables>, name: string): Promise<void> {
  const { id } = await requireChangeable(transaction, name)
  const users = await transaction
    .selectFrom('users')
    .select('name')
    .where('policy_id', '=', id)
    .where('removed_ms', 'is', null)
    .orderBy('id')
    .execute()
  const groups = await transaction
    .selectFrom('user_groups')
    .select('name')
    .where('policy_id', '=', id)
    .orderBy('id')
    .execute()
  const tokens = await transaction
    .selectFrom('api_tokens')
    .select('id')
    .where('policy_id', '=', id)
    .execute()
  const by = [
    ...groups.map((group) => `group ${group.name}`),
    ...users.map((user) => `user ${user.name}`),
    // Their names are their users' own.
    ...(tokens.length > 0 ? ['API tokens'] : []),
  ]
  if (by.length > 0)
    throw new Failure('object.in_use', { kind: 'policy', name, users: by.join(', ') })
  // Rows of removed users stay.
  await transaction
    .updateTable('users')
    .set({ policy_id: null })
    .where('policy_id', '=', id)
    .execute()
  await transaction.deleteFrom('policies').where('id', '=', id).execute()
  await raiseVersion(transaction, 'security')
}

/** Null for none and ''. Fails with object.not_found. */
export async function findPolicyId(
  transaction: Transaction<Tables>,
  name: string | undefined,
): Promise<number | null> {
  if (name === undefined || name === '') return null
  return (await requirePolicy(transaction, name)).id
}

/** Fails with object.not_found. */
export async function requirePolicy(
  transaction: Transaction<Tables>,
  name: string,
): Promise<PolicyRow> {
  const row = await transaction
    .selectFrom('policies')
    .selectAll()
    .where('name_folded', '=', foldName(name))
    .executeTakeFirst()
  if (row === undefined) throw new Failure('object.not_found', { kind: 'policy', name })
  return row
}

async function requireChangeable(
  transaction: Transaction<Tables>,
  name: string,
): Promise<PolicyRow> {
  const policy = await requirePolicy(transaction, name)
  if (policy.is_fixed === 1)
    throw new Failure('object.built_in', { kind: 'policy', name: policy.name })
  return policy
}
