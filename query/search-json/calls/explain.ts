// explain: what a query means, what running it costs, and why it finds nothing.
import { z } from 'zod'
import { logPathKey } from '../../../schemas/names/log-path.ts'
import { explainAnswer, type ReasonAnswer } from '../../../schemas/search-json/answers.ts'
import { explainParameters } from '../../../schemas/search-json/parameters.ts'
import { explainQuery, type QueryExplanation } from '../../language/explain-query.ts'
import { compileLogTimes, compilePage } from '../../language/reads/compile-event-reads.ts'
import { collect } from '../../search/collect.ts'
import { type FoundReason, findAdvice } from '../advice/find-advice.ts'
import { compileInTurn } from '../compile-in-turn.ts'
import { makeEndpoint, type ReadCall, type TurnStore } from '../endpoint.ts'
import { printNanos, printWindow } from '../print-time.ts'

const MAX_ROWS = 1000
const MAX_NAMES = 100
/** The exact time of the store would tell of events that the user may not see, as what was read
 *  would. */
const COARSE_MS = 10
/** Logs that are told of one by one. */
const MAX_SILENT = 20

export const explain = makeEndpoint({
  name: 'explain',
  summary: 'What a query means and costs',
  description:
    'Prints the query back as it was understood, names the logs in scope, runs it (its first 1,000 rows) and tells what was read. When nothing is found it says why and what to ask instead, as far as the user may know: a log that he may not see does not exist here either. Administrators are also shown the statement; what was read is told to who sees every log, since events of hidden ones lie among it.',
  parameters: explainParameters,
  answer: explainAnswer,
  hasFound: ({ reasons }) => reasons.length === 0,
  run: async (call) => {
    const { query } = call.parameters
    const explained = explainQuery({ ...call.filter(query) })
    const answer = await call.inTurn(async (store) => {
      const compiled = await compileInTurn({ ...call.filter(query), maxRows: MAX_ROWS }, store)
      const { sql, params } = compiled
      const cost = await store.measure(compiled)
      const isFound = cost.rows > 0 && (await hasEvents(explained, call, store))
      const reasons = isFound ? [] : await readReasons(explained, call, store)
      const { logsInScope } = explained
      return {
        query: explained.query,
        filter: explained.filter,
        kind: compiled.kind,
        ...printWindow(call.window),
        logs: {
          total: logsInScope.length,
          names: logsInScope
            .slice(0, MAX_NAMES)
            .map(({ folder, name }) => logPathKey(folder, name)),
        },
        columns: [...explained.columns],
        rows: cost.rows,
        rowsRead: call.scope.seesAll ? cost.rowsRead : null,
        bytesRead: call.scope.seesAll ? cost.bytesRead : null,
        elapsedMs: call.scope.seesAll
          ? cost.elapsedMs
          : Math.ceil(cost.elapsedMs / COARSE_MS) * COARSE_MS,
        reasons,
        statement: call.signedIn.user.isAdministrator ? { sql, parameters: { ...params } } : null,
      }
    })
    if (answer.reasons.length === 0) return { ...answer, advice: null }
    const { reasons, advice } = await findAdvice(query, call)
    return { ...answer, reasons: uniteReasons(answer.reasons, reasons), advice }
  },
})

/** What is known closer takes the place of what is only known in general. */
function uniteReasons(general: readonly ReasonAnswer[], close: readonly FoundReason[]) {
  const isClose = close.some(({ code }) => code !== 'empty_scope')
  return [
    ...general.filter(({ code }) => !isClose || (code !== 'no_match' && code !== 'outside_window')),
    ...close.map((reason) => ({ ...reason, lastEvent: null })),
  ]
}

type ExplainCall = ReadCall<{ readonly query: string }>

/** The count of nothing is a row, too. */
async function hasEvents(
  { filter }: QueryExplanation,
  call: ExplainCall,
  store: TurnStore,
): Promise<boolean> {
  if (filter === null) return true
  const arrived = await call.readArrived()
  const one = compilePage({ ...call.filter(filter), after: undefined, arrived, count: 1 })
  return (await collect(store.stream(one))).length > 0
}

async function readReasons(
  { logsInScope, columns, emptyScopes }: QueryExplanation,
  call: ExplainCall,
  store: TurnStore,
): Promise<ReasonAnswer[]> {
  const nothing = { name: null, nearest: null, lastEvent: null }
  const scopes = emptyScopes.map(({ name, nearest }): ReasonAnswer => {
    const message = `no log that you may see is ${name}`
    return { ...nothing, code: 'no_log', message, name, nearest }
  })
  if (logsInScope.length === 0) {
    const message = 'there is no log that you may see'
    return scopes.length > 0 ? scopes : [{ ...nothing, code: 'no_log', message }]
  }
  const unknown = columns
    .filter(({ isKnown }) => !isKnown)
    .map(({ name, nearest }): ReasonAnswer => {
      const message = `no log in scope has the column ${name}`
      return { ...nothing, code: 'unknown_column', message, name, nearest }
    })
  const silent = await readSilence(logsInScope, call, store)
  const isAllSilent = silent.length === logsInScope.length
  const message = isAllSilent
    ? 'the logs in scope have no event in the time window'
    : 'no event in the time window passes the filter'
  const code = isAllSilent ? 'outside_window' : 'no_match'
  return [...scopes, ...unknown, ...silent.slice(0, MAX_SILENT), { ...nothing, code, message }]
}

const timesSchema = z.tuple([z.coerce.number(), z.coerce.number(), z.string()])

/** Logs in scope without an event in the window. */
async function readSilence(
  logs: QueryExplanation['logsInScope'],
  call: ExplainCall,
  store: TurnStore,
): Promise<ReasonAnswer[]> {
  const ids = logs.map(({ id }) => id)
  const rows = await collect(store.stream(compileLogTimes({ ...call.filter('*'), logIds: ids })))
  const times = new Map(
    rows.map((row) => {
      const [id, inside, last] = timesSchema.parse(row)
      return [id, { inside, last }]
    }),
  )
  return logs.flatMap(({ id, folder, name }): ReasonAnswer[] => {
    const known = times.get(id)
    if (known !== undefined && known.inside > 0) return []
    const lastEvent = known === undefined ? null : printNanos(known.last)
    const path = logPathKey(folder, name)
    const message = `the log ${path} has no event in the time window`
    return [{ code: 'silent_log', message, name: path, nearest: null, lastEvent }]
  })
}
