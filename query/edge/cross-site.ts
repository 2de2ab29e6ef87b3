// A page of another site must not search, cancel or change anything in the name of whoever opens
// it: a browser adds the name and password that it keeps for us to the requests of every page.
// Browsers say where a request comes from in headers that no page can set.
import { CSRF_HEADER, isCsrfToken } from '../../infra/access/csrf-token.ts'
import type { SignedIn } from '../../infra/access/signed-in.ts'
import { Failure } from '../../schemas/failures.ts'

export type SiteCall = {
  readonly request: Request
  readonly signedIn: SignedIn
  /** A link may lead here from anywhere. */
  readonly mayBeLinked: boolean
}

/** Throws request.cross_site. */
export function refuseCrossSite({ request, signedIn, mayBeLinked }: SiteCall): void {
  const { headers } = request
  if (headers.get('sec-fetch-site') !== 'cross-site') return
  if (mayBeLinked && headers.get('sec-fetch-mode') === 'navigate') return
  // Credentials that the page itself knows are its own; while security is off none count.
  if (signedIn.by.kind === 'parameters' || signedIn.by.kind === 'token') return
  throw new Failure('request.cross_site')
}

/** Throws request.csrf. A browser adds the cookie of a session by itself; this it does not. */
export function requireCsrfToken({ headers }: Request, { by }: SignedIn): void {
  if (by.kind !== 'session' || isCsrfToken(by.secret, headers.get(CSRF_HEADER) ?? '')) return
  throw new Failure('request.csrf')
}
