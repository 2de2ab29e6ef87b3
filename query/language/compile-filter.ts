// A filter with its scopes as a plan over events: the beginning of every read that is not a search
// of its own (counts by time and value, pages of events, live tail). Pure.
import type { CompileContext } from './compile/compile-context.ts'
import { engineSettings } from './compile/engine-settings.ts'
import { makeContext } from './compile/make-context.ts'
import { sourcePlan } from './compile/plan/event-plan.ts'
import type { EventPlan } from './compile/plan/plan.ts'
import { NamesWanted } from './compile/plan/transposed-names.ts'
import { raiseQuery } from './parse/raise-query.ts'
import { readQuery } from './read-query.ts'
import type { SearchInput } from './search-input.ts'

export type FilterInput = Omit<SearchInput, 'maxRows'>

/** SQL with its bound parameters and settings. */
export type Statement = {
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, string | number>>
}

/** Throws Failure `search.query`, also for a query with stages. */
export function planFilter(input: FilterInput): {
  plan: EventPlan
  context: CompileContext
} {
  const { query } = readQuery(input)
  const { source } = query
  const [stage] = query.stages
  if (source.kind === 'transaction') return raiseQuery('a filter is expected', source.start)
  if (stage !== undefined) return raiseQuery('a filter is expected, without stages', stage.start)
  const context = makeContext(input)
  try {
    return { plan: sourcePlan(source.filter, context), context }
  } catch (error) {
    if (!(error instanceof NamesWanted)) throw error
    return raiseQuery('transpose is not possible in the brackets of a filter here', source.start)
  }
}

export function makeStatement(
  sql: string,
  { params, subSelects }: CompileContext,
  reading = { endsEarly: true },
): Statement {
  return {
    sql: subSelects.finish(sql),
    params: params.values(),
    settings: engineSettings(params, reading),
  }
}
