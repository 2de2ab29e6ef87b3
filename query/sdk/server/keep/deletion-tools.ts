// Which events a deletion means: a condition over the store's table that neither time nor later
// changes of the log alter.
import type { OpenedMetastore } from '../../../../infra/metastore/open.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { logPathKey } from '../../../../schemas/names/log-path.ts'
import { describeFault, readCallTime } from '../../../../schemas/time/call-time.ts'
import { readStyle } from '../../../edge/read-style.ts'
import { compileCondition } from '../../../language/compile-condition.ts'
import type { FindEvents } from '../find-events.ts'

/** With all that is being deleted it goes to the store beside every search. */
const MAX_CHARACTERS = 60_000

/** Fails with object.not_found, sdk.argument, search.query. */
export function makeFindEvents(metastore: OpenedMetastore): FindEvents {
  return async ({ levels, query, startTime, endTime, nowMs }) => {
    const folder = levels.slice(0, -1)
    const name = levels.at(-1) ?? ''
    const key = logPathKey(folder, name)
    const { logsByPath, removedLogsByPath } = await metastore.tree()
    const log = logsByPath.get(key) ?? removedLogsByPath.get(key)
    if (log === undefined) throw new Failure('object.not_found', { kind: 'log', name: key })
    const style = readStyle(metastore)
    const readTime = (argument: string, text: string | undefined) => {
      if (text === undefined || text.trim() === '') return null
      const rules = { nowMs, ...style }
      const time = readCallTime(text, rules)
      if (time.kind === 'time') return time.ms
      throw new Failure('sdk.argument', { argument, reason: describeFault(time, rules) })
    }
    const window = {
      startMs: readTime('startTime', startTime),
      endMs: readTime('endTime', endTime),
    }
    if (window.startMs !== null && window.endMs !== null && window.endMs <= window.startMs)
      throw new Failure('sdk.argument', { argument: 'endTime', reason: 'must be after -startTime' })
    const compiled = compileCondition({
      text: query === undefined || query.trim() === '' ? '*' : query,
      visibleLogs: [log],
      columns: await metastore.columns([log.id]),
      window,
      nowMs,
      dateFormat: style.dateFormat.pattern,
      timeZone: style.zone.name,
    })
    const received = `received < fromUnixTimestamp64Milli(${Math.trunc(nowMs)}, 'UTC')`
    const condition = `log_id = ${Math.trunc(log.id)} AND ${received} AND (${compiled ?? '0'})`
    const reason = 'cannot be used for a deletion: it is too long, or asks more than one question'
    if (compiled === undefined || condition.length > MAX_CHARACTERS)
      throw new Failure('sdk.argument', { argument: 'query', reason })
    return { logId: log.id, log: key, policyId: log.policyId, window, condition }
  }
}
