// Reads every part whole once after a start, since a flipped bit in a file shows only then. It
// rests half of the time. The engine sets aside a part that does not pass, so that searches go on
// without it; its rows are then missing, and the ledger names them.
import type { Clock } from '../../infra/clock.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import type { Store } from '../../infra/store/port.ts'

/** Without `results`: a reader of one notices what is missing. */
const TABLES = ['counts', 'gone', 'idempotency', 'events'] as const
const TIMEOUT_MS = 600_000
const MAX_REST_MS = 60_000

/** Gives how many were set aside. */
export async function verifyParts(deps: {
  readonly store: Pick<Store, 'query' | 'command'>
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
}): Promise<number> {
  const { store, clock, logger, signal } = deps
  let setAside = 0
  for (const { table, name } of await listParts(store)) {
    if (signal.aborted) break
    const beganMs = clock.elapsedMs()
    try {
      if (!(await passes(deps, table, name)) && !(await passes(deps, table, name))) {
        logger.error('a part of the store is damaged, it is set aside', { table, part: name })
        await store.command({ sql: `ALTER TABLE ${table} DETACH PART '${name}'` })
        setAside += 1
      }
    } catch (error) {
      // Merged into another meanwhile, or the store is away.
      logger.debug('a part of the store was not read', {
        table,
        part: name,
        ...describeError(error),
      })
    }
    await clock.sleep(Math.min(MAX_REST_MS, clock.elapsedMs() - beganMs), signal)
  }
  return setAside
}

async function passes(
  { store, signal }: { store: Pick<Store, 'query'>; signal: AbortSignal },
  table: string,
  name: string,
): Promise<boolean> {
  const [row] = await store.query<{ is_passed: number }>({
    sql: `CHECK TABLE ${table} PART '${name}'`,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  // No row: it is no more.
  return row === undefined || row.is_passed === 1
}

/** The newest first: they are searched most. */
async function listParts(
  store: Pick<Store, 'query'>,
): Promise<readonly { table: string; name: string }[]> {
  return await store.query<{ table: string; name: string }>({
    sql: `SELECT table, name FROM system.parts WHERE database = currentDatabase() AND active AND table IN {tables: Array(String)}
      ORDER BY indexOf({tables: Array(String)}, table), modification_time DESC`,
    params: { tables: TABLES },
  })
}
