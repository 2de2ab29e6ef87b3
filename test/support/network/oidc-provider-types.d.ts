// What is used of oidc-provider, which brings no types.
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'
  export class Provider {
    constructor(issuer: string, options: Readonly<Record<string, unknown>>)
    callback(): RequestListener
  }
}
