// The identity provider, by openid-client: the only file that knows it, loaded where there is a
// provider. Its errors quote what the provider sent, so none of their text goes on.
import { readFile } from 'node:fs/promises'
import type { Configuration } from 'openid-client'
import { Failure } from '../../../schemas/failures.ts'
import type { OidcConfig } from './oidc-config.ts'

export type Claims = Readonly<Record<string, unknown>> & {
  readonly iss: string
  readonly sub: string
}

export type Flow = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export type OidcProvider = {
  /** Where the browser goes. Fails with sign_in.provider_away. */
  begin(flow: Flow): Promise<URL>
  /** From what its address said when it came back. Fails with sign_in.provider_away,
   *  sign_in.provider_refused. */
  finish(flow: Flow, search: string): Promise<Claims>
}

type Known = { readonly client: typeof import('openid-client'); readonly config: Configuration }

const TIMEOUT_SECONDS = 10

export function openOidcProvider(
  config: OidcConfig & { readonly issuer: string; readonly clientId: string },
  redirectUri: string,
): OidcProvider {
  let found: Promise<Known> | undefined

  async function discover(): Promise<Known> {
    const { issuer, clientId, clientSecretFile } = config
    const secret =
      clientSecretFile === undefined
        ? config.clientSecret?.reveal()
        : (await readFile(clientSecretFile, 'utf8')).trim()
    const client = await import('openid-client')
    const url = new URL(issuer)
    const auth = secret === undefined ? client.None() : undefined
    const discovered = await client.discovery(url, clientId, secret, auth, {
      timeout: TIMEOUT_SECONDS,
      execute: url.protocol === 'http:' ? [client.allowInsecureRequests] : [],
    })
    return { client, config: discovered }
  }

  async function known(): Promise<Known> {
    found ??= discover()
    try {
      return await found
    } catch (error) {
      // The next call tries again.
      found = undefined
      throw new Failure('sign_in.provider_away', {}, error)
    }
  }

  return {
    begin: async ({ state, nonce, verifier }) => {
      const { client, config: provider } = await known()
      return client.buildAuthorizationUrl(provider, {
        ...{ redirect_uri: redirectUri, scope: config.scopes.join(' '), state, nonce },
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    finish: async ({ state, nonce, verifier }, search) => {
      const { client, config: provider } = await known()
      try {
        const address = new URL(redirectUri + search)
        const tokens = await client.authorizationCodeGrant(provider, address, {
          ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce },
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new Failure('sign_in.provider_refused')
        const wanted = [config.nameClaim, ...(config.groups.length > 0 ? [config.groupsClaim] : [])]
        const isWhole = wanted.every((name) => claims[name] !== undefined)
        if (isWhole || provider.serverMetadata().userinfo_endpoint === undefined) return claims
        const more = await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
        return { ...more, ...claims }
      } catch (error) {
        throw new Failure('sign_in.provider_refused', {}, error)
      }
    },
  }
}
