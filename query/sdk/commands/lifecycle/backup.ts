// backup: asks the process with the writer for one, and waits a while for its end.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  askForBackup,
  type BackupRequest,
  changeBackup,
  readBackups,
} from '../../../../infra/metastore/backups/backup-requests.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { type BackupAnswer, backup as published } from '../../../../schemas/sdk/lifecycle/backup.ts'
import { type CommandTools, serveCommand } from '../../server/serve-command.ts'

/** Less than what the client waits for any answer. */
const WAIT_MS = 20_000
const LOOK_MS = 100
/** The process with the writer looks twice a second. */
const TAKEN_MS = 10_000

export const backup = serveCommand(published, async (input, tools) => {
  const { clock, database, lifecycle } = tools
  const { directory } = lifecycle.backups()
  const { list = false, dryRun: isDryRun = false } = input
  if (list) {
    const backups = (await readBackups(database.read)).map((one) => describe(one, directory))
    return () => Promise.resolve({ backups })
  }
  const name = input.name ?? nameOf(clock.nowMs())
  if (existsSync(join(directory, name)))
    throw new Failure('backup.refused', { reason: `there is a backup ${join(directory, name)}` })
  await askForBackup(database, { name, isDryRun }, clock)
  const seen = await wait(name, tools)
  if (seen.state === 'failed') throw new Failure('backup.failed', { reason: seen.reason })
  return () => Promise.resolve(describe(seen, directory))
})

async function wait(name: string, { clock, database }: CommandTools): Promise<BackupRequest> {
  const beganMs = clock.elapsedMs()
  for (;;) {
    const seen = (await readBackups(database.read)).find((one) => one.name === name)
    if (seen === undefined) throw new Failure('backup.failed', { reason: 'it was forgotten' })
    const waitedMs = clock.elapsedMs() - beganMs
    if (seen.state === 'asked' && waitedMs > TAKEN_MS) {
      const reason = 'no process with the role writer runs'
      await changeBackup(database, name, { state: 'failed', ended_ms: clock.nowMs(), reason })
      throw new Failure('backup.failed', { reason })
    }
    if (seen.state === 'done' || seen.state === 'failed' || waitedMs > WAIT_MS) return seen
    await clock.sleep(LOOK_MS)
  }
}

/** `20261124-034718`. */
function nameOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
}

function describe(
  { name, state, isDryRun, askedMs, endedMs, bytes, summary, reason }: BackupRequest,
  directory: string,
): BackupAnswer {
  const { files, events, blocks } = summary
  return {
    name,
    state,
    dryRun: isDryRun,
    directory: `${directory}/${name}`,
    asked: new Date(askedMs).toISOString(),
    ended: endedMs === undefined ? null : new Date(endedMs).toISOString(),
    ...{ files, bytes, events, blocks, reason },
  }
}
