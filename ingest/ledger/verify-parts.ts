// Reads every part whole once after a start, since a flipped bit in a file shows only then. It
// rests half of the time. The engine sets aside a part that does not pass, so that searches go on
// without it. It is named before that, and the ledger counts what is missing after it.
import type { Clock } from '../../infra/clock.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import type { Store } from '../../infra/store/port.ts'

/** Without `results`: a reader of one notices what is missing. */
const TABLES = ['counts', 'gone', 'idempotency', 'events'] as const
const TIMEOUT_MS = 600_000
const MAX_REST_MS = 60_000
/** Between tries to set a damaged part aside: after the first, and at most. */
const RETRY_MS = { first: 1000, most: 60_000 }

export type StorePart = {
  readonly table: string
  readonly name: string
  /** Of the table, as text. */
  readonly partition: string
  readonly rows: number
}

type VerifyDeps = {
  readonly store: Pick<Store, 'query' | 'command'>
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
  /** Before the part is set aside, since no search finds its rows then. */
  readonly name: (part: StorePart) => Promise<void>
  /** After it. */
  readonly count: () => Promise<void>
}

export async function verifyParts(deps: VerifyDeps): Promise<void> {
  const { store, clock, signal } = deps
  for (const part of await listParts(store)) {
    if (signal.aborted) return
    const beganMs = clock.elapsedMs()
    if (await isDamaged(deps, part)) await setAside(deps, part)
    await clock.sleep(Math.min(MAX_REST_MS, clock.elapsedMs() - beganMs), signal)
  }
}

async function isDamaged(deps: VerifyDeps, { table, name }: StorePart): Promise<boolean> {
  try {
    return !(await passes(deps, table, name)) && !(await passes(deps, table, name))
  } catch (error) {
    // Merged into another meanwhile, or the store is away.
    const fields = { table, part: name, ...describeError(error) }
    deps.logger.debug('a part of the store was not read', fields)
    return false
  }
}

/** Tried until it is done, or until a stop: searches read the damaged part until then. */
async function setAside(deps: VerifyDeps, part: StorePart): Promise<void> {
  const { store, clock, logger, signal, name, count } = deps
  const fields = { table: part.table, part: part.name }
  let retryMs = RETRY_MS.first
  while (!signal.aborted) {
    try {
      await name(part)
      if (await isActive(store, part))
        await store.command({ sql: `ALTER TABLE ${part.table} DETACH PART '${part.name}'` })
      logger.error('a part of the store is damaged, it was set aside', fields)
      await count()
      return
    } catch (error) {
      logger.warn('a damaged part of the store could not be set aside, trying again', {
        ...fields,
        ...describeError(error),
      })
      await clock.sleep(retryMs, signal)
      retryMs = Math.min(RETRY_MS.most, retryMs * 2)
    }
  }
}

/** It is not after a try that timed out and came to pass. */
async function isActive(store: Pick<Store, 'query'>, { table, name }: StorePart): Promise<boolean> {
  const rows = await store.query({
    sql: 'SELECT name FROM system.parts WHERE database = currentDatabase() AND active AND table = {table: String} AND name = {name: String}',
    params: { table, name },
  })
  return rows.length > 0
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
async function listParts(store: Pick<Store, 'query'>): Promise<readonly StorePart[]> {
  const parts = await store.query<Omit<StorePart, 'rows'> & { readonly rows: string | number }>({
    sql: `SELECT table, name, partition_id AS partition, rows FROM system.parts WHERE database = currentDatabase() AND active AND table IN {tables: Array(String)}
      ORDER BY indexOf({tables: Array(String)}, table), modification_time DESC`,
    params: { tables: TABLES },
  })
  return parts.map((part) => ({ ...part, rows: Number(part.rows) }))
}
