// An OpenID Connect provider of somebody else's making, and a browser that signs in there.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export type Account = Readonly<Record<string, unknown>>

export async function startOidcProvider(redirectUri: string, accounts: Map<string, Account>) {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'logeye',
        client_secret: 'a secret of the client',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'name', 'groups'],
      email: ['email', 'email_verified'],
    },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...accounts.get(id) }),
    }),
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['of the test'] },
  })
  server.on('request', provider.callback())
  return {
    issuer,
    /** From our redirect to the address that leads back to us. */
    signIn: (address: string, subject: string) => browse(address, subject, redirectUri),
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

async function browse(address: string, subject: string, redirectUri: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = address
  let form: URLSearchParams | undefined
  for (let step = 0; step < 20; step += 1) {
    if (url.startsWith(redirectUri)) return url
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const method = form === undefined ? 'GET' : 'POST'
    const init = { method, headers: { cookie }, redirect: 'manual' } as const
    const answer = await fetch(url, form === undefined ? init : { ...init, body: form })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const text = await answer.text()
    const location = answer.headers.get('location')
    form = undefined
    if (location !== null) url = new URL(location, url).href
    else {
      const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1]
      if (prompt === undefined) throw new Error(`the provider says: ${answer.status} ${text}`)
      form = new URLSearchParams({ prompt, login: subject, password: 'any' })
    }
  }
  throw new Error('the provider leads nowhere')
}
