// GET and POST /logeye/view/api/widgetAPI.jsp: the edge of searching. Here a request becomes
// parameters and a user, and whatever was thrown becomes the document with state Fail. Nothing of a
// query reaches the process log; who searched what goes to the audit log.
import type { Context } from 'hono'
import type { SignedIn, SignIn } from '../../infra/access/sign-in.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import { cancelPaging } from '../../infra/metastore/searches/search-results.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import type { Damage } from '../../schemas/store-damage.ts'
import { compileDateFormat } from '../../schemas/time/date-format.ts'
import { timeZone } from '../../schemas/time/time-zone.ts'
import { printWarningCounts, type Warning } from '../../schemas/warning.ts'
import { BASIC_CHALLENGE } from '../envelope.ts'
import { ByteChannel } from './byte-channel.ts'
import { streamedAnswer } from './compressed-answer.ts'
import { damageWarnings } from './damage-warnings.ts'
import { toFailedAnswer } from './failed-answer.ts'
import {
  type Call,
  type CancelCall,
  type PageCall,
  parseParameters,
  type SearchCall,
} from './parameters.ts'
import type { CellStyle } from './print/cell-text.ts'
import type { ExportFormat } from './print/row-printer.ts'
import { type Answer, printAnswer, XML_CONTENT_TYPE } from './print/xml.ts'
import { readPairs } from './request-pairs.ts'
import type { Export } from './results/export.ts'
import { runPage } from './results/pages.ts'
import { hashSecret } from './results/secret.ts'
import { runExport, runSearch } from './run-search.ts'
import { RunningSearches, searchIdKey, tokenKey } from './running-searches.ts'
import type { SearchAudit } from './search-audit.ts'
import type { SearchDeps, SearchOutcome } from './search-deps.ts'
import { openSearchSignal, type SearchSignal } from './search-signal.ts'
import type { SearchTelemetry } from './telemetry.ts'
import { readVisibleScope } from './visible-scope.ts'

export type SearchApiDeps = SearchDeps & {
  readonly readDamage: () => Promise<readonly Damage[]>
  readonly signIn: SignIn
  readonly logger: Logger
  readonly telemetry: SearchTelemetry
  readonly audit: SearchAudit
  readonly limits: { readonly defaultTimeoutMs: number; readonly maxTimeoutMs: number }
  /** Ends every search when the product stops. */
  readonly stopping: AbortSignal
}

export type SearchApi = (context: Context, address: string) => Promise<Response>

const QUERY_ID_BYTES = 16
const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  json: 'application/x-ndjson; charset=utf-8',
  'csv-plain': 'text/csv; charset=utf-8',
}

type Received = {
  readonly request: Request
  readonly signedIn: SignedIn
  readonly startedMs: number
}

export function makeSearchApi(deps: SearchApiDeps): SearchApi {
  const { audit, clock, database, metastore, signIn, logger, telemetry } = deps
  const running = new RunningSearches(deps)

  /** Opens what can end the call; `close` is to be called when all is over. */
  async function openTurn(call: SearchCall | PageCall, received: Received, gone: AbortSignal[]) {
    const { request, signedIn, startedMs } = received
    const deadlineMs = startedMs + call.timeoutMs
    const ended = openSearchSignal({
      clock,
      deadlineMs,
      timeoutMs: call.timeoutMs,
      cancelOn: [request.signal, deps.stopping, ...gone],
    })
    const userId = signedIn.user.id
    try {
      const remove = await makeCancellable(call, userId, ended)
      const turn = {
        userId,
        deadlineMs,
        signal: ended.signal,
        queryId: `search-${clock.randomBytes(QUERY_ID_BYTES).toString('hex')}`,
        maxInlineBytes: metastore.setting('widgets.searchAPI.maxInlineBytes'),
        maxResults: metastore.setting('widgets.searchAPI.maxResults'),
        quota: {
          maxResults: metastore.setting('widgets.searchAPI.maxStoredResults'),
          maxBytes: metastore.setting('widgets.searchAPI.maxStoredBytes'),
        },
        style: readStyle(),
      }
      const close = () => {
        remove()
        ended.close()
      }
      return { turn, close, answered: () => ended.answered() }
    } catch (error) {
      ended.close()
      throw error
    }
  }

  async function makeCancellable(
    call: SearchCall | PageCall,
    userId: number,
    ended: SearchSignal,
  ): Promise<() => void> {
    const searchKeys = [
      ...(call.searchId === undefined ? [] : [searchIdKey(call.searchId)]),
      ...(call.kind === 'page' ? [tokenKey(hashSecret(call.token))] : []),
    ]
    if (searchKeys.length === 0) return () => undefined
    return await running.add({ userId, searchKeys, stop: () => ended.cancel() })
  }

  async function search(call: SearchCall | PageCall, received: Received): Promise<SearchOutcome> {
    const { turn, close } = await openTurn(call, received, [])
    try {
      return call.kind === 'page'
        ? await runPage({ ...turn, call }, deps)
        : await runSearch({ ...turn, call }, deps)
    } finally {
      close()
    }
  }

  async function exportRows(call: SearchCall, received: Received): Promise<Export> {
    const channel = new ByteChannel()
    const { turn, close, answered } = await openTurn(call, received, [channel.gone])
    try {
      const started = await runExport({ ...turn, call, answered }, deps, channel)
      return { body: started.body, done: started.done.finally(close) }
    } catch (error) {
      close()
      throw error
    }
  }

  async function cancel({ by }: CancelCall, { user }: SignedIn): Promise<SearchOutcome> {
    const mayCancelAll = user.isAdministrator || user.operations.has('search.cancelAll')
    const whose = mayCancelAll ? 'all' : user.id
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
  async function findWarnings(call: Call, { user }: SignedIn): Promise<readonly Warning[]> {
    if (call.kind === 'cancel') return []
    const damage = await deps.readDamage()
    if (damage.length === 0) return []
    const asked = call.kind === 'search' ? call : undefined
    return damageWarnings(damage, asked, await readVisibleScope(metastore, user.id))
  }

  function readRules(nowMs: number) {
    const style = readStyle()
    return {
      nowMs,
      zone: style.zone,
      dateFormat: style.dateFormat,
      defaultMaxNumOfRecords: metastore.setting('widgets.searchAPI.maxNumOfRecords'),
      maxResults: metastore.setting('widgets.searchAPI.maxResults'),
      ...deps.limits,
    }
  }

  function readStyle(): CellStyle {
    return {
      dateFormat: compileDateFormat(metastore.setting('system.dateFormat')),
      zone: timeZone(metastore.setting('system.timeZone')),
    }
  }

  return async (context, address) => {
    const startedMs = clock.elapsedMs()
    const nowMs = clock.nowMs()
    const request = context.req.raw
    let signedIn: SignedIn | undefined
    let call: Call | undefined
    const note = (outcome: { code: number; result: string; numberOfResults: number }) => {
      const durationMs = clock.elapsedMs() - startedMs
      if (call?.kind !== 'cancel') telemetry.finished(outcome.code, durationMs)
      if (signedIn !== undefined && call !== undefined)
        audit.add({ signedIn, call, durationMs, ...outcome })
    }
    const noteFailure = (error: unknown) => {
      const timeoutMs = call === undefined || call.kind === 'cancel' ? 0 : call.timeoutMs
      const failed = toFailedAnswer(error, timeoutMs || deps.limits.defaultTimeoutMs)
      if (failed.isBug) logger.error('search failed', describeError(error))
      const result = isFailure(error) ? error.code : 'search.internal'
      note({ code: failed.answer.code, result, numberOfResults: 0 })
      return failed
    }
    try {
      const pairs = await readPairs(request)
      signedIn = await signIn({
        parameters: pairs.pairs,
        authorization: context.req.header('authorization'),
        address,
      })
      if (pairs.refusal !== undefined) throw pairs.refusal
      call = parseParameters(pairs.pairs, readRules(nowMs))
      const received = { request, signedIn, startedMs }
      if (call.kind === 'search' && call.delivery.kind === 'export') {
        const { body, done } = await exportRows(call, received)
        void done.then(
          (numberOfResults) => note({ code: 0, result: 'done', numberOfResults }),
          noteFailure,
        )
        const answer = streamedAnswer(request, body, EXPORT_TYPES[call.delivery.format])
        const counts = printWarningCounts(await findWarnings(call, signedIn))
        if (counts !== undefined) answer.headers.set('x-logeye-warnings', counts)
        return answer
      }
      const outcome =
        call.kind === 'cancel' ? await cancel(call, signedIn) : await search(call, received)
      const { numberOfResults, token, content } = outcome
      note({ code: 0, result: 'done', numberOfResults })
      const warnings = await findWarnings(call, signedIn)
      return answerXml({ state: 'OK', numberOfResults, token, warnings, ...content }, 200)
    } catch (error) {
      const { answer, httpStatus } = noteFailure(error)
      return answerXml(answer, httpStatus)
    }
  }
}

function answerXml(answer: Answer, status: 200 | 401 | 503): Response {
  const headers = new Headers({ 'content-type': XML_CONTENT_TYPE })
  if (status === 401) headers.set('www-authenticate', BASIC_CHALLENGE)
  if (status === 503) headers.set('retry-after', '1')
  return new Response(printAnswer(answer), { status, headers })
}
