// Makes the backups that are asked for, one after the other, in the process with the writer.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isFailure } from '../../schemas/failures.ts'
import type { Database } from '../database/port.ts'
import { describeError, type Logger } from '../logger.ts'
import { changeBackup, readBackups } from '../metastore/backups/backup-requests.ts'
import { draftName, MANIFEST_FILE } from './backup-layout.ts'
import { estimateBackup } from './estimate-backup.ts'
import { removeFrozen } from './freeze-store.ts'
import { type BackupDeps, takeBackup } from './take-backup.ts'

const LOOK_MS = 500
const TELL_MS = 2000
/** Nobody goes on with it after so long. */
const FOREIGN_DRAFT_MS = 24 * 60 * 60_000

type Options = BackupDeps & {
  readonly database: Database
  readonly logger: Logger
  readonly signal: AbortSignal
}

/** Until the signal aborts; never rejects. One that a kill cut off has failed. */
export async function runBackups(options: Options): Promise<void> {
  const { database, clock, logger, signal } = options
  let hasCleaned = false
  while (!signal.aborted) {
    try {
      if (!hasCleaned) await cleanUp(options)
      hasCleaned = true
      const asked = (await readBackups(database.read)).find(({ state }) => state === 'asked')
      if (asked !== undefined) await run(options, asked)
    } catch (error) {
      if (!signal.aborted) logger.warn('backups not looked at', describeError(error))
    }
    await clock.sleep(LOOK_MS, signal)
  }
}

/** What a process that was killed left. One that has its name is whole: the name comes last. */
async function cleanUp({ database, dataDir, directory, clock }: Options): Promise<void> {
  removeFrozen(dataDir)
  const own = await readBackups(database.read)
  const ownDrafts = new Set(own.map(({ name }) => draftName(name)))
  const drafts = existsSync(directory) ? readdirSync(directory) : []
  for (const name of drafts.filter((it) => /^\.[A-Za-z0-9_-]+\.part$/.test(it))) {
    const draft = join(directory, name)
    // Another product may be making one here.
    if (!ownDrafts.has(name) && clock.nowMs() - statSync(draft).mtimeMs < FOREIGN_DRAFT_MS) continue
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 })
  }
  for (const { name, state, isDryRun } of own) {
    if (state !== 'running') continue
    const isWhole = !isDryRun && existsSync(join(directory, name, MANIFEST_FILE))
    const reason = isWhole ? '' : 'the process that made it has ended'
    const ended = { state: isWhole ? 'done' : 'failed', ended_ms: clock.nowMs(), reason } as const
    await changeBackup(database, name, ended)
  }
}

async function run(
  options: Options,
  { name, isDryRun }: { readonly name: string; readonly isDryRun: boolean },
): Promise<void> {
  const { database, clock, logger, signal, directory } = options
  const fields = { name, isDryRun }
  logger.info('backup begins', fields)
  await changeBackup(database, name, { state: 'running' })
  let toldMs = clock.elapsedMs()
  const onBytes = (bytes: number) => {
    if (clock.elapsedMs() - toldMs < TELL_MS) return
    toldMs = clock.elapsedMs()
    // Only for who asks how it goes.
    void changeBackup(database, name, { bytes }).catch(() => undefined)
  }
  try {
    const summary = isDryRun
      ? await estimateBackup(options, name)
      : await takeBackup(options, name, signal, onBytes)
    const { bytes, ...others } = summary
    const ended = { state: 'done', ended_ms: clock.nowMs(), bytes, summary: JSON.stringify(others) }
    await changeBackup(database, name, ended)
    logger.info('backup done', { ...fields, ...summary })
  } catch (error) {
    logger.error('backup failed', { ...fields, draft: draftName(name), ...describeError(error) })
    const said = isFailure(error) ? error.message : 'the product has a fault, see its log'
    const reason = signal.aborted ? 'the process that made it was stopped' : said
    const ended_ms = clock.nowMs()
    await changeBackup(database, name, { state: 'failed', ended_ms, reason }).catch(() => {
      logger.warn('end of the backup not noted', { name, directory })
    })
  }
}
