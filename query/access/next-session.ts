// A link with credentials and a provider sign in as somebody. Where another user's session is in
// force in the browser, the link may be of a stranger: nothing changes until the user says so. What
// was signed in waits in a sealed cookie, for the session that it would replace alone.
import { z } from 'zod'
import { readCookie, SESSION_COOKIE } from '../../infra/access/credentials.ts'
import { openCookie, sealCookie } from '../../infra/access/sealed-cookie.ts'
import type { SignedInSession } from '../../infra/access/signed-in.ts'
import type { Clock } from '../../infra/clock.ts'
import { hashSecret } from '../../infra/metastore/access/api-tokens.ts'
import type { SessionRecord } from '../../infra/metastore/access/sessions.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { openSharedKey } from '../../infra/metastore/shared-key.ts'
import { Failure } from '../../schemas/failures.ts'
import { isSecret } from '../../schemas/secret-text.ts'
import type { UserRecord } from '../../schemas/users.ts'
import { beginSession, type NewlySignedIn } from './begin-session.ts'
import { type CookieCall, isSecure } from './session-cookie.ts'

const COOKIE = 'logeye_next_session'
const PATH = '/logeye/session/next'
const SECONDS = 300
/** In the address of the console: it asks which of the two. */
export const ASKED = ['asked', 'session'] as const

const BY = ['parameters', 'basic', 'oidc'] as const
const schema = z.object({
  userId: z.number(),
  by: z.enum(BY),
  /** Hash of the session that it would replace. */
  replaced: z.string(),
})

type Deps = { readonly metastore: OpenedMetastore; readonly clock: Clock }

export class NextSessions {
  readonly #deps: Deps
  #key: Promise<Buffer> | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The session in force that the request brings in its cookie. */
  async current(request: Request): Promise<SessionRecord | undefined> {
    const { access } = this.#deps.metastore
    const secret = readCookie(request.headers.get('cookie') ?? '', SESSION_COOKIE) ?? ''
    if (!isSecret('ses_', secret)) return undefined
    const session = await access.findSession(hashSecret(secret))
    const user = session && (await access.userById(session.userId))
    return user?.isEnabled === true ? session : undefined
  }

  /** A cookie that lets `signedIn` replace the session. */
  async offer(signedIn: NewlySignedIn, current: SessionRecord, call: CookieCall): Promise<string> {
    const by = BY.find((kind) => kind === signedIn.by.kind)
    if (by === undefined) throw new Failure('sign_in.not_by_token')
    const value: z.infer<typeof schema> = {
      ...{ userId: signedIn.user.id, by, replaced: current.idHash },
    }
    const { clock } = this.#deps
    return cookie(sealCookie(value, { key: await this.#openKey(), clock, seconds: SECONDS }), call)
  }

  /** Who would sign in; undefined: nobody waits for this session. */
  async waiting(
    request: Request,
    { session }: SignedInSession,
  ): Promise<(Pick<NewlySignedIn, 'by'> & { readonly user: UserRecord }) | undefined> {
    const sealed = readCookie(request.headers.get('cookie') ?? '', COOKIE) ?? ''
    const { clock, metastore } = this.#deps
    const next = openCookie(sealed, { key: await this.#openKey(), clock, schema })
    if (next?.replaced !== session.idHash) return undefined
    const user = await metastore.access.userById(next.userId)
    return user?.isEnabled === true ? { user, by: { kind: next.by } } : undefined
  }

  /** Begins the session that waits and ends this one. Fails with sign_in.none_waits. */
  async take(request: Request, current: SignedInSession, address: string) {
    const next = await this.waiting(request, current)
    if (next === undefined) throw new Failure('sign_in.none_waits')
    const begun = await beginSession({ ...next, address }, this.#deps, {
      replaced: current.session.idHash,
    })
    return { ...begun, user: next.user }
  }

  forget(call: CookieCall): string {
    return cookie('', call)
  }

  #openKey(): Promise<Buffer> {
    const { metastore, clock } = this.#deps
    this.#key ??= openSharedKey(metastore.database, 'next-session', clock)
    this.#key.catch(() => {
      this.#key = undefined
    })
    return this.#key
  }
}

function cookie(value: string, call: CookieCall): string {
  const seconds = value === '' ? 0 : SECONDS
  const secure = isSecure(call) ? '; Secure' : ''
  return `${COOKIE}=${value}; Max-Age=${seconds}; Path=${PATH}; HttpOnly; SameSite=Strict${secure}`
}
