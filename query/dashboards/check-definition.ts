// What the schema of a dashboard cannot say: variables stand where they may, and every query can be
// read. Of columns nothing is asked: what a log has is known when it runs.
import type { DashboardDefinition } from '../../schemas/dashboards/dashboard.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import { findSourceFault } from '../configuration/source-scope.ts'
import { parseQuery } from '../language/parse/parse-query.ts'
import { makeQueryCatalog } from '../language/resolve/query-catalog.ts'
import { bindVariables, variablesIn } from './bind-variables.ts'

const NO_COLUMNS = makeQueryCatalog([], new Map())

/** Fails with dashboard.variable, dashboard.parameter. */
export function checkDefinition({ variables, widgets, sources }: DashboardDefinition): void {
  checkSources('sources', sources)
  const names = new Set(variables.map(({ name }) => name))
  for (const [at, { query, sources: own }] of widgets.entries()) {
    checkSources(`widgets.${at}.sources`, own)
    for (const name of variablesIn(query))
      if (!names.has(name))
        throw new Failure('dashboard.variable', {
          variable: name,
          reason: `the query of widget ${at + 1} names it, and the dashboard has none of this name`,
        })
    if (variablesIn(query).length === 0) continue
    const chosen = new Map(variables.map(({ name }) => [name, ['value']]))
    try {
      bindVariables(query, chosen, (text) => parseQuery(text, NO_COLUMNS))
    } catch (error) {
      // A name of several words is a column where a log has it.
      if (!isFailure(error) || error.code !== 'search.query') throw error
    }
  }
}

export function checkSources(parameter: string, sources: string | null): void {
  if (sources === null || sources.trim() === '') return
  const reason = findSourceFault(sources)
  if (reason !== undefined) throw new Failure('dashboard.parameter', { parameter, reason })
}
