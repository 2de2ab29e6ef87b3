// GET and POST /logeye/view/api/widgetAPI.jsp: the edge of searching. Here a request becomes parameters and a user, and whatever
// was thrown becomes the document with state Fail. Nothing of a query reaches the process log; who searched what goes to the audit log.
import type { Context } from 'hono'
import type { Clock } from '../../infra/clock.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import type { Metastore } from '../../infra/metastore/port.ts'
import type { Rights } from '../../infra/metastore/rights-port.ts'
import type { Store } from '../../infra/store/port.ts'
import { compileDateFormat } from '../../schemas/date-format.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import { timeZone } from '../../schemas/time-zone.ts'
import { BASIC_CHALLENGE } from '../envelope.ts'
import type { FairQueue } from '../fair-queue.ts'
import type { SignedIn, SignIn } from '../sign-in/sign-in.ts'
import type { CellStyle } from './cell-text.ts'
import { toFailedAnswer } from './failed-answer.ts'
import { type CancelCall, parseParameters, type SearchCall } from './parameters.ts'
import { readPairs } from './request-pairs.ts'
import { runSearch, type SearchOutcome } from './run-search.ts'
import { makeQueryId, RunningSearches } from './running-searches.ts'
import type { SearchAudit } from './search-audit.ts'
import { openSearchSignal } from './search-signal.ts'
import type { SearchTelemetry } from './telemetry.ts'
import { type Answer, printAnswer, XML_CONTENT_TYPE } from './xml.ts'

export type SearchApiDeps = {
  readonly store: Store
  readonly metastore: Metastore & Rights
  readonly signIn: SignIn
  readonly clock: Clock
  readonly logger: Logger
  readonly queue: FairQueue
  readonly telemetry: SearchTelemetry
  readonly audit: SearchAudit
  readonly limits: { readonly defaultTimeoutMs: number; readonly maxTimeoutMs: number }
  readonly maxQueryMemoryBytes: number
  /** Ends every search when the product stops. */
  readonly stopping: AbortSignal
}

export type SearchApi = (context: Context, address: string) => Promise<Response>

const CANCEL_TIMEOUT_MS = 5000

export function makeSearchApi(deps: SearchApiDeps): SearchApi {
  const { audit, clock, metastore, signIn, logger, telemetry } = deps
  const running = new RunningSearches(deps.store)

  async function search(
    call: SearchCall,
    signedIn: SignedIn,
    request: Request,
    startedMs: number,
  ): Promise<SearchOutcome> {
    const userId = signedIn.user.id
    const deadlineMs = startedMs + call.timeoutMs
    const ended = openSearchSignal({
      clock,
      deadlineMs,
      timeoutMs: call.timeoutMs,
      cancelOn: [request.signal, deps.stopping],
    })
    const { searchId } = call
    const remove =
      searchId === undefined
        ? undefined
        : running.add({ userId, searchId, stop: () => ended.cancel() })
    try {
      return await runSearch(
        {
          call,
          userId,
          queryId: makeQueryId(userId, searchId, clock),
          style: readStyle(metastore),
          deadlineMs,
          maxInlineBytes: Number(metastore.setting('widgets.searchAPI.maxInlineBytes')),
          signal: ended.signal,
        },
        deps,
      )
    } finally {
      remove?.()
      ended.close()
    }
  }

  async function cancel(call: CancelCall, { user }: SignedIn): Promise<SearchOutcome> {
    const mayCancelAll = user.isAdministrator || user.operations.has('search.cancelAll')
    const count = await running.cancel(
      call.searchId,
      mayCancelAll ? 'all' : user.id,
      CANCEL_TIMEOUT_MS,
    )
    if (count === 0) throw new Failure('search.not_found')
    return { numberOfResults: 0, data: '' }
  }

  function readRules(nowMs: number) {
    const style = readStyle(metastore)
    return {
      nowMs,
      zone: style.zone,
      dateFormat: style.dateFormat,
      defaultMaxNumOfRecords: Number(metastore.setting('widgets.searchAPI.maxNumOfRecords')),
      maxResults: Number(metastore.setting('widgets.searchAPI.maxResults')),
      ...deps.limits,
    }
  }

  return async (context, address) => {
    const startedMs = clock.elapsedMs()
    const nowMs = clock.nowMs()
    let signedIn: SignedIn | undefined
    let call: SearchCall | CancelCall | undefined
    const finish = (
      answer: Answer,
      outcome: { code: number; result: string; numberOfResults: number },
      httpStatus: 200 | 401 | 503,
    ) => {
      const durationMs = clock.elapsedMs() - startedMs
      if (call?.kind !== 'cancel') telemetry.finished(outcome.code, durationMs)
      if (signedIn !== undefined && call !== undefined)
        audit.add({ signedIn, call, durationMs, ...outcome })
      return answerXml(answer, httpStatus)
    }
    try {
      const pairs = await readPairs(context.req.raw)
      signedIn = await signIn({
        parameters: pairs.pairs,
        authorization: context.req.header('authorization'),
        address,
      })
      if (pairs.refusal !== undefined) throw pairs.refusal
      call = parseParameters(pairs.pairs, readRules(nowMs))
      const { data, numberOfResults } =
        call.kind === 'search'
          ? await search(call, signedIn, context.req.raw, startedMs)
          : await cancel(call, signedIn)
      const answer = { state: 'OK', numberOfResults, data } as const
      return finish(answer, { code: 0, result: 'done', numberOfResults }, 200)
    } catch (error) {
      const timeoutMs = call?.kind === 'search' ? call.timeoutMs : deps.limits.defaultTimeoutMs
      const failed = toFailedAnswer(error, timeoutMs)
      if (failed.isBug) logger.error('search failed', describeError(error))
      const result = isFailure(error) ? error.code : 'search.internal'
      return finish(
        failed.answer,
        { code: failed.answer.code, result, numberOfResults: 0 },
        failed.httpStatus,
      )
    }
  }
}

function readStyle(metastore: Metastore): CellStyle {
  return {
    dateFormat: compileDateFormat(metastore.setting('system.dateFormat')),
    zone: timeZone(metastore.setting('system.timeZone')),
  }
}

function answerXml(answer: Answer, status: 200 | 401 | 503): Response {
  const headers = new Headers({ 'content-type': XML_CONTENT_TYPE })
  if (status === 401) headers.set('www-authenticate', BASIC_CHALLENGE)
  if (status === 503) headers.set('retry-after', '1')
  return new Response(printAnswer(answer), { status, headers })
}
