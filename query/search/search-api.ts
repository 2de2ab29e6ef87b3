// GET and POST /logeye/view/api/widgetAPI.jsp: searches, further pages, exports and cancels.
import { mayDo } from '../../infra/access/may-do.ts'
import type { SignedIn } from '../../infra/access/signed-in.ts'
import type { Handle } from '../../infra/http/routes/route.ts'
import { cancelPaging } from '../../infra/metastore/searches/search-results.ts'
import { Failure } from '../../schemas/failures.ts'
import { printWarningCounts, type Warning } from '../../schemas/warning.ts'
import { readCallZone } from '../edge/call-zone.ts'
import { findDamageWarnings, findQueryWarnings, type WarningDeps } from '../edge/find-warnings.ts'
import { openTurn, type TurnEdge } from '../edge/open-turn.ts'
import { FORM, type Form } from '../edge/read-form.ts'
import { readStyle } from '../edge/read-style.ts'
import { searchIdKey, tokenKey } from '../edge/running-searches.ts'
import type { AuditedCall, SearchAudit } from '../edge/search-audit.ts'
import type { ServeCall } from '../edge/serve-call.ts'
import type { Done, EdgeCall } from '../edge/surface.ts'
import { describeUnknown } from '../language/nearest-word.ts'
import { askWithin } from './ask-within.ts'
import { ByteChannel } from './byte-channel.ts'
import { collect } from './collect.ts'
import { streamedAnswer } from './compressed-answer.ts'
import { cutWarning } from './cut-warning.ts'
import { hintsOf } from './looks.ts'
import {
  type Call,
  type CancelCall,
  PARAMETER_NAMES,
  type PageCall,
  parseParameters,
  type SearchCall,
  type Told,
} from './parameters.ts'
import { type PreparedSearch, prepareSearch, type SearchJob } from './prepare-search.ts'
import type { ExportFormat } from './print/row-printer.ts'
import type { Answer } from './print/xml.ts'
import { runPage } from './results/pages.ts'
import { hashSecret } from './results/secret.ts'
import { limitedQuery, runInTurn } from './run-in-turn.ts'
import { runExport, runSearch } from './run-search.ts'
import type { SearchDeps, SearchOutcome } from './search-deps.ts'
import { SEARCH_SURFACE } from './search-surface.ts'
import { type AskStore, beginWordHints, runWithHints } from './word-warnings.ts'

export type SearchApiDeps = SearchDeps &
  WarningDeps &
  TurnEdge & {
    readonly serve: ServeCall
    readonly audit: SearchAudit
    readonly limits: {
      readonly defaultTimeoutMs: number
      readonly maxTimeoutMs: number
      readonly hintsWithinMs: number
    }
  }

const QUERY_ID_BYTES = 16
/** Parameters that are not known, of which a warning tells. */
const MAX_UNKNOWN = 8
const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  json: 'application/x-ndjson; charset=utf-8',
  'csv-plain': 'text/csv; charset=utf-8',
  'csv-spreadsheet': 'text/csv; charset=utf-8',
}

export function makeSearchApi(deps: SearchApiDeps): Handle {
  const { audit, clock, database, metastore, running } = deps

  async function openJob(
    call: SearchCall | PageCall,
    received: EdgeCall<Form>,
    gone?: AbortSignal,
  ) {
    const { searchId } = call
    const searchKeys = call.kind === 'page' ? [tokenKey(hashSecret(call.token))] : []
    const names = { searchId, searchKeys, ...(gone === undefined ? {} : { gone }) }
    const { turn, close, answered } = await openTurn(received, names, deps)
    const job = {
      ...turn,
      reader: received.signedIn.user,
      queryId: `search-${clock.randomBytes(QUERY_ID_BYTES).toString('hex')}`,
      maxInlineBytes: metastore.setting('widgets.searchAPI.maxInlineBytes'),
      maxResults: metastore.setting('widgets.searchAPI.maxResults'),
      quota: {
        maxResults: metastore.setting('widgets.searchAPI.maxStoredResults'),
        maxBytes: metastore.setting('widgets.searchAPI.maxStoredBytes'),
      },
      nowMs: received.nowMs,
      style: readStyle(metastore, call.kind === 'search' ? call.timeZone : undefined),
    }
    return { job, close, answered }
  }

  async function search(
    call: (SearchCall & Told) | PageCall,
    received: EdgeCall<Form>,
  ): Promise<{ outcome: SearchOutcome; prepared?: PreparedSearch; words?: readonly Warning[] }> {
    const { job, close } = await openJob(call, received)
    try {
      if (call.kind === 'page') return { outcome: await runPage({ ...job, call }, deps) }
      const search = { ...job, call }
      const prepared = await prepareSearch(search, deps)
      if (!call.tellsAll) return { outcome: await runSearch(prepared, search, deps), prepared }
      const { found: outcome, words } = await runHinted(prepared, search)
      const isAsked = received.given.pairs.some(([name]) => name === 'maxNumOfRecords')
      const cut = isAsked ? [] : await cutOf(prepared, outcome, search)
      return { outcome, prepared, words: [...words, ...cut] }
    } finally {
      close()
    }
  }

  /** The search comes first in the queue. */
  function runHinted(prepared: PreparedSearch, search: SearchJob) {
    let asked = 0
    const ask: AskStore = async (statement, late) => {
      const turn = { ...search, signal: AbortSignal.any([search.signal, late]) }
      asked += 1
      const queryId = `${search.queryId}-words-${asked}`
      return await runInTurn({ ...turn, queryIds: [queryId] }, deps, () =>
        collect(deps.store.stream(limitedQuery({ ...statement, queryId }, turn, deps))),
      )
    }
    const withinMs = deps.limits.hintsWithinMs
    return runWithHints(
      runSearch(prepared, search, deps),
      ({ numberOfResults }) => numberOfResults > 0,
      () => beginWordHints(() => hintsOf(prepared.input), { withinMs }, ask, clock),
    )
  }

  /** Whether the limit that nobody asked for has cut the answer. */
  async function cutOf(
    { compiled }: PreparedSearch,
    { numberOfResults }: SearchOutcome,
    search: SearchJob,
  ): Promise<readonly Warning[]> {
    const { delivery, maxRows } = search.call
    if (delivery.kind !== 'inline' || numberOfResults !== maxRows) return []
    const count = async (late: AbortSignal) => {
      const turn = { ...search, signal: AbortSignal.any([search.signal, late]) }
      const queryId = `${search.queryId}-more`
      const params = { ...compiled.params, countLimit: maxRows + 1 }
      const statement = { sql: compiled.countSql, params, settings: compiled.settings, queryId }
      return await runInTurn({ ...turn, queryIds: [queryId] }, deps, () =>
        deps.store.query<{ total: string | number }>(limitedQuery(statement, turn, deps)),
      )
    }
    const rows = await askWithin(deps.limits.hintsWithinMs, count, clock)
    const total = rows?.[0]?.total
    if (total !== undefined && Number(total) <= maxRows) return []
    return [cutWarning(maxRows, 'maxNumOfRecords', total !== undefined)]
  }

  async function exportRows(
    call: SearchCall & Told,
    format: ExportFormat,
    received: EdgeCall<Form>,
  ): Promise<Done<Answer>> {
    const channel = new ByteChannel()
    const { job, close, answered } = await openJob(call, received, channel.gone)
    try {
      const search = { ...job, call, answered, signedIn: received.signedIn }
      const prepared = await prepareSearch(search, deps)
      // First: once the export runs, nothing may fail that its answer does not know of.
      const counts = printWarningCounts(await warningsOf(call, received, prepared))
      const { body, done } = await runExport(prepared, search, deps, channel)
      const response = streamedAnswer(received.request, body, EXPORT_TYPES[format])
      if (counts !== undefined) response.headers.set('x-logeye-warnings', counts)
      return { response, ended: done.finally(close) }
    } catch (error) {
      close()
      throw error
    }
  }

  async function cancel({ by }: CancelCall, { user }: SignedIn): Promise<SearchOutcome> {
    const whose = mayDo(user, 'search.cancelAll') ? 'all' : user.id
    if ('searchId' in by) {
      const count = await running.cancel(searchIdKey(by.searchId), whose)
      if (count === 0) throw new Failure('search.not_found')
    } else {
      const tokenHash = hashSecret(by.token)
      if (!(await cancelPaging(database, tokenHash, whose))) throw new Failure('search.not_found')
      await running.tell(tokenKey(tokenHash), whose)
    }
    return { numberOfResults: 0, token: '', content: { data: '' } }
  }

  /** What is asked is known of a search only: of a page all that its user may know is told. */
  async function warningsOf(
    call: Call,
    { signedIn }: EdgeCall,
    prepared: PreparedSearch | undefined,
  ): Promise<readonly Warning[]> {
    const { user } = signedIn
    const asked = call.kind === 'search' ? call : undefined
    const damage =
      call.kind === 'cancel' ? [] : await findDamageWarnings(asked, user, deps, prepared?.scope)
    if (!call.tellsAll) return damage
    const ofQuery = prepared === undefined ? [] : findQueryWarnings(prepared.input)
    return [...unknownParameters(call.unknown), ...ofQuery, ...damage]
  }

  function readRules(nowMs: number, ownZone: string | undefined) {
    const style = readStyle(metastore, ownZone)
    return {
      nowMs,
      zone: style.zone,
      dateFormat: style.dateFormat,
      defaultMaxNumOfRecords: metastore.setting('widgets.searchAPI.maxNumOfRecords'),
      maxResults: metastore.setting('widgets.searchAPI.maxResults'),
      ...deps.limits,
    }
  }

  return deps.serve(SEARCH_SURFACE, async (received): Promise<Done<Answer>> => {
    const { given, signedIn, nowMs, asked } = received
    if (given.other !== undefined) {
      const reason = `a body must be ${FORM}`
      throw new Failure('search.parameter', { parameter: 'Content-Type', reason })
    }
    const ownZone = await readCallZone(metastore, {
      request: received.request,
      reader: signedIn.user,
      query: given.pairs.find(([name]) => name === 'searchQuery')?.[1],
    })
    const call = parseParameters(given.pairs, readRules(nowMs, ownZone))
    asked.audit = (outcome) => audit.add(toAudited(call), signedIn, outcome)
    if (call.kind === 'cancel') asked.isCounted = false
    else asked.timeoutMs = call.timeoutMs
    if (call.kind === 'search' && call.delivery.kind === 'export')
      return await exportRows(call, call.delivery.format, received)
    const {
      outcome,
      prepared,
      words = [],
    } = call.kind === 'cancel'
      ? { outcome: await cancel(call, signedIn), prepared: undefined }
      : await search(call, received)
    const { numberOfResults, token, content } = outcome
    const warnings = [...(await warningsOf(call, received, prepared)), ...words]
    return { value: { state: 'OK', numberOfResults, token, warnings, ...content }, numberOfResults }
  })
}

/** Of parameters that the specification's call ignores (decision 1.8). */
function unknownParameters(names: readonly string[]): Warning[] {
  return names.slice(0, MAX_UNKNOWN).map((name) => ({
    code: 'search.unknown_parameter',
    message: `${describeUnknown('parameter', name, PARAMETER_NAMES)}: it is ignored`,
  }))
}

function toAudited(call: Call): AuditedCall {
  switch (call.kind) {
    case 'search':
      return { action: 'search', target: call.searchId ?? '', details: call }
    case 'page':
      return { action: 'search.page', target: call.searchId ?? '', details: 'outcome' }
    case 'cancel':
      // Tokens are secrets.
      return {
        action: 'search.cancel',
        target: 'searchId' in call.by ? call.by.searchId : '',
        details: 'none',
      }
  }
}
