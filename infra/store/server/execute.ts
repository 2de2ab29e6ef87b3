// Runs one request on the engine and writes its answer.
import { open } from 'node:fs/promises'
import { readDiskSpace } from '../../disk-space.ts'
import type { Answer } from './answer.ts'
import type { CrashJournal } from './crash-journal.ts'
import { movePartition, readMove } from './disks/move-partition.ts'
import type { Moves } from './disks/moves.ts'
import type { Engine, EngineSession } from './engine.ts'
import { EngineError, fromEngine, POISONED_CODE } from './engine-error.ts'
import type { MemoryFiles } from './memory-files.ts'
import type { StoreRequest } from './request/read-request.ts'
import { type Fences, fenceSettings, spilledFrom, timeoutSeconds } from './request/settings.ts'
import { sqlString, textOfSqlString, tokenizeSql } from './request/sql-tokens.ts'
import {
  composeDataInsert,
  composeStatement,
  type Settings,
  type Statement,
} from './request/statement.ts'
import { openPipe } from './result-pipe.ts'
import type { Running, RunningRequests } from './running.ts'
import type { WriteWatch } from './write-watch.ts'

export type Executor = {
  readonly engine: Engine
  readonly running: RunningRequests
  readonly journal: CrashJournal
  readonly files: MemoryFiles
  readonly fences: Fences
  readonly dataDir: string
  /** Called before every answer that promises rows. */
  readonly writes: WriteWatch
  readonly moves: Moves
  /** Milliseconds of a clock that never goes back. */
  readonly elapsedMs: () => number
  /** Directories of a table's parts by the table's name as written in inserts; emptied by DDL. */
  readonly tableDirectories: Map<string, readonly string[]>
}

const MAX_INSERT_BYTES = 1024 * 1024 * 1024
/** No search fills its memory faster, and before it is full nothing is put on disk. */
const FILLED_BYTES_A_MS = 2_000_000

/** Throws what the answer is to say, as long as nothing has been written. */
export async function execute(
  executor: Executor,
  request: StoreRequest,
  running: Running,
  answer: Answer,
): Promise<void> {
  const { statement } = request
  const startedMs = executor.elapsedMs()
  const timeoutS = timeoutSeconds(request.settings)
  /** The settings as of now: the time of waiting counts, too. */
  const settings = (): Settings =>
    fenceSettings(request.settings, executor.fences, {
      isInsert: statement.kind === 'data' || (statement.kind === 'insert' && !statement.isSelect),
      comment: running.id,
      timeoutS: timeoutS - (executor.elapsedMs() - startedMs) / 1000,
    })
  switch (statement.kind) {
    case 'select':
      return select(executor, { request, statement, settings }, running, answer)
    case 'data':
      return insertRows(executor, { request, statement, settings }, running, answer)
    case 'insert':
      return statement.isSelect
        ? insertSelect(executor, { request, statement, settings }, running, answer)
        : insertValues(executor, { request, statement, settings }, running, answer)
    case 'kill':
      return kill(executor, { request, statement, settings }, running, answer)
    case 'command': {
      executor.tableDirectories.clear()
      if (/^CREATE\b/i.test(statement.text)) await refuseWithoutRoom(executor)
      const sql = () => composeStatement(statement, settings())
      answer.format = statement.format
      const { commanders } = executor.engine
      const move = readMove(statement.text)
      const run = (work: (session: EngineSession) => Promise<Uint8Array>) => () =>
        withSession(commanders, running, false, work)
      // Before a session is free: what waits for one counts, too.
      const told =
        move === undefined
          ? await executor.moves.taking(
              statement.text,
              running.signal,
              run((session) => session.run(sql())),
            )
          : await executor.moves.during(
              move.table,
              running.signal,
              run((session) =>
                movePartition((asked) => session.run(asked), move, {
                  move: () => session.run(sql()),
                  fail: () => executor.writes.fail(1),
                }),
              ),
            )
      await executor.writes.check()
      return answer.end(told)
    }
  }
}

/** Without room on the disk a definition becomes an empty file (empty-definitions.ts). */
async function refuseWithoutRoom({ fences, dataDir }: Executor): Promise<void> {
  const { freeBytes } = await readDiskSpace(dataDir)
  if (freeBytes < fences.keptFreeBytes)
    throw new EngineError(243, 'Not enough free space for a table', 'NOT_ENOUGH_SPACE')
}

type Of<K extends Statement['kind']> = {
  readonly request: StoreRequest
  readonly statement: Extract<Statement, { kind: K }>
  readonly settings: () => Settings
}

async function select(
  { engine, journal, writes, elapsedMs }: Executor,
  { request, statement, settings }: Of<'select'>,
  running: Running,
  answer: Answer,
): Promise<void> {
  const { fingerprint } = request
  // The writer's look-ups: a partition stands still until they are answered, whatever else ended
  // the process while they ran.
  const isUrgent = request.settings.get('priority') === 1
  if (!isUrgent) refusePoisoned(journal, fingerprint)
  const startedMs = elapsedMs()
  answer.format = statement.format
  answer.isPacked = request.wantsPacked
  await withSession(engine.readers, running, isUrgent, async (session) => {
    const pipe = openPipe(session.pipePath)
    if (!isUrgent) journal.begin(session.slot, fingerprint)
    const outcome = session
      .run(composeStatement(statement, settings(), session.pipePath, request.wantsPacked))
      .then(() => undefined, fromEngine)
      .finally(() => pipe.finish())
    try {
      // Read to the end even when the client has gone (see result-pipe.ts).
      for await (const chunk of pipe.rows) await answer.write(chunk)
    } finally {
      const failed = await outcome
      const filledBytes = (elapsedMs() - startedMs) * FILLED_BYTES_A_MS
      if (isUrgent || filledBytes > spilledFrom(settings())) await writes.check()
      journal.end(session.slot, fingerprint, { hasSucceeded: failed === undefined })
      if (failed === undefined) answer.end()
      else answer.fail(failed)
    }
  })
}

function refusePoisoned(journal: CrashJournal, fingerprint: string): void {
  if (journal.isRefused(fingerprint))
    throw new EngineError(POISONED_CODE, 'This query crashed the engine twice', 'QUERY_IS_POISONED')
}

/** A search whose rows stay here: among the readers, so that it never stands in the way of the
 *  writer's inserts. */
async function insertSelect(
  { engine, journal, writes }: Executor,
  { request, statement, settings }: Of<'insert'>,
  running: Running,
  answer: Answer,
): Promise<void> {
  const { fingerprint } = request
  refusePoisoned(journal, fingerprint)
  await withSession(engine.readers, running, false, async (session) => {
    journal.begin(session.slot, fingerprint)
    let hasSucceeded = false
    try {
      await session.run(composeStatement(statement, settings()))
      hasSucceeded = true
    } finally {
      journal.end(session.slot, fingerprint, { hasSucceeded })
    }
  })
  await writes.check()
  answer.end()
}

async function insertValues(
  executor: Executor,
  { statement, settings }: Of<'insert'>,
  running: Running,
  answer: Answer,
): Promise<void> {
  await withSession(executor.engine.inserters, running, false, async (session) => {
    await session.run(composeStatement(statement, settings()))
    await syncTable(executor, session, statement.table)
  })
  await executor.writes.check()
  answer.end()
}

async function insertRows(
  executor: Executor,
  { request, statement, settings }: Of<'data'>,
  running: Running,
  answer: Answer,
): Promise<void> {
  const { body, bytes, isPacked } = request.rows
  const file = await executor.files.write(body, bytes, MAX_INSERT_BYTES)
  try {
    await withSession(executor.engine.inserters, running, false, async (session) => {
      await session.run(composeDataInsert(statement, settings(), file.path, isPacked))
      await syncTable(executor, session, statement.table)
    })
  } finally {
    await file.remove()
  }
  await executor.writes.check()
  answer.end()
}

/** Requests that wait here are ended with the engine's; their ids are the literals of the
 *  statement. */
async function kill(
  { running: requests }: Executor,
  { request, statement }: Of<'kill'>,
  running: Running,
  answer: Answer,
): Promise<void> {
  running.started()
  answer.format = statement.format
  const ids = tokenizeSql(statement.text)
    .filter((token) => token.kind === 'string')
    .map((token) => textOfSqlString(token.text))
  for (const id of ids) if (request.sent !== undefined) requests.fence(id, request.sent)
  await Promise.all(ids.filter((id) => id !== running.id).map((id) => requests.cancel(id)))
  const sql = `${statement.text}\nFORMAT ${statement.format}`
  answer.end(await requests.killer(sql))
}

async function withSession<T>(
  lane: Engine['readers'],
  running: Running,
  isUrgent: boolean,
  run: (session: EngineSession) => Promise<T>,
): Promise<T> {
  const session = await lane.acquire({ signal: running.signal, isUrgent })
  running.started()
  try {
    return await run(session)
  } finally {
    lane.release(session)
  }
}

/** The engine syncs a part and its own directory; the name of the part stands in the table's
 *  directory, which only we sync. */
async function syncTable(
  { tableDirectories }: Executor,
  session: EngineSession,
  table: string,
): Promise<void> {
  const name = table.replace(/^`?default`?\./, '').replaceAll('`', '')
  let directories = tableDirectories.get(name)
  if (directories === undefined) {
    const sql = `SELECT arrayJoin(data_paths) FROM system.tables WHERE database = 'default' AND name = ${sqlString(name)} FORMAT TSVRaw`
    directories = Buffer.from(await session.run(sql))
      .toString()
      .split('\n')
      .filter(Boolean)
    tableDirectories.set(name, directories)
  }
  for (const directory of directories) {
    const handle = await open(directory, 'r')
    await handle.sync().finally(() => handle.close())
  }
}
