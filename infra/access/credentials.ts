// Where a call may carry a name and a password (decision 7.1). Pure.

export type Credentials = { readonly name: string; readonly password: string }

/** What signing in needs of a request, whatever its surface. */
export type SignInRequest = {
  /** Pairs of the address, then of a form body. */
  readonly parameters: Iterable<readonly [string, string]>
  readonly authorization: string | null | undefined
  /** Client address as text. */
  readonly address: string
  /** Aborts when the client has gone: nobody waits for the answer. */
  readonly signal?: AbortSignal
}

/** The parameters count only with autoLogin=true; else HTTP Basic; of a repeated parameter the
 *  first. */
export function readCredentials(
  request: Pick<SignInRequest, 'parameters' | 'authorization'>,
): Credentials | undefined {
  const values = new Map<string, string>()
  for (const [name, value] of request.parameters) if (!values.has(name)) values.set(name, value)
  if (values.get('autoLogin') !== 'true') return readBasic(request.authorization ?? '')
  const name = values.get('username')
  const password = values.get('password')
  return name === undefined || password === undefined ? undefined : { name, password }
}

/** RFC 7617 with UTF-8; the name ends at the first colon. */
function readBasic(header: string): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}
