// All ways of events and alerts that commands may change (schemas/rights/sees.ts).
import type { EventPath } from '../../../schemas/rights/sees.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import { readAccountPaths } from './account-paths.ts'
import type { EventNodes } from './event-nodes.ts'
import { readListenerPaths } from './listener-paths.ts'
import { readFolderPaths, readLogPaths } from './node-paths.ts'
import { readMonitorPaths, readReportPaths } from './owned-paths.ts'
import { readPolicyPaths } from './policy-paths.ts'
import type { PathEntry, PathState, ReadPaths } from './port.ts'
import { readSettingPaths } from './setting-paths.ts'
import { readTaskPaths } from './task-paths.ts'
import { readTemplatePaths } from './template-paths.ts'

const READERS: { readonly [P in EventPath]: ReadPaths } = {
  listener: readListenerPaths,
  folder: readFolderPaths,
  log: readLogPaths,
  task: readTaskPaths,
  template: readTemplatePaths,
  collectionPolicy: readPolicyPaths,
  account: readAccountPaths,
  monitor: readMonitorPaths,
  report: readReportPaths,
  setting: readSettingPaths,
}

export async function readEventPaths(
  transaction: DatabaseTransaction,
  nodes: EventNodes,
  paths: Iterable<EventPath>,
): Promise<PathState> {
  const all = new Map<string, PathEntry>()
  for (const path of paths)
    for (const [key, entry] of await READERS[path](transaction, nodes)) all.set(key, entry)
  return all
}
