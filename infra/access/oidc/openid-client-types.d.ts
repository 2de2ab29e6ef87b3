// What is used of openid-client, and no more: its own types reach into the DOM.
declare module 'openid-client' {
  export interface Configuration {
    serverMetadata(): { readonly userinfo_endpoint?: string }
  }
  export type ClientAuth = (...given: never[]) => void
  type Claims = Record<string, unknown> & { readonly iss: string; readonly sub: string }
  export function None(): ClientAuth
  export function allowInsecureRequests(config: Configuration): void
  export function discovery(
    issuer: URL,
    clientId: string,
    clientSecret: string | undefined,
    auth: ClientAuth | undefined,
    options: { timeout: number; execute: ((config: Configuration) => void)[] },
  ): Promise<Configuration>
  export function calculatePKCECodeChallenge(verifier: string): Promise<string>
  export function buildAuthorizationUrl(
    config: Configuration,
    parameters: Record<string, string>,
  ): URL
  export function authorizationCodeGrant(
    config: Configuration,
    address: URL,
    checks: {
      pkceCodeVerifier: string
      expectedState: string
      expectedNonce: string
      idTokenExpected: boolean
    },
  ): Promise<{ readonly access_token: string; claims(): Claims | undefined }>
  export function fetchUserInfo(
    config: Configuration,
    accessToken: string,
    expectedSubject: string,
  ): Promise<Record<string, unknown>>
}
