// /logeye/session: a browser signs in, asks who it is, signs out (decision 7.4,
// docs/decisions/0045).
import { csrfTokenOf } from '../../infra/access/csrf-token.ts'
import type { OidcConfig } from '../../infra/access/oidc/oidc-config.ts'
import type { SignedIn, SignedInSession } from '../../infra/access/signed-in.ts'
import type { Clock } from '../../infra/clock.ts'
import {
  jsonContent,
  MAX_SMALL_BODY_BYTES,
  NO_BODY,
  type Route,
  type RouteAnswer,
  type RouteCall,
  type RouteTable,
  wholeBody,
} from '../../infra/http/routes/route.ts'
import { endSession } from '../../infra/metastore/access/sessions.ts'
import { insertAudit } from '../../infra/metastore/audit/audit-writer.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { Failure } from '../../schemas/failures.ts'
import { failedEnvelopeAnswer } from '../../schemas/public-calls/operation.ts'
import {
  type NextSessionTold,
  nextSessionAnswer,
  type SessionTold,
  type SignInWays,
  sessionAnswer,
  sessionRequest,
  signInWaysAnswer,
} from '../../schemas/public-calls/session.ts'
import { ABOUT_CALLER } from '../../schemas/rights/sees.ts'
import { ANONYMOUS_USER } from '../../schemas/users.ts'
import { READ_SURFACE } from '../configuration/read-given.ts'
import { CHALLENGE } from '../edge/documented-headers.ts'
import { envelope, FAILED_ENVELOPE } from '../edge/envelope.ts'
import type { ServeCall } from '../edge/serve-call.ts'
import type { Given, Surface } from '../edge/surface.ts'
import { beginSession } from './begin-session.ts'
import { NextSessions } from './next-session.ts'
import { endedCookie, sessionCookie } from './session-cookie.ts'

export type SessionDeps = {
  readonly metastore: OpenedMetastore
  readonly clock: Clock
  readonly serve: ServeCall
  /** Its sign-in takes the code of a second factor, too. */
  readonly serveToSession: ServeCall
  readonly publicUrl: string
  readonly version: string
  readonly oidc: Pick<OidcConfig, 'issuer' | 'clientId'>
  readonly licenseWarning: () => Promise<string | undefined>
}

const SURFACE = {
  answer: envelope,
  failures: FAILED_ENVELOPE,
  bug: { phrase: 'session failed', code: 'request.internal' },
  isCounted: false,
}
const SIGN_IN_SURFACE: Surface<Given, SessionTold> = { ...SURFACE, read: readSignIn }
const WHO_SURFACE: Surface<Given, SessionTold> = { ...SURFACE, read: READ_SURFACE.read }
const END_SURFACE: Surface<Given, never> = { ...WHO_SURFACE, isWrite: true }
const NEXT_SURFACE: Surface<Given, NextSessionTold> = { ...SURFACE, read: READ_SURFACE.read }

export function makeSessionTable(deps: SessionDeps): RouteTable {
  const { metastore, clock, serve, serveToSession, publicUrl } = deps

  const begin = serveToSession(SIGN_IN_SURFACE, async ({ request, signedIn }) => {
    const { secret, endsMs } = await beginSession(signedIn, { metastore, clock })
    const response = envelope(tell(signedIn, { secret, endsMs }))
    const call = { request, publicUrl }
    response.headers.append('set-cookie', sessionCookie(secret, endsMs, call))
    return { response }
  })
  const who = serve(WHO_SURFACE, async ({ signedIn }) => {
    const { by } = signedIn
    if (by.kind !== 'session') return { value: tell(signedIn, undefined) }
    return { value: tell(signedIn, { secret: by.secret, endsMs: by.session.endsMs }) }
  })
  const end = serve(END_SURFACE, async ({ request, signedIn }) => {
    const { user, address } = signedIn
    const by = requireSession(signedIn)
    const entry = {
      ...{ userId: user.id, userName: user.name, address },
      ...{ action: 'session.end', target: '', result: 'done' },
    }
    await metastore.database.write(async (transaction) => {
      await endSession(transaction, by.session.idHash)
      await insertAudit(transaction, [{ entry, atMs: clock.nowMs() }])
    })
    const response = envelope(null)
    response.headers.append('set-cookie', endedCookie({ request, publicUrl }))
    return { response }
  })

  const next = new NextSessions({ metastore, clock })
  const whoWaits = serve(NEXT_SURFACE, async ({ request, signedIn }) => {
    const waiting = await next.waiting(request, requireSession(signedIn))
    if (waiting === undefined) throw new Failure('sign_in.none_waits')
    return { value: { user: waiting.user.name, displayName: waiting.user.displayName } }
  })
  const takeNext = serve(END_SURFACE, async ({ request, signedIn }) => {
    const { address } = signedIn
    const { secret, endsMs, user } = await next.take(request, requireSession(signedIn), address)
    const response = envelope(tell({ user }, { secret, endsMs }))
    const call = { request, publicUrl }
    response.headers.append('set-cookie', sessionCookie(secret, endsMs, call))
    response.headers.append('set-cookie', next.forget(call))
    return { response }
  })
  const forgetNext = serve(END_SURFACE, async ({ request }) => {
    const response = envelope(null)
    response.headers.append('set-cookie', next.forget({ request, publicUrl }))
    return { response }
  })

  const ways = async () => {
    const { issuer, clientId } = deps.oidc
    const isSecurityOn = metastore.isSecurityOn()
    const told: SignInWays = {
      isSecurityOn,
      hasProvider: isSecurityOn && issuer !== undefined && clientId !== undefined,
      version: deps.version,
      licenseWarning: (await deps.licenseWarning()) ?? null,
    }
    return envelope(told)
  }

  const path = '/logeye/session'
  const nextPath = `${path}/next`
  const body = wholeBody(jsonContent(sessionRequest), {
    isRequired: true,
    maxBytes: MAX_SMALL_BODY_BYTES,
  })
  const shared = { path, body: NO_BODY, right: 'signed-in' } satisfies Partial<Route>
  return {
    ...FAILED_ENVELOPE,
    routes: [
      {
        ...{
          ...shared,
          body,
          right: 'anonymous',
          methods: ['POST'],
          sees: ABOUT_CALLER,
          handle: begin,
        },
        document: document('beginSession', 'A browser signs in', {
          description: 'It has begun: a cookie that no script reads.',
          content: jsonContent(sessionAnswer),
        }),
      },
      {
        ...{ ...shared, methods: ['GET'], handle: who },
        document: document('readSession', 'Who has signed in, and the token for writing', {
          description: 'The user.',
          content: jsonContent(sessionAnswer),
        }),
      },
      {
        ...{ ...shared, methods: ['DELETE'], sees: ABOUT_CALLER, handle: end },
        document: document('endSession', 'A browser signs out', { description: 'It has ended.' }),
      },
      {
        ...{ ...shared, path: nextPath, methods: ['GET'], handle: whoWaits },
        document: document('readNextSession', 'Who would sign in instead, by a link', {
          description: 'The other user.',
          content: jsonContent(nextSessionAnswer),
        }),
      },
      {
        ...{ ...shared, path: nextPath, methods: ['POST'], sees: ABOUT_CALLER, handle: takeNext },
        document: document('takeNextSession', 'Sign in as the other user', {
          description: 'The new session has started; the previous session is closed.',
          content: jsonContent(sessionAnswer),
        }),
      },
      {
        ...{
          ...shared,
          path: nextPath,
          methods: ['DELETE'],
          sees: ABOUT_CALLER,
          handle: forgetNext,
        },
        document: document('forgetNextSession', 'Stay who one is', {
          description: 'The other user does not wait any more.',
        }),
      },
      {
        ...{ ...shared, path: `${path}/ways`, right: 'anonymous', methods: ['GET'], handle: ways },
        document: {
          operationId: 'signInWays',
          tags: ['session'],
          summary: 'How one signs in here',
          answers: { 200: { description: 'The ways.', content: jsonContent(signInWaysAnswer) } },
        },
      },
    ],
  }
}

function document(operationId: string, summary: string, done: RouteAnswer) {
  const content = jsonContent(failedEnvelopeAnswer)
  const answers = {
    200: done,
    400: { description: 'The body cannot be read.', content },
    401: { description: 'Sign-in failed, or a code is needed.', headers: CHALLENGE, content },
    403: { description: 'Called by a page of another site, or without X-CSRF-Token.', content },
    404: { description: 'No other sign-in waits for the session.', content },
    409: { description: 'Security is off, or the call has no session.', content },
    503: { description: 'The database is away, or too many sign in at once.', content },
  }
  return { operationId, tags: ['session'], summary, answers }
}

/** As the parameters of an address would stand: what signs in reads no body. */
function readSignIn({ request, body }: RouteCall): Given {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new Failure('request.invalid', { reason: 'the content type must be application/json' })
  const parsed = sessionRequest.safeParse(parseJson(new TextDecoder().decode(body)))
  if (!parsed.success)
    throw new Failure('request.invalid', { reason: 'the body must have user and password' })
  const { user, password, code } = parsed.data
  const pairs: [string, string][] = [
    ['autoLogin', 'true'],
    ['username', user],
    ['password', password],
  ]
  return { pairs: code === undefined ? pairs : [...pairs, ['code', code.trim()]] }
}

function requireSession({ by }: SignedIn): SignedInSession {
  if (by.kind !== 'session') throw new Failure('sign_in.no_session')
  return by
}

function tell(
  { user }: Pick<SignedIn, 'user'>,
  session: { readonly secret: string; readonly endsMs: number } | undefined,
): SessionTold {
  return {
    user: user.name,
    displayName: user.displayName,
    isAdministrator: user.isAdministrator,
    operations: user.id === ANONYMOUS_USER.id ? [] : [...user.operations],
    csrfToken: session === undefined ? null : csrfTokenOf(session.secret),
    endsAt: session === undefined ? null : new Date(session.endsMs).toISOString(),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
