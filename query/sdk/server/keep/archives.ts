// Archives as their commands tell them: of logs only what the caller may view.
import type { Database } from '../../../../infra/database/port.ts'
import type { Archive } from '../../../../infra/metastore/archive/archives.ts'
import { readThaws, type Thaw } from '../../../../infra/metastore/archive/thaws.ts'
import { readLogPaths } from '../../../../infra/metastore/retention/log-paths.ts'
import { printDay } from '../../../../schemas/keep/store-damage.ts'
import { LEVEL_SEPARATOR } from '../../../../schemas/names/log-path.ts'
import type { CommandTools } from '../serve-command.ts'

/** `db`: also within a transaction. */
export async function describeArchives(
  db: Database['read'],
  archives: readonly Archive[],
  { objects }: Pick<CommandTools, 'objects'>,
) {
  const { logs: visible } = await objects.viewer()
  const thaws = await readThaws(db)
  const pathOf = await readLogPaths(db)
  const nameOf = ({ id, path }: Archive['logs'][number], isForeign: boolean) => {
    if (isForeign) return [path.join(LEVEL_SEPARATOR)]
    const there = visible === 'all' || visible.has(id) ? pathOf(id) : undefined
    return there === undefined || there.isRemoved ? [] : [there.levels.join(LEVEL_SEPARATOR)]
  }
  return archives.map((archive) => {
    const thaw = thaws.findLast((one) => one.archive === archive.number)
    return {
      ...{ number: archive.number, policy: archive.policy, day: printDay(archive.day) ?? '' },
      ...{ state: archive.state, isForeign: archive.isForeign },
      ...{ events: archive.events, bytes: archive.bytes },
      logs: archive.logs.flatMap((log) => nameOf(log, archive.isForeign)),
      ...{ account: archive.account, directory: archive.directory, entry: archive.entry },
      writtenAt: printMoment(archive.writtenMs),
      droppedAt: printMoment(archive.droppedMs),
      verifiedAt: printMoment(archive.verifiedMs),
      fault: archive.fault,
      thaw: thaw === undefined ? null : describeThaw(thaw),
    }
  })
}

export async function describeArchive(
  db: Database['read'],
  archive: Archive,
  tools: Pick<CommandTools, 'objects'>,
) {
  const [one] = await describeArchives(db, [archive], tools)
  if (one === undefined) throw new Error('one archive is described by one')
  return one
}

function describeThaw({ state, untilMs, events, fault }: Thaw) {
  return { state, until: new Date(untilMs).toISOString(), events, fault }
}

function printMoment(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}
