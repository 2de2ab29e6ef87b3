// Sign-in by an OpenID Connect provider: the browser goes there, comes back, and has a session
// (docs/decisions/0045). It always ends at the console: no address says where to go, so none can
// send it elsewhere.
import { readCookie } from '../../infra/access/credentials.ts'
import {
  FLOW_COOKIE,
  FLOW_SECONDS,
  makeFlow,
  openFlow,
  sealFlow,
} from '../../infra/access/oidc/flow-cookie.ts'
import type { OidcConfig } from '../../infra/access/oidc/oidc-config.ts'
import {
  type Claims,
  type OidcProvider,
  openOidcProvider,
} from '../../infra/access/oidc/provider.ts'
import type { Clock } from '../../infra/clock.ts'
import {
  jsonContent,
  NO_BODY,
  type RouteCall,
  type RouteTable,
} from '../../infra/http/routes/route.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { openSharedKey } from '../../infra/metastore/shared-key.ts'
import { takeOidcUser } from '../../infra/metastore/users/oidc-user.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import { failedEnvelopeAnswer } from '../../schemas/public-calls/operation.ts'
import { ABOUT_CALLER } from '../../schemas/rights/sees.ts'
import { displayNameValue } from '../../schemas/sdk/values.ts'
import { userNameSchema } from '../../schemas/users.ts'
import { FAILED_ENVELOPE } from '../edge/envelope.ts'
import { beginSession } from './begin-session.ts'
import { ASKED, NextSessions } from './next-session.ts'
import { isSecure, sessionCookie } from './session-cookie.ts'

export type OidcDeps = {
  readonly metastore: OpenedMetastore
  readonly clock: Clock
  readonly logger: Logger
  readonly publicUrl: string
  readonly oidc: OidcConfig
}

const PATH = '/logeye/session/oidc'
const START_PAGE = '/logeye/'

export function makeOidcTable(deps: OidcDeps): RouteTable {
  const { metastore, clock, logger, publicUrl, oidc } = deps
  const provider = openProvider(oidc, `${publicUrl}${PATH}/callback`)
  const next = new NextSessions(deps)
  let key: Promise<Buffer> | undefined
  const sealKey = () => {
    key ??= openSharedKey(metastore.database, 'oidc-flow', clock)
    key.catch(() => {
      key = undefined
    })
    return key
  }

  const begin = async (call: RouteCall) => {
    const flow = makeFlow(clock)
    const address = await requireProvider(provider, metastore).begin(flow)
    const sealed = sealFlow(flow, await sealKey(), clock)
    return redirect(address.href, [flowCookie(sealed, FLOW_SECONDS, call)])
  }

  const finish = async (call: RouteCall) => {
    const { request, address } = call
    const sealed = readCookie(request.headers.get('cookie') ?? '', FLOW_COOKIE) ?? ''
    const flow = openFlow(sealed, await sealKey(), clock)
    if (flow === undefined) throw new Failure('sign_in.other_browser')
    const { search } = new URL(request.url)
    const claims = await requireProvider(provider, metastore).finish(flow, search)
    const identity = identityOf(claims, oidc)
    const { createUsers: mayCreate } = oidc
    const id = await metastore.database.write((transaction) =>
      takeOidcUser(transaction, identity, { mayCreate }),
    )
    const user = await metastore.access.userById(id)
    if (user?.isEnabled !== true) throw new Failure('sign_in.failed')
    const signedIn = { user, address, by: { kind: 'oidc' } } as const
    const current = await next.current(request)
    if (current !== undefined && current.userId !== user.id) {
      const offered = await next.offer(signedIn, current, { request, publicUrl })
      return redirect(`${START_PAGE}?${ASKED.join('=')}`, [offered, flowCookie('', 0, call)])
    }
    const { secret, endsMs } = await beginSession(signedIn, { metastore, clock })
    const cookies = [sessionCookie(secret, endsMs, { request, publicUrl })]
    return redirect(START_PAGE, [...cookies, flowCookie('', 0, call)])
  }

  function flowCookie(value: string, seconds: number, { request }: RouteCall): string {
    const secure = isSecure({ request, publicUrl }) ? '; Secure' : ''
    return `${FLOW_COOKIE}=${value}; Max-Age=${seconds}; Path=${PATH}; HttpOnly; SameSite=Lax${secure}`
  }

  const guarded = (work: (call: RouteCall) => Promise<Response>) => async (call: RouteCall) => {
    try {
      return await work(call)
    } catch (error) {
      const { address } = call
      if (!isFailure(error)) logger.error('sign-in by the provider failed', describeError(error))
      else {
        logger.warn('sign-in by the provider refused', { code: error.code, address })
        const entry = { userId: null, userName: '', address, action: 'sign-in', target: 'oidc' }
        await metastore.audit({ ...entry, result: error.code }).catch(() => undefined)
      }
      return FAILED_ENVELOPE.answer(error, 0)
    }
  }

  const shared = { methods: ['GET'], right: 'anonymous', body: NO_BODY } as const
  return {
    ...FAILED_ENVELOPE,
    routes: [
      {
        ...{ ...shared, path: PATH, handle: guarded(begin) },
        document: describe('signInByProvider', 'To the identity provider', 'To the provider.'),
      },
      {
        ...{ ...shared, path: `${PATH}/callback`, sees: ABOUT_CALLER, handle: guarded(finish) },
        document: describe(
          'returnFromProvider',
          'Back from the identity provider, with a session',
          `To ${START_PAGE}, with the cookie of a session; where another user has one, with the question which of the two goes on.`,
        ),
      },
    ],
  }
}

function openProvider(oidc: OidcConfig, redirectUri: string): OidcProvider | undefined {
  const { issuer, clientId } = oidc
  if (issuer === undefined || clientId === undefined) return undefined
  return openOidcProvider({ ...oidc, issuer, clientId }, redirectUri)
}

function requireProvider(
  provider: OidcProvider | undefined,
  metastore: Pick<OpenedMetastore, 'isSecurityOn'>,
): OidcProvider {
  if (provider === undefined) throw new Failure('sign_in.no_provider')
  if (!metastore.isSecurityOn()) throw new Failure('sign_in.nobody')
  return provider
}

function identityOf(claims: Claims, { nameClaim, groupsClaim, groups }: OidcConfig) {
  const name = claims[nameClaim]
  if (typeof name !== 'string' || name.trim() === '')
    throw new Failure('sign_in.no_claim', { claim: nameClaim })
  const reason = refuseName(name, claims, nameClaim)
  if (reason !== undefined) throw new Failure('sign_in.bad_claim', { claim: nameClaim, reason })
  const given = claims[groupsClaim]
  const theirs: ReadonlySet<unknown> = new Set(Array.isArray(given) ? given : [given])
  const mapped = groups.filter((it) => theirs.has(it.theirs)).map((it) => it.ours)
  return {
    ...{ issuer: claims.iss, subject: claims.sub, name: name.trim() },
    displayName: displayNameValue.safeParse(claims.name).data,
    groups: groups.length === 0 ? undefined : mapped,
  }
}

/** Anybody can say that an e-mail address is his; the provider says whether it has looked. */
function refuseName(name: string, { email_verified }: Claims, claim: string): string | undefined {
  if (claim === 'email' && (email_verified === false || email_verified === 'false'))
    return 'the provider has not verified it'
  return userNameSchema.safeParse(name).error?.issues[0]?.message
}

function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 302, headers })
}

function describe(operationId: string, summary: string, done: string) {
  const content = jsonContent(failedEnvelopeAnswer)
  const answers = {
    302: { description: done },
    401: { description: 'The provider or the browser is not believed.', content },
    403: { description: 'There is no user for this identity.', content },
    404: { description: 'No provider is configured.', content },
    409: { description: 'Security is off.', content },
    503: { description: 'The provider or the database is away.', content },
  }
  return { operationId, tags: ['session'], summary, answers }
}
