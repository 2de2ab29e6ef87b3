// The edge of the JSON interface: a request becomes a call in the name of a user, within the limits of a search, and whatever was
// thrown becomes the error envelope. Nothing of a query reaches the process log; who asked what goes to the audit log.
import type { Context } from 'hono'
import type { z } from 'zod'
import type { SignedIn, SignIn } from '../../infra/access/sign-in.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import type { Damage } from '../../schemas/store-damage.ts'
import { compileDateFormat } from '../../schemas/time/date-format.ts'
import type { TimeWindow } from '../../schemas/time/time-window.ts'
import { timeZone } from '../../schemas/time/time-zone.ts'
import type { Warning } from '../../schemas/warning.ts'
import { envelope } from '../envelope.ts'
import { damageWarnings } from '../search/damage-warnings.ts'
import type { CellStyle } from '../search/print/cell-text.ts'
import type { TurnDeps } from '../search/run-in-turn.ts'
import { RunningSearches, searchIdKey } from '../search/running-searches.ts'
import type { SearchAudit } from '../search/search-audit.ts'
import { openSearchSignal } from '../search/search-signal.ts'
import type { SearchTelemetry } from '../search/telemetry.ts'
import { readVisibleScope } from '../search/visible-scope.ts'
import type { ReadArrived } from './arrived.ts'
import type { Endpoint } from './endpoint.ts'
import { answerError, toErrorEnvelope } from './failed-answer.ts'
import { filterInput } from './filter-input.ts'
import type { PlaceCodec } from './place-codec.ts'
import { type Given, parseGiven, readGiven } from './read-parameters.ts'
import { readWindow, type WindowParameters } from './read-window.ts'
import { workInTurn } from './work-in-turn.ts'

export type ReadDeps = TurnDeps & {
  readonly metastore: OpenedMetastore
  readonly signIn: SignIn
  readonly logger: Logger
  readonly telemetry: SearchTelemetry
  readonly audit: SearchAudit
  readonly limits: { readonly defaultTimeoutMs: number; readonly maxTimeoutMs: number }
  readonly places: PlaceCodec
  readonly readArrived: ReadArrived
  readonly readDamage: () => Promise<readonly Damage[]>
  /** Ends every call when the product stops. */
  readonly stopping: AbortSignal
}

export type Handler = (context: Context, address: string) => Promise<Response>

export type Received = {
  readonly request: Request
  readonly given: Given
  readonly signedIn: SignedIn
  readonly startedMs: number
  readonly nowMs: number
  /** What the audit log tells, as soon as it is known. */
  readonly asked: Asked
}

type Asked = { query: string; window: TimeWindow; searchId: string | undefined; timeoutMs: number }

/** What the parameters of an endpoint may hold. */
type Common = WindowParameters & {
  readonly query?: string | undefined
  readonly timeout?: number | undefined
  readonly searchId?: string | undefined
}

export class ReadEdge {
  readonly #deps: ReadDeps
  readonly #running: RunningSearches

  constructor(deps: ReadDeps) {
    this.#deps = deps
    this.#running = new RunningSearches({ ...deps, database: deps.metastore.database })
  }

  serve<Parameters extends z.ZodObject, Answer extends z.ZodObject>(
    endpoint: Endpoint<Parameters, Answer>,
  ): Handler {
    return (context, address) =>
      this.answer(context, { address, name: endpoint.name }, async (received) => {
        const parameters = parseGiven(endpoint.parameters, received.given)
        const answer: object = await this.#run(endpoint, parameters, received)
        const { query, window } = received.asked
        // A cursor has a window of its own.
        const isWhole = !('cursor' in parameters && parameters.cursor !== undefined)
        const asked = isWhole ? { query, window } : { query, window: ALL }
        return envelope({ ...answer, warnings: await this.#findWarnings(asked, received) })
      })
  }

  /** Signs in, does the work, answers what it throws, counts and audits. */
  async answer(
    context: Context,
    { address, name }: { address: string; name: string },
    work: (received: Received) => Promise<Response>,
  ): Promise<Response> {
    const { clock, telemetry, audit, logger, limits } = this.#deps
    const startedMs = clock.elapsedMs()
    const timeoutMs = limits.defaultTimeoutMs
    const asked: Asked = { query: '', window: ALL, searchId: undefined, timeoutMs }
    let signedIn: SignedIn | undefined
    const note = (code: number, result: string) => {
      const durationMs = clock.elapsedMs() - startedMs
      telemetry.finished(code, durationMs)
      const call = { kind: 'read', name, ...asked } as const
      if (signedIn) audit.add({ signedIn, call, durationMs, result, numberOfResults: 0 })
    }
    try {
      const request = context.req.raw
      const given = await readGiven(request)
      const authorization = request.headers.get('authorization')
      signedIn = await this.#deps.signIn({ parameters: given.pairs, authorization, address })
      if (given.refusal !== undefined) throw given.refusal
      const nowMs = clock.nowMs()
      const answer = await work({ request, given, signedIn, startedMs, nowMs, asked })
      note(0, 'done')
      return answer
    } catch (error) {
      if (!isFailure(error)) logger.error('search failed', describeError(error))
      const code = isFailure(error) ? (error.entry.search ?? 1) : 1
      note(code, isFailure(error) ? error.code : 'search.internal')
      return answerError(toErrorEnvelope(error, asked.timeoutMs))
    }
  }

  async #findWarnings(
    asked: { query: string; window: TimeWindow },
    { signedIn }: Received,
  ): Promise<Warning[]> {
    const damage = await this.#deps.readDamage()
    if (damage.length === 0) return []
    const scope = await readVisibleScope(this.#deps.metastore, signedIn.user.id)
    return damageWarnings(damage, asked, scope)
  }

  readStyle(): CellStyle {
    const { metastore } = this.#deps
    return {
      dateFormat: compileDateFormat(metastore.setting('system.dateFormat')),
      zone: timeZone(metastore.setting('system.timeZone')),
    }
  }

  async #run<Parameters extends z.ZodObject, Answer extends z.ZodObject>(
    endpoint: Endpoint<Parameters, Answer>,
    parameters: z.output<Parameters>,
    { request, signedIn, startedMs, nowMs, asked }: Received,
  ): Promise<z.output<Answer>> {
    const { clock, metastore, places, readArrived, stopping } = this.#deps
    const common: Common = parameters
    asked.query = common.query ?? ''
    asked.searchId = common.searchId
    asked.timeoutMs = this.#readTimeout(common)
    const style = this.readStyle()
    const window = readWindow(common, { nowMs, ...style })
    asked.window = window
    const { timeoutMs } = asked
    const deadlineMs = startedMs + timeoutMs
    const cancelOn = [request.signal, stopping]
    const ended = openSearchSignal({ clock, deadlineMs, timeoutMs, cancelOn })
    const userId = signedIn.user.id
    let remove: (() => void) | undefined
    try {
      remove = await this.#makeCancellable(common.searchId, userId, () => ended.cancel())
      const scope = await readVisibleScope(metastore, userId)
      const turn = { userId, deadlineMs, signal: ended.signal }
      return await endpoint.run({
        parameters,
        ...{ signedIn, window, nowMs, style, scope, places, readArrived },
        maxAnswerBytes: metastore.setting('widgets.searchAPI.maxInlineBytes'),
        filter: (text, other = window) => filterInput(text, other, scope, style),
        inTurn: (work) => workInTurn(turn, this.#deps, work),
      })
    } finally {
      remove?.()
      ended.close()
    }
  }

  #readTimeout({ timeout }: Common): number {
    const { defaultTimeoutMs, maxTimeoutMs } = this.#deps.limits
    if (timeout === undefined || timeout <= maxTimeoutMs) return timeout ?? defaultTimeoutMs
    const reason = `must be at most ${maxTimeoutMs}`
    throw new Failure('search.parameter', { parameter: 'timeout', reason })
  }

  async #makeCancellable(
    searchId: string | undefined,
    userId: number,
    stop: () => void,
  ): Promise<(() => void) | undefined> {
    if (searchId === undefined) return undefined
    return await this.#running.add({ userId, searchKeys: [searchIdKey(searchId)], stop })
  }
}

const ALL: TimeWindow = { startMs: null, endMs: null }
