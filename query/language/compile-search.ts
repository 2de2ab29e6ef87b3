// From the text of a query to SQL: the one entry for a search. Pure.
import { engineSettings } from './compile/engine-settings.ts'
import { makeContext } from './compile/make-context.ts'
import { eventResult } from './compile/plan/event-result.ts'
import { planQuery } from './compile/plan/plan-query.ts'
import { tableResult } from './compile/plan/table-plan.ts'
import { NamesWanted } from './compile/plan/transposed-names.ts'
import type { CompiledSearch } from './compiled.ts'
import { readQuery } from './read-query.ts'
import type { SearchInput } from './search-input.ts'
import type { Query } from './tree.ts'

/** More events than these are read whole, not until there are enough. */
const MAX_EARLY_ROWS = 10_000

/** Throws Failure `search.query` { position (from 1), reason }. For a text with `transpose`,
 *  `columnsQuery` comes first. */
export function compileSearch(input: SearchInput): CompiledSearch {
  const { maxRows } = input
  const { query } = readQuery(input)
  const context = makeContext(input, { readsAll: readsAll(query, input.window) })
  const plan = planQuery(query, context)
  const sortsEvents = plan.kind === 'events' && plan.sorted.size > 0
  const endsEarly =
    plan.kind === 'events' && !sortsEvents && maxRows !== null && maxRows <= MAX_EARLY_ROWS
  const settings = engineSettings(context.params, { sortsEvents, endsEarly })
  const compiled =
    plan.kind === 'events'
      ? eventResult(plan, maxRows, context, settings)
      : tableResult(plan, maxRows, context, settings)
  const { subSelects } = context
  const whole = {
    ...compiled,
    readLogs: context.params.readLogs,
    sql: subSelects.finish(compiled.sql),
    countSql: subSelects.finish(compiled.countSql),
  }
  if (whole.kind === 'events' || !subSelects.hasQuick) return whole
  return { ...whole, quickSql: subSelects.finish(compiled.sql, 'quick') }
}

const DAY_MS = 86_400_000

/** A calculation over the rows of a day and more. */
function readsAll({ source, stages }: Query, { startMs, endMs }: SearchInput['window']): boolean {
  const [first] = stages
  const isLong = startMs === null || endMs === null || endMs - startMs >= DAY_MS
  return (
    isLong &&
    source.kind !== 'transaction' &&
    (first?.kind === 'functions' || first?.kind === 'groupBy' || first?.kind === 'datastream')
  )
}

/**
 * The columns that `transpose` makes depend on the data. A query whose rows { name } are the names
 * of the next transpose of the text that `input.transposed` has not yet; null when it has them all,
 * as it has for nearly every text. At most MAX_STAGES times.
 */
export function columnsQuery(
  input: SearchInput,
): Pick<CompiledSearch, 'sql' | 'params' | 'settings'> | null {
  if (!/transpose/i.test(input.text)) return null
  const { query } = readQuery(input)
  const context = makeContext(input)
  try {
    planQuery(query, context)
    return null
  } catch (error) {
    if (!(error instanceof NamesWanted)) throw error
    const { params, subSelects } = context
    return {
      sql: subSelects.finish(error.select),
      params: params.values(),
      settings: engineSettings(params),
    }
  }
}
