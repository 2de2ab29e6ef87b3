// The answer behind `?debug=1` (decision 2.5): the writer's own splitter and its own way of finding
// logs, with nothing made and nothing stored.

import type { Metastore } from '../../infra/metastore/port.ts'
import { LEVEL_SEPARATOR } from '../../schemas/names/log-path.ts'
import { trimEnd } from '../../schemas/names/trim-end.ts'
import type { Explain, ExplainedEvent, ExplainRequest } from '../listener/explain.ts'
import { lineEnd } from '../split/line-span.ts'
import { columnText, makeSplitEvent, type SplitEvent } from '../split/split-event.ts'
import type { Locate } from '../split/template/locator.ts'
import { BatchLogs, type FoundLog } from './batch/batch-logs.ts'
import { EventSplitter } from './batch/event-splitter.ts'
import { LogAllowances, type LogLimits } from './batch/log-allowances.ts'
import { ColumnDirectory } from './batch/log-columns.ts'
import { INTENDED_PATH } from './native/event-block.ts'

export type ExplainDeps = {
  readonly metastore: Pick<Metastore, 'tree' | 'columns' | 'addColumns' | 'countLogs' | 'setting'>
  readonly limits: LogLimits & { readonly columnsPerLog: number }
  /** For `{geoip}` of templates. */
  readonly locate?: Locate | undefined
}

export function makeExplain({ metastore, limits, locate }: ExplainDeps): Explain {
  return async (request) => {
    const allowances = new LogAllowances(metastore, limits)
    const columns = new ColumnDirectory(metastore)
    const first = await startLogs()
    explainAll(request, first, makeSplitter())
    // The guards need counts and columns of what the first pass met; the second pass decides with
    // them.
    await allowances.settle(first.plannedByHour())
    await columns.load(first.slots.map(({ logId }) => logId).filter((id) => id > 0))
    return explainAll(request, await startLogs(), makeSplitter())

    function makeSplitter(): EventSplitter {
      return new EventSplitter(metastore.setting('system.timeZone'), locate)
    }

    async function startLogs(): Promise<BatchLogs> {
      return new BatchLogs({
        tree: await metastore.tree(),
        columns,
        columnsPerLog: limits.columnsPerLog,
        mode: { kind: 'create' },
        allowances: await allowances.current(),
      })
    }
  }
}

function explainAll(
  request: ExplainRequest,
  logs: BatchLogs,
  splitter: EventSplitter,
): ExplainedEvent[] {
  const { account, receivedMs, ranges } = request
  const event = makeSplitEvent()
  const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength)
  const explained: ExplainedEvent[] = []
  for (let at = 0; at + 1 < ranges.length; at += 2) {
    const start = ranges[at] ?? 0
    const rangeEnd = ranges[at + 1] ?? start
    const line = lineEnd(body, start, rangeEnd)
    const position = at / 2
    const span = { body, start, end: line ?? rangeEnd, isLine: line !== undefined, position }
    splitter.split(account, request, span, event)
    explained.push(explainOne(event, logs.find(account, event, receivedMs)))
  }
  return explained
}

function explainOne(event: SplitEvent, { log, intendedPath }: FoundLog): ExplainedEvent {
  const columns = new Map<string, string>()
  for (let i = 0; i < event.columnCount; i += 1) {
    const name = event.columnNames[i] ?? ''
    const kind = event.columnKinds[i] ?? 'text'
    if (!log.admitColumn(name, kind === 'exactNumber' ? 'number' : kind)) continue
    if (!columns.has(name)) columns.set(name, columnText(event, i))
  }
  if (intendedPath !== '') columns.set(INTENDED_PATH, intendedPath)
  return {
    path: log.folder.join(LEVEL_SEPARATOR),
    log: log.name,
    host: event.host,
    template: event.template === '' ? null : event.template,
    pattern: event.template === '' ? null : event.pattern,
    columns: Object.fromEntries(columns),
    time: printTime(event.timestampMs, event.timestampNanos),
  }
}

function printTime(ms: number, nanos: number): string {
  const digits = nanos === 0 ? '' : trimEnd(String(nanos).padStart(6, '0'), '0')
  return new Date(ms).toISOString().replace('Z', `${digits}Z`)
}
