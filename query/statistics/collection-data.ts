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
  { type, maxUncollected }: StatisticsOptions,
): Element[] {
  const members = new Map<string, LogRecord[]>()
  for (const log of logs)
    for (const name of type === 'Folders' ? foldersOf(log) : new Set(log.appTags)) {
      const list = members.get(name)
      if (list === undefined) members.set(name, [log])
      else list.push(log)
    }
  const isCollected = ({ id }: LogRecord) => receipts.get(id)?.isCollected === true
  return [...members]
    .sort(([left], [right]) => compareText(left, right))
    .map(([name, list]) => {
      const counts = { totalLogs: list.length, collectedLogs: list.filter(isCollected).length }
      const uncollected =
        maxUncollected === undefined
          ? {}
          : {
              unCollectedLogsData: list
                .filter((log) => !isCollected(log))
                .sort((a, b) => lastOf(a) - lastOf(b) || compareText(commaPath(a), commaPath(b)))
                .slice(0, maxUncollected)
                .map((log) => ({
                  log: commaPath(log),
                  dataSize: receipts.get(log.id)?.bytes ?? 0,
                })),
            }
      const facts = { ...counts, ...uncollected }
      return type === 'Folders' ? { Folders: name, ...facts } : { AppTags: name, ...facts }
    })

  /** Longest silence first: one that has never received anything before all others. */
  function lastOf({ id }: LogRecord): number {
    return receipts.get(id)?.lastQuarter ?? 0
  }
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
