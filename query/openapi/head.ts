// What the OpenAPI document says before its paths: the product, and how to sign in.
import type { OpenApiHead } from '../../infra/http/routes/print-openapi.ts'

export function openApiHead(of: { version: string; publicUrl: string }): OpenApiHead {
  return {
    info: {
      title: 'Logeye',
      version: of.version,
      description:
        'Events in and searches out. Sign in with an API token as `Authorization: Bearer` or in the parameter apiToken, by HTTP Basic, or by the parameters autoLogin=true, username and password.',
    },
    serverUrl: of.publicUrl,
    security: [
      { token: [] },
      { apiToken: [] },
      { basic: [] },
      { autoLogin: [], username: [], password: [] },
    ],
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      apiToken: { type: 'apiKey', in: 'query', name: 'apiToken' },
      basic: { type: 'http', scheme: 'basic' },
      autoLogin: { type: 'apiKey', in: 'query', name: 'autoLogin' },
      username: { type: 'apiKey', in: 'query', name: 'username' },
      password: { type: 'apiKey', in: 'query', name: 'password' },
    },
  }
}
