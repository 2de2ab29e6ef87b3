// The edge of every surface: a request becomes a call in the name of a user, its end is counted and
// audited, and whatever was thrown becomes an answer. The only catch that answers. Nothing of a
// query reaches the process log; who asked what goes to the audit log.
import { mayDo } from '../../infra/access/may-do.ts'
import type { SignIn } from '../../infra/access/sign-in.ts'
import type { Clock } from '../../infra/clock.ts'
import type { Handle, Right } from '../../infra/http/routes/route.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import type { Operation } from '../../schemas/users.ts'
import { refuseCrossSite, requireCsrfToken } from './cross-site.ts'
import type { Asked, Done, EdgeCall, Given, Surface } from './surface.ts'
import type { SearchTelemetry } from './telemetry.ts'

export type ServeDeps = {
  readonly clock: Clock
  readonly logger: Logger
  readonly signIn: SignIn
  readonly telemetry: SearchTelemetry
  readonly limits: { readonly defaultTimeoutMs: number }
  /** Ends every call when the product stops. */
  readonly stopping: AbortSignal
  /** The product does not stop before this has ended: an answer that goes on, and its note in the
   *  audit log. */
  readonly keepOpen: (work: Promise<unknown>) => void
}

export type ServeCall = <Read extends Given, Value>(
  surface: Surface<Read, Value>,
  work: (call: EdgeCall<Read>) => Promise<Done<Value>>,
) => Handle

/** What a user must be allowed beyond signing in, by the right of the route. */
const OPERATIONS: Readonly<Record<Right, Operation | undefined>> = {
  anonymous: undefined,
  token: undefined,
  'signed-in': undefined,
  operator: 'system.operate',
}

export function makeServeCall(deps: ServeDeps): ServeCall {
  const { clock, logger, signIn, telemetry, limits, stopping, keepOpen } = deps
  return (surface, work) => async (routeCall) => {
    const { request, right, address } = routeCall
    const startedMs = clock.elapsedMs()
    const nowMs = clock.nowMs()
    const { isCounted, bug, mayBeLinked = false, isWrite = false } = surface
    const asked: Asked = { timeoutMs: limits.defaultTimeoutMs, isCounted: false, audit: undefined }
    let isNoted = false
    const note = async (code: number, result: string, numberOfResults: number) => {
      if (isNoted) return
      isNoted = true
      const durationMs = clock.elapsedMs() - startedMs
      if (asked.isCounted) telemetry.finished(code, durationMs)
      await asked.audit?.({ result, durationMs, numberOfResults })
    }
    const nameEnd = (error: unknown) =>
      isReason(error, [request.signal, stopping]) ? new Failure('search.cancelled') : error
    const noteFailure = async (error: unknown) => {
      if (isFailure(error)) return await note(error.entry.search ?? 1, error.code, 0)
      logger.error(bug.phrase, describeError(error))
      await note(1, bug.code, 0)
    }
    try {
      const given = surface.read(routeCall)
      const authorization = request.headers.get('authorization')
      const cookie = request.headers.get('cookie')
      const { signal } = request
      const parameters = given.pairs
      const signedIn = await signIn({ parameters, authorization, cookie, address, signal })
      refuseCrossSite({ request, signedIn, mayBeLinked })
      if (isWrite) requireCsrfToken(request, signedIn)
      const operation = OPERATIONS[right]
      if (operation !== undefined && !mayDo(signedIn.user, operation))
        throw new Failure('rights.missing')
      asked.isCounted = isCounted
      const done = await work({ ...routeCall, given, signedIn, startedMs, nowMs, asked })
      if ('value' in done) {
        await note(0, 'done', done.numberOfResults ?? 0)
        return surface.answer(done.value)
      }
      if (done.ended === undefined) await note(0, 'done', 0)
      else
        keepOpen(
          done.ended.then(
            (count) => note(0, 'done', count),
            (error: unknown) => noteFailure(nameEnd(error)),
          ),
        )
      return done.response
    } catch (thrown) {
      const error = nameEnd(thrown)
      await noteFailure(error)
      return withoutPrompt(request, surface.failures.answer(error, asked.timeoutMs))
    }
  }
}

/** The console asks for sign-in itself: at a challenge of Basic a browser puts a window of its own
 *  over the page. */
function withoutPrompt({ headers }: Request, answer: Response): Response {
  const mode = headers.get('sec-fetch-mode')
  const isScript = mode === 'cors' || mode === 'same-origin'
  if (isScript && answer.headers.has('www-authenticate'))
    answer.headers.set('www-authenticate', 'Session realm="logeye"')
  return answer
}

/** The client has gone, or the product stops: no bug. */
function isReason(error: unknown, signals: readonly AbortSignal[]): boolean {
  return signals.some((signal) => signal.aborted && signal.reason === error)
}
