// The cookie of a session: no script reads it, and pages of other sites send it only where a link
// leads here.
import { SESSION_COOKIE } from '../../infra/access/credentials.ts'

export type CookieCall = { readonly request: Request; readonly publicUrl: string }

export function sessionCookie(secret: string, endsMs: number, call: CookieCall): string {
  const expires = new Date(endsMs).toUTCString()
  return `${SESSION_COOKIE}=${secret}; Expires=${expires}; ${attributes(call)}`
}

export function endedCookie(call: CookieCall): string {
  return `${SESSION_COOKIE}=; Max-Age=0; ${attributes(call)}`
}

function attributes(call: CookieCall): string {
  return `Path=/logeye; HttpOnly; SameSite=Lax${isSecure(call) ? '; Secure' : ''}`
}

/** Also where a proxy ends HTTPS before us. */
export function isSecure({ request, publicUrl }: CookieCall): boolean {
  return request.url.startsWith('https:') || publicUrl.startsWith('https:')
}
