import { createHash } from 'node:crypto'
import type { ConfigurationAnswer, ObjectReport } from '../../../schemas/object-report.ts'

export function summarize(
  reports: readonly ObjectReport[],
  { dryRun }: { dryRun: boolean },
): ConfigurationAnswer {
  const count = (done: ObjectReport['done']) => reports.filter((it) => it.done === done).length
  const objects = reports.filter(({ done }) => done !== 'unchanged')
  // Without what is new each time, such as tokens.
  const plan = objects.map(({ type, name, done, changes }) => [type, name, done, changes])
  return {
    dryRun,
    plan: createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 32),
    made: count('made'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    removed: count('removed'),
    // A dry run has undone what it would show.
    objects: dryRun ? objects.map(({ shownOnce: _, ...rest }) => rest) : objects,
  }
}
