// complete: what can stand at a place of a query that is being written.
import { completeAnswer } from '../../../schemas/search-json/answers.ts'
import { completeParameters } from '../../../schemas/search-json/parameters.ts'
import { printScopeName, printValue } from '../../language/print/print-words.ts'
import { columnRef } from '../../language/reads/column-ref.ts'
import { compileCounts } from '../../language/reads/compile-counts.ts'
import { suggest } from '../../language/suggest.ts'
import { collect } from '../../search/collect.ts'
import { makeEndpoint } from '../endpoint.ts'
import { isCountable, readCountRow, valuesOf } from './count-values.ts'

export const complete = makeEndpoint({
  name: 'complete',
  summary: 'What can stand at a place of a query',
  description:
    'Names of logs, folders, tags, columns and stages, and the most frequent values of a column in the time window, that begin as what is written. Only of what the user may see.',
  parameters: completeParameters,
  answer: completeAnswer,
  isDraft: true,
  run: async (call) => {
    const { query, position = query.length, limit } = call.parameters
    const to = Math.min(position, query.length)
    const found = suggest({ ...call.filter(query) }, to)
    if (found.kind === 'names') {
      const suggestions = found.names.slice(0, limit).map((name) => ({ ...name, count: null }))
      return { from: found.from, to, suggestions }
    }
    const { column, filter, isScope, from } = found
    if (!isCountable(columnRef(column))) return { from, to, suggestions: [] }
    const compiled = compileCounts({
      ...call.filter(filter),
      slots: undefined,
      facets: [column],
      splitBy: undefined,
      maxValues: limit,
    })
    const rows = await call.inTurn(async (store) => collect(store.stream(compiled)))
    const counted = { compiled, rows: rows.map(readCountRow) }
    const print = isScope ? printScopeName : printValue
    const kind = isScope && (column === 'host' || column === 'source') ? column : 'value'
    const suggestions = valuesOf(compiled.facets[0], limit, counted).values.map(
      ({ value, total }) => ({ text: print(value), kind, count: total }) as const,
    )
    return { from, to, suggestions }
  },
})
