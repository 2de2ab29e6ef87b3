// What a call brings to say whose it is (decision 7.1). Pure.

export type Credentials = { readonly name: string; readonly password: string }

/** What signing in needs of a request, whatever its surface. */
export type SignInRequest = {
  /** Pairs of the address, then of a form body. */
  readonly parameters: Iterable<readonly [string, string]>
  readonly authorization: string | null | undefined
  readonly cookie?: string | null | undefined
  /** Client address as text. */
  readonly address: string
  /** Aborts when the client has gone: nobody waits for the answer. */
  readonly signal?: AbortSignal
}

export type Brought =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'parameters' | 'basic'; readonly credentials: Credentials }
  | { readonly kind: 'session'; readonly secret: string }

export const SESSION_COOKIE = 'logeye_session'

/** The first of: a token of ours in the header, the parameter apiToken, the parameters with
 *  autoLogin=true, HTTP Basic, the cookie of a session. What comes after it is not looked at. Of a
 *  repeated parameter the first counts. */
export function readCredentials(
  request: Pick<SignInRequest, 'parameters' | 'authorization' | 'cookie'>,
): Brought | undefined {
  const bearer = readBearer(request.authorization ?? '')
  if (bearer !== undefined) return { kind: 'token', token: bearer }
  const values = new Map<string, string>()
  for (const [name, value] of request.parameters) if (!values.has(name)) values.set(name, value)
  const token = values.get('apiToken')
  if (token !== undefined) return { kind: 'token', token }
  if (values.get('autoLogin') === 'true') {
    const name = values.get('username')
    const password = values.get('password')
    if (name === undefined || password === undefined) return undefined
    return { kind: 'parameters', credentials: { name, password } }
  }
  const basic = readBasic(request.authorization ?? '')
  if (basic !== undefined) return { kind: 'basic', credentials: basic }
  const secret = readCookie(request.cookie ?? '', SESSION_COOKIE)
  return secret === undefined ? undefined : { kind: 'session', secret }
}

/** A bearer of another form is not for us: proxies add theirs. */
function readBearer(header: string): string | undefined {
  return /^bearer +(tok_\S*) *$/i.exec(header)?.[1]
}

/** RFC 7617 with UTF-8; the name ends at the first colon. */
function readBasic(header: string): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** Of several of one name the first. */
export function readCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const [key = '', ...rest] = pair.split('=')
    if (key.trim() === name) return rest.join('=').trim()
  }
  return undefined
}
