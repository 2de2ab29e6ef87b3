// One run of a scan task: makes a log of each series of files that has none, and ends when the
// collector has read them. Files that come meanwhile belong to the run.

import { requireFence } from '../../../infra/database/lease.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import { NO_COUNTS, type RunCounts } from '../../../infra/metastore/tasks/task-runs.ts'
import type { Task } from '../../../infra/metastore/tasks/tasks.ts'
import { requireFolder } from '../../../infra/metastore/tree/find-node.ts'
import { addFolder } from '../../../infra/metastore/tree/folder-changes.ts'
import { addLog } from '../../../infra/metastore/tree/log-changes.ts'
import { RemoteFault } from '../../../infra/outbound/remote-fault.ts'
import { isFailure } from '../../../schemas/failures.ts'
import { cleanLevel, logPathKey, MAX_LEVELS } from '../../../schemas/names/log-path.ts'
import type { FileSource } from '../sources/file-source.ts'
import { LOCAL_FILES } from '../sources/local-files.ts'
import { openSource } from '../sources/open-source.ts'
import { guarded } from '../sources/path-guard.ts'
import type { Outcome, TaskDeps } from './task-deps.ts'
import { type FoundLog, walkDirectory } from './walk-directory.ts'

const LOOK_EVERY_MS = 1000
/** What is not read by then is read on: the run ends and says so. */
const LIMIT_MS = 30 * 60_000
/** Added to the interval of looks: packed files are read by the second look. */
const SETTLE_MS = 2000
const MOST_REASONS = 10

export async function runScanTask(
  deps: TaskDeps,
  task: Task<'scan'>,
  report: (counts: RunCounts) => Promise<void>,
): Promise<Outcome> {
  const { settings } = task
  const opened = settings.account === '' ? undefined : await openSource(settings.account, deps)
  try {
    const source = guarded(opened?.source ?? LOCAL_FILES, deps.paths, () => [settings.directory])
    return await runIn(deps, task, { source, report })
  } catch (error) {
    if (!(error instanceof RemoteFault)) throw error
    return { state: 'failed', reason: error.message }
  } finally {
    await opened?.source.close()
  }
}

async function runIn(
  deps: TaskDeps,
  task: Task<'scan'>,
  {
    source,
    report,
  }: { readonly source: FileSource; readonly report: (counts: RunCounts) => Promise<void> },
): Promise<Outcome> {
  const { clock, held, metastore } = deps
  const { settings } = task
  const beganMs = clock.elapsedMs()
  const before = await readTotals(deps, task)
  let newLogs = 0
  let madeMs = beganMs
  for (;;) {
    const walked = await walkDirectory(settings, source)
    const made = await makeLogs(deps, task, walked.logs)
    if (made.count > 0) madeMs = clock.elapsedMs()
    newLogs += made.count
    const progress = deps.progress().filter(({ log }) => made.logs.has(log))
    const looked = progress.filter(({ lookedMs }) => lookedMs >= madeMs)
    const behindBytes = progress.reduce((sum, one) => sum + one.behindBytes, 0)
    const totals = await readTotals(deps, task)
    const [bytes, events] = [totals.bytes - before.bytes, totals.events - before.events]
    await report({ ...NO_COUNTS, files: walked.files, newLogs, bytes, events, behindBytes })
    const faults = [...walked.faults, ...made.faults, ...progress.flatMap((one) => one.faults)]
    const reason = faults.slice(0, MOST_REASONS).join('; ')
    const isSettled =
      looked.length === made.logs.size &&
      clock.elapsedMs() - madeMs >= source.lookEveryMs + SETTLE_MS
    if (held.signal.aborted || (isSettled && behindBytes === 0)) {
      await metastore.refresh()
      const isNothing = walked.files === 0 && walked.faults.length > 0
      return { state: isNothing ? 'failed' : 'done', reason }
    }
    if (clock.elapsedMs() - beganMs > LIMIT_MS)
      return { state: 'done', reason: `${behindBytes} bytes are still read; ${reason}` }
    await clock.sleep(LOOK_EVERY_MS, held.signal)
  }
}

/** Position and events of the files of its folder. */
async function readTotals({ metastore }: TaskDeps, { settings }: Task<'scan'>) {
  const { parentFolder } = settings
  const ids = [...(await metastore.tree()).logs.values()]
    .filter(({ folder }) => parentFolder.every((level, at) => folder[at] === level))
    .map(({ id }) => id)
  let bytes = 0
  let events = 0
  for (let from = 0; from < ids.length; from += 500) {
    const rows = await metastore.database.read
      .selectFrom('collected_files')
      .select(['position', 'events'])
      .where('log_id', 'in', ids.slice(from, from + 500))
      .execute()
    for (const row of rows) {
      bytes += Number(row.position)
      events += Number(row.events)
    }
  }
  return { bytes, events }
}

function keyOf({ settings }: Task<'scan'>, { folder, name }: FoundLog): string {
  return [...settings.parentFolder, ...folder.map(cleanLevel), cleanLevel(name)].join('->')
}

async function makeLogs(
  { metastore, held, clock }: TaskDeps,
  task: Task<'scan'>,
  logs: readonly FoundLog[],
): Promise<{ count: number; logs: Set<string>; faults: string[] }> {
  const { logsByPath } = await metastore.tree()
  const faults: string[] = []
  /** Those that read the files. */
  const ready = new Set<string>()
  const missing = logs.filter((log) => {
    if (task.settings.parentFolder.length + log.folder.length >= MAX_LEVELS) {
      faults.push(`${log.filePath}: lies too deep`)
      return false
    }
    const path = [...task.settings.parentFolder, ...log.folder.map(cleanLevel)]
    const known = logsByPath.get(logPathKey(path, cleanLevel(log.name)))
    if (known === undefined) return true
    const { filePaths, account } = known.definition
    if (!filePaths.includes(log.filePath) || account !== task.settings.account)
      faults.push(`${log.filePath}: there is a log of this name already`)
    else ready.add(keyOf(task, log))
    return false
  })
  let count = 0
  for (const log of missing) {
    try {
      await metastore.database.write(async (transaction) => {
        await requireFence(transaction, held)
        await makeLog(transaction, clock, task, log)
      })
      count += 1
      ready.add(keyOf(task, log))
    } catch (error) {
      if (!isFailure(error) || error.code === 'database.lease_lost') throw error
      faults.push(`${log.filePath}: ${error.message}`)
    }
  }
  if (count > 0) await metastore.refresh()
  return { count, logs: ready, faults }
}

async function makeLog(
  transaction: DatabaseTransaction,
  clock: TaskDeps['clock'],
  { settings }: Task<'scan'>,
  log: FoundLog,
): Promise<void> {
  const { parentFolder, policyId, appTags, template, account } = settings
  const parent = [...parentFolder]
  await requireFolder(transaction, parent)
  for (const name of log.folder.map(cleanLevel)) {
    try {
      await addFolder(transaction, { parent, name }, '')
    } catch (error) {
      if (!isFailure(error) || error.code !== 'object.exists') throw error
    }
    parent.push(name)
  }
  const place = { parent, name: cleanLevel(log.name) }
  const definition = { filePaths: [log.filePath], template, account }
  await addLog(transaction, clock, place, { policyId, appTags, definition })
}
