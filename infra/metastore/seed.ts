// What every database holds from its first moment: built-in groups and policies, the policy
// `Default`, the folder System with its log, and the machine's time zone (decisions 1.6, 3.10,
// 7.2).
import type { Transaction } from 'kysely'
import { REJECTED_LOG, SYSTEM_FOLDER } from '../../schemas/names/log-path.ts'
import {
  ALL_OPERATIONS,
  GROUP_ADMINISTRATORS,
  GROUP_EVERYONE,
  POLICY_ADMINISTRATORS,
  POLICY_VIEW_ONLY,
} from '../../schemas/users.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/port.ts'
import type { Tables } from '../database/tables.ts'
import { raiseVersion } from './counters.ts'
import { machineTimeZone } from './settings/setting-changes.ts'
import { insertLogs } from './tree/add-logs.ts'
import { EMPTY_TREE, loadTree } from './tree/tree-cache.ts'

const DEFAULT_POLICY = { id: 1, name: 'Default' } as const

/** Does nothing when it was done; two processes may call it at once. */
export async function seed(database: Database, clock: Pick<Clock, 'nowMs'>): Promise<void> {
  if (await isSeeded(database.read)) return
  await database.write(async (transaction) => {
    if (await isSeeded(transaction)) return
    await insertPolicies(transaction)
    await insertGroups(transaction)
    await insertSystemLog(transaction, clock.nowMs())
    await transaction
      .insertInto('settings')
      .values({ name: 'system.timeZone', value: machineTimeZone() })
      .execute()
    for (const area of ['security', 'settings'] as const) await raiseVersion(transaction, area)
  })
}

async function isSeeded(db: Database['read']): Promise<boolean> {
  const row = await db
    .selectFrom('collection_policies')
    .select('id')
    .where('id', '=', DEFAULT_POLICY.id)
    .executeTakeFirst()
  return row !== undefined
}

async function insertPolicies(transaction: Transaction<Tables>): Promise<void> {
  await transaction
    .insertInto('collection_policies')
    .values({
      ...DEFAULT_POLICY,
      name_folded: 'default',
      description: 'keeps everything',
      settings: '{}',
      removed_ms: null,
    })
    .execute()
  await transaction
    .insertInto('policies')
    .values([
      {
        ...POLICY_ADMINISTRATORS,
        name_folded: POLICY_ADMINISTRATORS.name,
        display_name: 'Administrators',
        description: 'every operation',
        operations: JSON.stringify([ALL_OPERATIONS]),
        is_fixed: 1,
      },
      {
        ...POLICY_VIEW_ONLY,
        name_folded: POLICY_VIEW_ONLY.name,
        display_name: 'View only',
        description: 'view folders and logs, nothing else',
        operations: '[]',
        is_fixed: 1,
      },
    ])
    .execute()
}

async function insertGroups(transaction: Transaction<Tables>): Promise<void> {
  await transaction
    .insertInto('user_groups')
    .values([
      {
        ...GROUP_ADMINISTRATORS,
        name_folded: GROUP_ADMINISTRATORS.name,
        display_name: 'Administrators',
        description: '',
        policy_id: POLICY_ADMINISTRATORS.id,
        is_fixed: 1,
      },
      {
        ...GROUP_EVERYONE,
        name_folded: GROUP_EVERYONE.name,
        display_name: 'Everyone',
        description: 'all users',
        policy_id: POLICY_VIEW_ONLY.id,
        is_fixed: 1,
      },
    ])
    .execute()
}

/** Nobody is named as its viewer, so only administrators see it. */
async function insertSystemLog(transaction: Transaction<Tables>, nowMs: number): Promise<void> {
  await insertLogs(
    transaction,
    EMPTY_TREE,
    [
      {
        folder: [SYSTEM_FOLDER],
        name: REJECTED_LOG,
        accountId: null,
        policyId: DEFAULT_POLICY.id,
        appTags: [],
        typeWords: [],
        receivedHour: 0,
      },
    ],
    nowMs,
  )
  const tree = await loadTree(transaction, EMPTY_TREE, 0)
  const folderId = tree.folderIdByPath.get(SYSTEM_FOLDER)
  if (folderId === undefined) return
  await transaction
    .insertInto('node_permissions')
    .values({ node_kind: 'folder', node_id: folderId, view_groups: '[]', view_users: '[]' })
    .execute()
}
