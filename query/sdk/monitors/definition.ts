// What a monitor asks, when, and when an alert opens, as the arguments of a command say it.
import type { z } from 'zod'
import { Failure } from '../../../schemas/failures.ts'
import { type MonitorSettings, NEW_EVENTS } from '../../../schemas/monitors/monitor.ts'
import { isNewKind, parseRule } from '../../../schemas/monitors/rule.ts'
import { findMisfit } from '../../../schemas/monitors/rule-needs.ts'
import type { MONITOR_ARGUMENTS } from '../../../schemas/sdk/monitors/monitor-arguments.ts'
import { findSourceFault } from '../../configuration/source-scope.ts'
import { parseQuery } from '../../language/parse/parse-query.ts'
import { makeQueryCatalog } from '../../language/resolve/query-catalog.ts'
import { isWhole, WHOLE_LOGS } from '../../monitors/anomalies/read-unusual.ts'

type Definition = {
  readonly [Name in keyof typeof MONITOR_ARGUMENTS]?: z.output<(typeof MONITOR_ARGUMENTS)[Name]>
}

/** What is undefined is not said. */
export function definitionOf({ timeZone, ...input }: Definition) {
  return {
    ...{ query: input.query, sources: input.sources, schedule: input.schedule },
    timeZone: timeZone === undefined ? undefined : (timeZone ?? ''),
    ...{ businessHours: input.businessHours, window: input.window, rule: input.rule },
    ...{ delaySeconds: input.delaySeconds, groupBy: input.groupBy },
    ...{ openAfter: input.openAfter, closeAfter: input.closeAfter },
  }
}

/** Whatever can be read without a log. Fails with sdk.argument, search.query. */
export function checkAsked({ query, sources }: Pick<Definition, 'query' | 'sources'>): void {
  if (query !== undefined) parseQuery(query, makeQueryCatalog([], new Map()))
  const fault = sources === undefined || sources === '' ? undefined : findSourceFault(sources)
  if (fault !== undefined) throw refuseArgument('sources', fault)
}

/** Of the whole monitor, as it would be. */
export function checkTogether(settings: Partial<MonitorSettings>): void {
  const { rule = 'exists', window = NEW_EVENTS, query = '', groupBy = '' } = settings
  const { openAfter = 1 } = settings
  const parsed = parseRule(rule)
  if (parsed === undefined) return
  const isOfNewEvents = window === NEW_EVENTS
  const misfit = findMisfit(parsed, rule, { isOfNewEvents, groupBy, openAfter })
  if (misfit !== undefined) throw refuseArgument(misfit.argument, misfit.reason)
  const { kind } = parsed
  if (kind !== 'silence' && kind !== 'unusual' && !isNewKind(parsed)) return
  const { source, stages } = parseQuery(query, makeQueryCatalog([], new Map()))
  if (source.kind === 'transaction' || stages.length > 0)
    throw refuseArgument('query', `the rule ${rule} needs a query without stages`)
  if (kind === 'unusual' && !isWhole(source.filter)) throw refuseArgument('query', WHOLE_LOGS)
}

export function withoutUndefined<Given extends object>(given: Given): Partial<Given> {
  const result: Partial<Given> = { ...given }
  for (const name in result) if (result[name] === undefined) delete result[name]
  return result
}

export function refuseArgument(argument: string, reason: string): Failure {
  return new Failure('sdk.argument', { argument, reason })
}
