// Why the files of a log cannot be found or reached, for doctor and health: written by the
// collector when it changes. What is wrong with one file is kept with the file.
import { logPathKey } from '../../../schemas/names/log-path.ts'
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database } from '../../database/port.ts'
import type { OpenedMetastore } from '../open.ts'

type CollectFault = {
  readonly logId: number
  /** For operators. */
  readonly fault: string
  readonly sinceMs: number
}

const MAX_CHARACTERS = 2000

export async function readCollectFaults(
  db: Pick<Database['read'], 'selectFrom'>,
): Promise<readonly CollectFault[]> {
  const rows = await db.selectFrom('collect_faults').selectAll().orderBy('since_ms').execute()
  return rows.map(({ log_id, fault, since_ms }) => ({
    ...{ logId: log_id, fault, sinceMs: Number(since_ms) },
  }))
}

/** '' for none any more. Fails with database.lease_lost. */
export async function saveCollectFaults(
  { database, held }: { readonly database: Database; readonly held: Fence },
  faults: ReadonlyMap<number, string>,
  nowMs: number,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    for (const [logId, text] of faults) {
      const fault = text.slice(0, MAX_CHARACTERS)
      if (fault === '')
        await transaction.deleteFrom('collect_faults').where('log_id', '=', logId).execute()
      else
        await transaction
          .insertInto('collect_faults')
          .values({ log_id: logId, fault, since_ms: nowMs })
          .onConflict((conflict) => conflict.column('log_id').doUpdateSet({ fault }))
          .execute()
    }
  })
}

const MAX_TOLD = 100

type ToldCollectFaults = {
  readonly logs: number
  /** To who may know every log alone. */
  readonly items: readonly { readonly log: string; readonly fault: string }[]
}

/** Undefined without any. */
export async function tellCollectFaults(
  metastore: Pick<OpenedMetastore, 'database' | 'tree'>,
  { withLogs }: { readonly withLogs: boolean },
): Promise<ToldCollectFaults | undefined> {
  const { logs } = await metastore.tree()
  const found = (await readCollectFaults(metastore.database.read)).flatMap(({ logId, fault }) => {
    const log = logs.get(logId)
    const isRead = log !== undefined && log.definition.filePaths.length > 0
    return isRead ? [{ log: logPathKey(log.folder, log.name), fault }] : []
  })
  if (found.length === 0) return undefined
  return { logs: found.length, items: withLogs ? found.slice(0, MAX_TOLD) : [] }
}
