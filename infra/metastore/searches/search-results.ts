// Stored results of searches: who made them, how far their pages are read, which files name them
// (decisions 4.5, 4.6). The rows lie in the store under the same id. A record is there before the
// first row and goes before the last one, so that rows without a record are nobody's
// (query/search/results/result-cleaner.ts).
import { Failure } from '../../../schemas/failures.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { Tables } from '../../database/tables.ts'

export type StoredResult = {
  readonly id: string
  readonly userId: number
  /** Logs that the user could see when it was made. */
  readonly logs: 'all' | readonly number[]
  /** JSON of how rows are printed. */
  readonly shape: string
  readonly rowCount: number
  readonly bytes: number
}

export type PageState = {
  readonly result: StoredResult
  readonly resultFormat: string
  readonly pageRows: number
  readonly nextRow: number
}

/** Rows of a result as a file. */
export type NewResultFile = {
  readonly idHash: string
  readonly resultId: string
  readonly resultFormat: string
  readonly firstRow: number
  readonly rowCount: number
  readonly expiresMs: number
}

export type ResultFile = Omit<NewResultFile, 'resultId' | 'expiresMs'> & {
  readonly result: StoredResult
}

type ResultRow = Pick<
  Tables['search_results'],
  'id' | 'user_id' | 'logs' | 'shape' | 'row_count' | 'bytes'
>

/** What one user may have stored at once, all results together. */
export type ResultQuota = { readonly maxResults: number; readonly maxBytes: number }

/** Before its first row is written. Fails with search.quota. */
export async function addResult(
  database: Database,
  result: Pick<StoredResult, 'id' | 'userId' | 'logs'> & { readonly expiresMs: number },
  quota: ResultQuota,
): Promise<void> {
  const row = {
    id: result.id,
    user_id: result.userId,
    logs: JSON.stringify(result.logs),
    shape: '',
    row_count: 0,
    bytes: 0,
    expires_ms: result.expiresMs,
    token_hash: null,
    token_expires_ms: 0,
    result_format: '',
    page_rows: 0,
    next_row: 0,
    taken_by: '',
    taken_until_ms: 0,
  }
  await database.write(async (transaction) => {
    const stored = await readStored(transaction, result.userId)
    if (stored.count >= quota.maxResults) throw overQuota({ results: quota.maxResults })
    if (stored.bytes >= quota.maxBytes) throw overQuota({ bytes: quota.maxBytes })
    await transaction.insertInto('search_results').values(row).execute()
  })
}

/** A result has this many bytes by now. Fails with search.quota when they are too many, beside what
 *  else the user has; they count then, too, until the rows are gone. */
export async function growResult(
  database: Database,
  result: Pick<StoredResult, 'id' | 'userId' | 'bytes'>,
  quota: ResultQuota,
): Promise<void> {
  const stored = await database.write(async (transaction) => {
    await transaction
      .updateTable('search_results')
      .set({ bytes: result.bytes })
      .where('id', '=', result.id)
      .execute()
    return await readStored(transaction, result.userId)
  })
  if (stored.bytes > quota.maxBytes) throw overQuota({ bytes: quota.maxBytes })
}

/** All rows are written: pages of it are read under `token`, or a file is, or both. */
export async function finishResult(
  database: Database,
  result: StoredResult & {
    readonly paging?: {
      readonly tokenHash: string
      readonly expiresMs: number
      readonly resultFormat: string
      readonly pageRows: number
      readonly nextRow: number
    }
    readonly file?: NewResultFile
  },
): Promise<void> {
  const { paging, file } = result
  const expiresMs = Math.max(paging?.expiresMs ?? 0, file?.expiresMs ?? 0)
  await database.write(async (transaction) => {
    await transaction
      .updateTable('search_results')
      .set({
        shape: result.shape,
        row_count: result.rowCount,
        bytes: result.bytes,
        expires_ms: expiresMs,
        token_hash: paging?.tokenHash ?? null,
        token_expires_ms: paging?.expiresMs ?? 0,
        result_format: paging?.resultFormat ?? '',
        page_rows: paging?.pageRows ?? 0,
        next_row: paging?.nextRow ?? 0,
      })
      .where('id', '=', result.id)
      .execute()
    if (file !== undefined) await insertFile(transaction, file)
  })
}

/** Takes the next page for one call. Undefined: no such token of this user, expired, or another
 *  call reads the page now. */
export async function takePage(
  database: Database,
  call: {
    readonly tokenHash: string
    readonly userId: number
    readonly mark: string
    readonly nowMs: number
    readonly untilMs: number
  },
): Promise<PageState | undefined> {
  return await database.write(async (transaction) => {
    const row = await transaction
      .selectFrom('search_results')
      .selectAll()
      .where('token_hash', '=', call.tokenHash)
      .where('user_id', '=', call.userId)
      .executeTakeFirst()
    if (row === undefined || Number(row.token_expires_ms) <= call.nowMs) return undefined
    if (row.taken_by !== '' && Number(row.taken_until_ms) > call.nowMs) return undefined
    await transaction
      .updateTable('search_results')
      .set({ taken_by: call.mark, taken_until_ms: call.untilMs })
      .where('id', '=', row.id)
      .execute()
    return {
      result: fromRow(row),
      resultFormat: row.result_format,
      pageRows: row.page_rows,
      nextRow: Number(row.next_row),
    }
  })
}

/** The page has been read: the next call gets the next one. False when the call was too slow and
 *  another one has taken the page, or the paging has been cancelled. */
export async function passPage(
  database: Database,
  page: {
    readonly resultId: string
    readonly mark: string
    readonly nextRow: number
    /** Null ends the paging. */
    readonly expiresMs: number | null
    readonly file?: NewResultFile | undefined
  },
): Promise<boolean> {
  return await database.write(async (transaction) => {
    const row = await transaction
      .selectFrom('search_results')
      .select(['expires_ms'])
      .where('id', '=', page.resultId)
      .where('taken_by', '=', page.mark)
      .where('token_hash', 'is not', null)
      .executeTakeFirst()
    if (row === undefined) return false
    if (page.file !== undefined) await insertFile(transaction, page.file)
    if (page.expiresMs === null) return await endPaging(transaction, page.resultId)
    await transaction
      .updateTable('search_results')
      .set({
        next_row: page.nextRow,
        taken_by: '',
        taken_until_ms: 0,
        token_expires_ms: page.expiresMs,
        expires_ms: Math.max(Number(row.expires_ms), page.expiresMs, page.file?.expiresMs ?? 0),
      })
      .where('id', '=', page.resultId)
      .execute()
    return true
  })
}

/** The page was not read: the next call gets it. */
export async function leavePage(database: Database, resultId: string, mark: string): Promise<void> {
  await database.write(async (transaction) => {
    await transaction
      .updateTable('search_results')
      .set({ taken_by: '', taken_until_ms: 0 })
      .where('id', '=', resultId)
      .where('taken_by', '=', mark)
      .execute()
  })
}

/** False when there is no such paging of the user ('all': of anybody). */
export async function cancelPaging(
  database: Database,
  tokenHash: string,
  userId: number | 'all',
): Promise<boolean> {
  return await database.write(async (transaction) => {
    const row = await transaction
      .selectFrom('search_results')
      .select(['id', 'user_id'])
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst()
    if (row === undefined || (userId !== 'all' && row.user_id !== userId)) return false
    return await endPaging(transaction, row.id)
  })
}

export async function findFile(
  database: Database,
  idHash: string,
  nowMs: number,
): Promise<ResultFile | undefined> {
  const row = await database.read
    .selectFrom('search_result_files as f')
    .innerJoin('search_results as r', 'r.id', 'f.result_id')
    .select(['r.id', 'r.user_id', 'r.logs', 'r.shape', 'r.row_count', 'r.bytes'])
    .select(['f.id_hash', 'f.result_format', 'f.first_row', 'f.row_count as file_rows'])
    .where('f.id_hash', '=', idHash)
    .where('f.expires_ms', '>', nowMs)
    .executeTakeFirst()
  return row === undefined
    ? undefined
    : {
        idHash: row.id_hash,
        resultFormat: row.result_format,
        firstRow: Number(row.first_row),
        rowCount: Number(row.file_rows),
        result: fromRow(row),
      }
}

/** A result that was not finished. It counts until its rows are removed with its record, as every
 *  result whose time is over. */
export async function giveUpResult(database: Database, id: string): Promise<void> {
  await database.write(async (transaction) => {
    await transaction
      .updateTable('search_results')
      .set({ expires_ms: 0 })
      .where('id', '=', id)
      .execute()
  })
}

/** Whether results of the user wait only for being removed. */
export async function hasExpiredResults(
  database: Database,
  userId: number,
  nowMs: number,
): Promise<boolean> {
  const row = await database.read
    .selectFrom('search_results')
    .select('id')
    .where('user_id', '=', userId)
    .where('expires_ms', '<=', nowMs)
    .executeTakeFirst()
  return row !== undefined
}

/** Removes what has expired; reads only while nothing has. */
export async function removeExpiredResults(database: Database, nowMs: number): Promise<void> {
  for (const table of ['search_result_files', 'search_results'] as const) {
    const expired = await database.read
      .selectFrom(table)
      .select('expires_ms')
      .where('expires_ms', '<=', nowMs)
      .limit(1)
      .executeTakeFirst()
    if (expired === undefined) continue
    await database.write(async (transaction) => {
      await transaction.deleteFrom('search_result_files').where('expires_ms', '<=', nowMs).execute()
      await transaction
        .deleteFrom('search_results')
        .where('expires_ms', '<=', nowMs)
        .where('id', 'not in', (query) =>
          query.selectFrom('search_result_files').select('result_id'),
        )
        .execute()
    })
  }
}

export async function listResultIds(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.read.selectFrom('search_results').select('id').execute()
  return new Set(rows.map(({ id }) => id))
}

/** Also of results that are being made, and of those whose time is over: their rows are still
 *  there. */
async function readStored(
  transaction: DatabaseTransaction,
  userId: number,
): Promise<{ count: number; bytes: number }> {
  const row = await transaction
    .selectFrom('search_results')
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum('bytes').as('bytes')])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) }
}

function overQuota(limit: { results: number } | { bytes: number }): Failure {
  const text = 'results' in limit ? `${limit.results} results` : `${limit.bytes} bytes`
  return new Failure('search.quota', { limit: text })
}

/** Files of it stay until their own end. */
async function endPaging(transaction: DatabaseTransaction, id: string): Promise<true> {
  const files = await transaction
    .selectFrom('search_result_files')
    .select(({ fn }) => fn.max('expires_ms').as('expires_ms'))
    .where('result_id', '=', id)
    .executeTakeFirst()
  await transaction
    .updateTable('search_results')
    .set({
      token_hash: null,
      taken_by: '',
      taken_until_ms: 0,
      expires_ms: Number(files?.expires_ms ?? 0),
    })
    .where('id', '=', id)
    .execute()
  return true
}

async function insertFile(transaction: DatabaseTransaction, file: NewResultFile): Promise<void> {
  await transaction
    .insertInto('search_result_files')
    .values({
      id_hash: file.idHash,
      result_id: file.resultId,
      result_format: file.resultFormat,
      first_row: file.firstRow,
      row_count: file.rowCount,
      expires_ms: file.expiresMs,
    })
    .execute()
}

function fromRow(row: ResultRow): StoredResult {
  return {
    id: row.id,
    userId: row.user_id,
    logs: JSON.parse(row.logs),
    shape: row.shape,
    rowCount: Number(row.row_count),
    bytes: Number(row.bytes),
  }
}
