// One run of a query task: the rows behind its mark become events of its log, once each, whatever
// is killed. A piece ends where the mark changes: rows of one mark stay together
// (docs/decisions/0124).
import { readForeignRows } from '../../../../infra/database/foreign/postgres-rows.ts'
import { takeSourceVersion } from '../../../../infra/metastore/collect/collect-sources.ts'
import { isCurrentTask, markPlaceOf } from '../../../../infra/metastore/tasks/query-task-mark.ts'
import { NO_COUNTS, type RunCounts } from '../../../../infra/metastore/tasks/task-runs.ts'
import type { Task } from '../../../../infra/metastore/tasks/tasks.ts'
import { RemoteFault } from '../../../../infra/outbound/remote-fault.ts'
import { logPathKey } from '../../../../schemas/names/log-path.ts'
import { sourceOfLog } from '../../log-work.ts'
import { MarkedLog } from '../../marked/marked-log.ts'
import { openDatabaseTarget } from '../../sources/open-source.ts'
import type { Outcome, TaskDeps } from '../task-deps.ts'
import { CutRows, type RowRecord, readRow } from './row-record.ts'

const PIECE_ROWS = 1000
const PIECE_BYTES = 1024 * 1024
/** Of one mark, which cannot be parted. */
const MAX_GROUP_BYTES = 6 * 1024 * 1024
/** Of a row in the event log beside its record. */
const ROW_BYTES = 32

type Report = (counts: RunCounts) => Promise<void>

export async function runQueryTask(
  deps: TaskDeps,
  task: Task<'query'>,
  report: Report,
): Promise<Outcome> {
  try {
    return await run(deps, task, report)
  } catch (error) {
    if (!(error instanceof RemoteFault)) throw error
    return { state: 'failed', reason: error.message }
  }
}

async function run(deps: TaskDeps, task: Task<'query'>, report: Report): Promise<Outcome> {
  const { metastore, clock, held } = deps
  const { settings } = task
  const path = [...settings.log]
  const name = path.pop() ?? ''
  const log = (await metastore.tree()).logsByPath.get(logPathKey(path, name))
  if (log === undefined) throw new RemoteFault(`there is no log ${settings.log.join('->')}`)
  const target = await openDatabaseTarget(settings.account, deps)
  const version = await metastore.database.write((transaction) =>
    takeSourceVersion(transaction, log.id, sourceOfLog(log), clock.nowMs()),
  )
  const account = await metastore.accountVersion(-log.id, version)
  const { generation } = settings
  const place = markPlaceOf(task)
  const marked = await MarkedLog.open(deps, {
    ...{ logId: log.id, place, account, generation },
    isCurrent: (transaction) => isCurrentTask(transaction, task),
  })
  if (marked === undefined) return { state: 'failed', reason: 'it was stopped' }
  const after = marked.mark === '' ? settings.firstMark : marked.mark
  const { query, markColumn } = settings
  let counts = NO_COUNTS
  const cut = new CutRows()
  let piece: RowRecord[] = []
  let bytes = 0
  const commit = async (rows: readonly RowRecord[]): Promise<void> => {
    const last = rows.at(-1)
    if (last === undefined) return
    const events = rows.map(({ record, time }) => ({
      ...{ record, time, host: target.host, source: settings.account },
    }))
    // Nothing may follow a piece that may not be durable.
    if (!(await marked.commit(events, last.mark))) throw new RemoteFault('it was stopped')
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
    counts = { ...counts, events: counts.events + rows.length, bytes: counts.bytes + bytes }
    await report(counts)
  }
  for await (const rows of readForeignRows(target, { query, markColumn, after }, held.signal))
    for (const row of rows) {
      const next = readRow(row, settings)
      cut.add(next)
      const isFull = piece.length >= PIECE_ROWS || bytes >= PIECE_BYTES
      if (isFull && !row.hasSameMark) {
        await commit(piece)
        piece = []
        bytes = 0
      }
      piece.push(next)
      bytes += next.bytes + ROW_BYTES
      if (bytes > MAX_GROUP_BYTES)
        throw new RemoteFault(
          `more than ${MAX_GROUP_BYTES >> 20} MiB of rows have one mark: choose a column that tells rows apart`,
        )
    }
  await commit(piece)
  return { state: 'done', reason: cut.reason }
}
