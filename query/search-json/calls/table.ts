// query: any query of the language, its result as a table of printed cells.
import { Failure } from '../../../schemas/failures.ts'
import { queryAnswer } from '../../../schemas/search-json/answers.ts'
import { queryParameters } from '../../../schemas/search-json/parameters.ts'
import { readEventRow } from '../../search/print/event-row-reader.ts'
import { EventTable } from '../../search/print/event-table.ts'
import { SummaryTable } from '../../search/print/summary-table.ts'
import { compileInTurn } from '../compile-in-turn.ts'
import { makeEndpoint } from '../endpoint.ts'

export const table = makeEndpoint({
  name: 'query',
  summary: 'The result of any query as a table',
  description:
    'Runs a query with or without stages. Cells are texts as widgetAPI.jsp prints them: times in the system date format, values as received. Results that are larger than an answer may be are exported by widgetAPI.jsp.',
  parameters: queryParameters,
  answer: queryAnswer,
  hasFound: ({ numberOfResults }) => numberOfResults > 0,
  cutRows: ({ hasMore, numberOfResults }) => (hasMore ? numberOfResults : undefined),
  run: async (call) => {
    const { query, limit } = call.parameters
    // One more tells whether there are more.
    const input = { ...call.filter(query), maxRows: limit + 1 }
    return await call.inTurn(async (store) => {
      const compiled = await compileInTurn(input, store)
      const rows =
        compiled.kind === 'events'
          ? new EventTable(compiled, call.scope.names, call.style)
          : new SummaryTable(compiled.columns, call.style)
      let hasMore = false
      read: for await (const batch of store.stream(compiled))
        for (const row of batch) {
          if (rows.rowCount === limit) {
            hasMore = true
            break read
          }
          if (rows instanceof EventTable) rows.add(readEventRow(row))
          else rows.add(row)
          if (rows.textLength > call.maxAnswerBytes)
            throw new Failure('search.too_large', { maxBytes: call.maxAnswerBytes })
        }
      const { columns, rows: cells } = rows.finish()
      return {
        kind: compiled.kind,
        columns: [...columns],
        rows: cells.map((row) => columns.map((_, at) => row[at] || null)),
        numberOfResults: cells.length,
        hasMore,
      }
    })
  },
})
