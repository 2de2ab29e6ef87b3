// Takes a folder with all that lies in it, or one log, out of the tree, inside the caller's write
// transaction. Rows and events stay: made again under its path, a log has its id and its events
// (docs/decisions/0036).
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { LEVEL_SEPARATOR, SYSTEM_FOLDER } from '../../../schemas/names/log-path.ts'
import type { Clock } from '../../clock.ts'
import type { Tables } from '../../database/tables.ts'
import { raiseVersion } from '../counters.ts'
import { type NodePlace, requireFolder, requireLog } from './find-node.ts'

export type RemovedNodes = {
  readonly folders: number
  readonly logs: number
  /** Enabled listener accounts that made some of the logs, by name. */
  readonly accounts: readonly string[]
}

const IDS_A_STATEMENT = 500

/** Fails with object.not_found, object.built_in (System, the root). */
export async function removeNode(
  transaction: Transaction<Tables>,
  clock: Pick<Clock, 'nowMs'>,
  { kind, levels }: NodePlace,
): Promise<RemovedNodes> {
  if (levels.length === 0 || levels[0] === SYSTEM_FOLDER) {
    const name = levels.length === 0 ? 'ROOT' : levels.join(LEVEL_SEPARATOR)
    throw new Failure('object.built_in', { kind, name })
  }
  const log = kind === 'log' ? await requireLog(transaction, levels) : undefined
  const folderIds =
    log === undefined ? await withBelow(transaction, await requireFolder(transaction, levels)) : []
  const logs =
    log === undefined
      ? await logsIn(transaction, folderIds)
      : [{ id: log.id, account_id: log.account_id }]
  const changed = await raiseVersion(transaction, 'tree')
  const gone = { removed_ms: clock.nowMs(), changed }
  for (const ids of chunks(logs.map(({ id }) => id)))
    await transaction.updateTable('logs').set(gone).where('id', 'in', ids).execute()
  for (const ids of chunks(folderIds))
    await transaction.updateTable('folders').set(gone).where('id', 'in', ids).execute()
  const accounts = await namesOfAccounts(transaction, new Set(logs.map((one) => one.account_id)))
  return { folders: folderIds.length, logs: logs.length, accounts }
}

/** The folder and all folders below it that are there. */
async function withBelow(transaction: Transaction<Tables>, id: number): Promise<number[]> {
  const found = [id]
  let level = [id]
  while (level.length > 0) {
    const next: number[] = []
    for (const ids of chunks(level)) {
      const below = transaction.selectFrom('folders').select('id').where('parent_id', 'in', ids)
      for (const row of await below.where('removed_ms', 'is', null).execute()) next.push(row.id)
    }
    found.push(...next)
    level = next
  }
  return found
}

async function logsIn(
  transaction: Transaction<Tables>,
  folderIds: readonly number[],
): Promise<{ id: number; account_id: number | null }[]> {
  const found: { id: number; account_id: number | null }[] = []
  for (const ids of chunks(folderIds)) {
    const logs = transaction.selectFrom('logs').select(['id', 'account_id'])
    const some = logs.where('folder_id', 'in', ids).where('removed_ms', 'is', null)
    found.push(...(await some.execute()))
  }
  return found
}

async function namesOfAccounts(
  transaction: Transaction<Tables>,
  wanted: ReadonlySet<number | null>,
): Promise<string[]> {
  const accounts = transaction.selectFrom('listener_accounts').select(['id', 'name'])
  const enabled = await accounts.where('is_enabled', '=', 1).orderBy('id').execute()
  return enabled.filter(({ id }) => wanted.has(id)).map(({ name }) => name)
}

function chunks(ids: readonly number[]): number[][] {
  const made: number[][] = []
  for (let from = 0; from < ids.length; from += IDS_A_STATEMENT)
    made.push(ids.slice(from, from + IDS_A_STATEMENT))
  return made
}
