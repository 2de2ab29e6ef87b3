// Compaction (docs/decisions/0109): in the quiet hours the store may write closed days again with a
// stronger codec. The store does it by itself, one merge after the other; this job opens and closes
// the hours, and tells what waits.
import type { Job, JobContext } from '../../infra/scheduler/job.ts'
import { isDue, letCompact, tellOldParts } from '../../infra/store/compaction.ts'
import { readUnits } from '../../infra/store/read-units.ts'
import { isInHours, type QuietHours } from '../../schemas/time/quiet-hours.ts'
import { timeZone } from '../../schemas/time/time-zone.ts'

const EVERY_MS = 60_000
const LIMIT_MS = 120_000

export type CompactionDeps = {
  /** In the time zone of the system. */
  readonly hours: QuietHours
  /** Bytes on the disk of days that are old enough and not compacted. */
  readonly onWaiting?: (bytes: number) => void
}

export function makeCompaction(deps: CompactionDeps): Job {
  return {
    name: 'compaction',
    everyMs: EVERY_MS,
    limitMs: LIMIT_MS,
    run: (context) => runCompaction(context, deps),
  }
}

export async function runCompaction(
  { metastore, store, clock, signal }: JobContext,
  { hours, onWaiting }: CompactionDeps,
): Promise<void> {
  const nowMs = clock.nowMs()
  const zone = timeZone(metastore.setting('system.timeZone'))
  const isQuiet = isInHours(hours, nowMs, zone)
  await letCompact(store, isQuiet)
  if (isQuiet) await tellOldParts(store, signal)
  const units = await readUnits(store, signal)
  const due = units.filter(({ day }) => isDue(day, nowMs))
  onWaiting?.(due.reduce((sum, { bytes, compactBytes }) => sum + bytes - compactBytes, 0))
}
