// Statistics of what was collected, by folder or by tag (decision 5.1). Pure.
import type { LogRecord } from '../../infra/metastore/tree/port.ts'
import { LEVEL_SEPARATOR, ROOT_NAME } from '../../schemas/names/log-path.ts'
import type { CollectedData } from '../../schemas/public-calls/configuration.ts'
import { compareText } from '../configuration/compare-text.ts'
import type { LogReceipt } from './collected-logs.ts'

export type StatisticsOptions = {
  readonly type: 'Folders' | 'AppTags'
  /** Undefined: Basic. */
  readonly maxUncollected: number | undefined
}

type Element = CollectedData['data']['collectionData'][number]

export function collectionData(
  logs: readonly LogRecord[],
  receipts: ReadonlyMap<number, LogReceipt>,
  { type, maxUncollected, hidesBytes }: StatisticsOptions & { readonly hidesBytes: boolean },
): Element[] {
  const members = new Map<string, Members>()
  for (const group of groupLogs(logs, receipts, type)) {
    for (const name of group.names) {
      const known = members.get(name)
      const member = known ?? { totalLogs: 0, collectedLogs: 0, uncollected: [] }
      if (known === undefined) members.set(name, member)
      member.totalLogs += group.logs
      member.collectedLogs += group.logs - group.uncollected.length
      member.uncollected.push(group.uncollected)
    }
  }
  return [...members]
    .sort(([left], [right]) => compareText(left, right))
    .map(([name, { totalLogs, collectedLogs, uncollected }]) => {
      const unCollectedLogsData = () =>
        uncollected
          .flat()
          .sort((a, b) => lastOf(a) - lastOf(b) || compareText(commaPath(a), commaPath(b)))
          .slice(0, maxUncollected)
          .map((log) => ({ log: commaPath(log), dataSize: bytesOf(log) }))
      const facts = {
        ...{ totalLogs, collectedLogs },
        ...(maxUncollected === undefined ? {} : { unCollectedLogsData: unCollectedLogsData() }),
      }
      return type === 'Folders' ? { Folders: name, ...facts } : { AppTags: name, ...facts }
    })

  /** Read before and after an event, the bytes of a log are the event's. */
  function bytesOf({ id }: LogRecord): number {
    return hidesBytes ? 0 : (receipts.get(id)?.bytes ?? 0)
  }

  /** Longest silence first: one that has never received anything before all others. */
  function lastOf({ id }: LogRecord): number {
    return receipts.get(id)?.lastQuarter ?? 0
  }
}

type Members = { totalLogs: number; collectedLogs: number; readonly uncollected: LogRecord[][] }

type Group = { readonly names: Iterable<string>; logs: number; readonly uncollected: LogRecord[] }

/** Those of one folder, or with the same tags, together: the tree keeps one list of levels a
 *  folder, so ten thousand logs are a few hundred groups. */
function groupLogs(
  logs: readonly LogRecord[],
  receipts: ReadonlyMap<number, LogReceipt>,
  type: StatisticsOptions['type'],
): Iterable<Group> {
  const groups = new Map<readonly string[], Group>()
  for (const log of logs) {
    const key = type === 'Folders' ? log.folder : log.appTags
    const known = groups.get(key)
    const group = known ?? { names: namesOf(log, type), logs: 0, uncollected: [] }
    if (known === undefined) groups.set(key, group)
    group.logs += 1
    if (receipts.get(log.id)?.isCollected !== true) group.uncollected.push(log)
  }
  return groups.values()
}

function namesOf(log: LogRecord, type: StatisticsOptions['type']): Iterable<string> {
  return type === 'Folders' ? foldersOf(log) : new Set(log.appTags)
}

/** Its own and all above; the root for a log that lies in none, so that each log is in just one of
 *  the elements at the top. */
function foldersOf({ folder }: LogRecord): string[] {
  if (folder.length === 0) return [ROOT_NAME]
  return folder.map((_, depth) => folder.slice(0, depth + 1).join(LEVEL_SEPARATOR))
}

function commaPath({ folder, name }: LogRecord): string {
  return [...folder, name].join(',')
}
