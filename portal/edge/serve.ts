// The edge of the portal: a request becomes a call of a known caller within its limits, its work is
// done once however often it is sent, and whatever was thrown becomes a problem. The only catch
// that answers.
import type { z } from 'zod'
import { networkOf } from '../../infra/access/attempts.ts'
import type { Clock } from '../../infra/clock.ts'
import type { RouteCall, ServedRoute } from '../../infra/http/routes/route.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import { hideSecrets } from '../../infra/secrets/hide-secrets.ts'
import { Failure } from '../../schemas/failures.ts'
import { authenticate } from '../access/authenticate.ts'
import { type Allows, type Caller, nameCaller, organizationOf } from '../access/caller.ts'
import { newId } from '../access/ids.ts'
import type { KeyUses } from '../access/key-uses.ts'
import type { PortalKeys } from '../access/portal-keys.ts'
import { requireAllowed, requireCsrfToken } from '../access/require-allowed.ts'
import type { PortalDatabase, PortalTransaction } from '../database/open.ts'
import { insertAudit } from './audit.ts'
import { type Definition, toRoute } from './definition.ts'
import {
  findAnswer,
  hasAnswer,
  hashBody,
  hashQuery,
  type KeptAnswer,
  keepAnswer,
  readIdempotencyKey,
} from './idempotency.ts'
import { linkNext } from './link-next.ts'
import { answerProblem, toPortalFailure } from './problem.ts'
import type { RateLimits, RateState } from './rate-limits.ts'
import { readBody, readQuery } from './read-call.ts'
import { readTraceId } from './trace-id.ts'

export type ServeDeps = {
  readonly database: PortalDatabase
  readonly clock: Clock
  readonly logger: Logger
  readonly keys: PortalKeys
  readonly limits: RateLimits
  readonly uses: KeyUses
  /** Address of the page with all codes. */
  readonly registry: string
}

/** A checked call. */
export type Call<Query, Body> = {
  readonly request: Request
  readonly caller: Caller
  readonly address: string
  readonly requestId: string
  readonly nowMs: number
  readonly query: Query
  readonly body: Body
  /** Of the path, by name. */
  readonly path: (name: string) => string
  /** What makes a list of this call this list, for its cursors. */
  readonly list: string
}

export type Reply = {
  /** Default 200, or 204 without a body. */
  readonly status?: number
  /** JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Of work that changed something. */
export type WriteReply = Reply & {
  /** What it changed, for the audit. */
  readonly target: string
  /** The body shows a secret. */
  readonly isSecret?: boolean
  /** Behind the commit; what fails of it is logged, and some chore does it later. */
  readonly afterwards?: () => Promise<void>
}

type Change = (transaction: PortalTransaction) => Promise<WriteReply>

/** A body that was read while it came. */
export type Received = {
  /** Of what counts of it: a repeat has the same. */
  readonly bodyHash: string
  readonly change: Change
  /** Takes back what was kept of it. */
  readonly drop: () => Promise<void>
}

type Infer<Type extends z.ZodType> = z.infer<Type>

export type Serve = {
  /** `work` may answer by itself, with bytes. */
  read<Query extends z.ZodObject, Body extends z.ZodType>(
    definition: Definition<Query, Body>,
    work: (call: Call<Infer<Query>, Infer<Body>>) => Promise<Reply | Response>,
  ): ServedRoute
  /** `prepare` does what is slow and changes nothing; what it gives runs in the transaction that
   *  keeps the answer, and may run again after a conflict. */
  write<Query extends z.ZodObject, Body extends z.ZodType>(
    definition: Definition<Query, Body>,
    prepare: (call: Call<Infer<Query>, Infer<Body>>) => Promise<Change>,
  ): ServedRoute
  /** As `write`, of a body that streams. `isRepeat`: there is an answer to this key already, so
   *  that nothing of the body needs to be kept. `receive` leaves nothing behind when it fails. */
  upload<Query extends z.ZodObject>(
    definition: Definition<Query, z.ZodType>,
    receive: (
      call: Call<Infer<Query>, unknown>,
      stream: ReadableStream<Uint8Array>,
      isRepeat: boolean,
    ) => Promise<Received>,
  ): ServedRoute
}

const CALLS_OF_CREDENTIALS = 600
const CALLS_OF_ADDRESSES = 60

export function makeServe(deps: ServeDeps): Serve {
  const { database, clock, logger, keys, limits, uses, registry } = deps

  /** Everything but the work. */
  function serve<Query extends z.ZodObject, Body extends z.ZodType>(
    definition: Definition<Query, Body>,
    isWrite: boolean,
    work: (call: Call<Infer<Query>, Infer<Body>>, routeCall: RouteCall) => Promise<Response>,
  ): ServedRoute {
    const handle = async (routeCall: RouteCall): Promise<Response> => {
      const { request, address, body, pathValues } = routeCall
      const requestId = newId('req', clock)
      const url = new URL(request.url)
      let rate: RateState | undefined
      let response: Response
      try {
        const known = await identify(request, definition.allows)
        const caller: Caller = known ?? { kind: 'nobody' }
        const isKnown = caller.kind !== 'nobody'
        const usual = isKnown ? CALLS_OF_CREDENTIALS : CALLS_OF_ADDRESSES
        const { callsAMinute, operationId } = definition
        const counted = isKnown ? `${caller.kind} ${caller.id}` : `address ${networkOf(address)}`
        // A call with a limit of its own is counted by itself: what a page asked for while its
        // session was over must not keep people from signing in.
        const taken = limits.take(
          callsAMinute === undefined ? counted : `${counted} ${operationId}`,
          callsAMinute ?? usual,
        )
        rate = taken
        if (taken.isRefused)
          throw new Failure('portal.rate_limited', { seconds: taken.resetSeconds })
        if (known === undefined) {
          await limits.takeGuess(address)
          throw new Failure('portal.unauthenticated')
        }
        if (caller.kind === 'api_key') uses.note(caller.id)
        requireAllowed(caller, definition.allows)
        if (isWrite) requireCsrfToken(caller, request)
        const query = readQuery(url.searchParams, definition.query)
        const call = {
          ...{ request, caller, address, requestId, query },
          nowMs: clock.nowMs(),
          body: readBody(request, body, definition.body, definition.isBodyOptional),
          path: (name: string) => pathValues[name] ?? '',
          list: JSON.stringify([url.pathname, organizationOf(caller) ?? '', filtersOf(query)]),
        }
        response = await work(call, routeCall)
      } catch (error) {
        const failure = toPortalFailure(error)
        const traceId = readTraceId(request)
        const place = { requestId, traceId, operation: definition.operationId }
        const isOurs = failure.entry.status === 500 || failure.code === 'portal.files_unavailable'
        if (isOurs) logger.error('portal call failed', { ...describeError(error), ...place })
        else logger.debug('portal call refused', { code: failure.code, ...place })
        response = answerProblem(failure, { path: url.pathname, requestId, registry })
      }
      return withHeaders(response, requestId, rate)
    }
    return { ...toRoute(definition, isWrite), handle }
  }

  /** Undefined: the call shows a credential that is none; it counts as its address. */
  async function identify(request: Request, { nobody }: Allows): Promise<Caller | undefined> {
    try {
      return await authenticate(request, { db: database.read, clock }, nobody === true)
    } catch (error) {
      if (error instanceof Failure && error.code === 'portal.unauthenticated') return undefined
      throw error
    }
  }

  return {
    read: (definition, work) =>
      serve(definition, false, async (call) => {
        const reply = await work(call)
        if (reply instanceof Response) return reply
        const { headers, body } = reply
        const link = linkNext(new URL(call.request.url), body)
        return answerKept(toKept({ ...reply, headers: { ...headers, ...link } }))
      }),
    write: (definition, prepare) =>
      serve(definition, true, (call, { body }) =>
        runOnce(definition, call, async () => ({
          bodyHash: hashBody(body),
          prepare: () => prepare(call),
        })),
      ),
    upload: (definition, receive) =>
      serve(definition, true, (call, { stream }) =>
        runOnce(definition, call, async (isRepeat) => {
          const from = stream ?? new Blob([]).stream()
          const { bodyHash, change, drop } = await receive(call, from, isRepeat)
          return { bodyHash, prepare: async () => change, drop }
        }),
      ),
  }

  /** Work that is done once, however often its call is sent. `begin` is told that there is a kept
   *  answer to the key. */
  async function runOnce(
    { method, operationId }: Pick<Definition<z.ZodObject, z.ZodType>, 'method' | 'operationId'>,
    call: Call<unknown, unknown>,
    begin: (isRepeat: boolean) => Promise<{
      readonly bodyHash: string
      readonly prepare: () => Promise<Change>
      readonly drop?: () => Promise<void>
    }>,
  ): Promise<Response> {
    const key = readIdempotencyKey(call.request)
    const caller = nameCaller(call.caller, call.address)
    const { pathname, search } = new URL(call.request.url)
    const keyed = key !== undefined && {
      caller: `${caller} for ${organizationOf(call.caller) ?? 'nobody'}`,
      call: `${method} ${pathname}`,
      key,
    }
    const kept = { keys, nowMs: call.nowMs }
    const audit = (target: string, result: string) => ({
      ...{ caller, target, result },
      id: newId('aud', clock),
      at_ms: call.nowMs,
      organization_id: organizationOf(call.caller) ?? null,
      action: operationId,
      request_id: call.requestId,
      address: call.address,
    })
    let drop: (() => Promise<void>) | undefined
    try {
      const begun = await begin(keyed && (await hasAnswer(database.read, keyed, call.nowMs)))
      drop = begun.drop
      const repeatable = keyed
        ? { ...keyed, bodyHash: hashQuery(search, begun.bodyHash) }
        : undefined
      // A repeat needs none of what is slow.
      const early = repeatable && (await findAnswer(database.read, repeatable, kept))
      if (early !== undefined) {
        await drop?.()
        return answerKept(early, true)
      }
      const change = await begun.prepare()
      const done = await database.write(async (transaction) => {
        const before = repeatable && (await findAnswer(transaction, repeatable, kept))
        if (before !== undefined) return { answer: before, isRepeat: true }
        const reply = await change(transaction)
        const answer = toKept(reply, reply.isSecret)
        await insertAudit(transaction, audit(reply.target, 'done'))
        if (repeatable !== undefined) await keepAnswer(transaction, repeatable, answer, kept)
        return { answer, isRepeat: false, afterwards: reply.afterwards }
      })
      if (done.isRepeat) await drop?.()
      await done
        .afterwards?.()
        .catch((error: unknown) => logger.warn('not cleaned up', describeError(error)))
      return answerKept(done.answer, done.isRepeat)
    } catch (error) {
      const failure = toPortalFailure(error)
      if (failure.entry.status < 500) {
        // Above that nobody knows whether the transaction was kept.
        await drop?.()
        await database.write((t) => insertAudit(t, audit(hideSecrets(pathname), failure.code)))
      }
      throw error
    }
  }
}

function toKept(reply: Reply, isSecret = false): KeptAnswer {
  const { body, status, headers = {} } = reply
  const text = body === undefined ? '' : `${JSON.stringify(body)}\n`
  return { status: status ?? (body === undefined ? 204 : 200), headers, text, isSecret }
}

function answerKept({ status, headers, text }: KeptAnswer, isRepeat = false): Response {
  const all = new Headers(headers)
  if (text !== '') all.set('content-type', 'application/json')
  if (isRepeat) all.set('idempotent-replayed', 'true')
  return new Response(text === '' ? null : text, { status, headers: all })
}

function withHeaders(response: Response, requestId: string, rate: RateState | undefined): Response {
  const { headers } = response
  headers.set('x-request-id', requestId)
  if (rate === undefined) return response
  const { limit, remaining, resetSeconds } = rate
  headers.set('ratelimit-policy', `"calls";q=${limit};w=60`)
  headers.set('ratelimit', `"calls";r=${remaining};t=${resetSeconds}`)
  headers.set('ratelimit-limit', String(limit))
  headers.set('ratelimit-remaining', String(remaining))
  headers.set('ratelimit-reset', String(resetSeconds))
  return response
}

/** A cursor belongs to a list with its filters, at any page length. */
function filtersOf(query: Readonly<Record<string, unknown>>): unknown {
  const { cursor: _, limit: __, ...filters } = query
  return filters
}
