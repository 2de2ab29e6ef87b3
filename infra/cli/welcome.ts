// What `logeye start` prints on stdout: secrets of the first start with lines ready to run, then
// where things are.

import type { Role } from '../supervisor/processes.ts'

export type Secrets = { readonly adminPassword: string; readonly token: string }

/** Printed as soon as the secrets exist, before anything else can fail: they are shown only
 *  once. */
export function printFirstStart(baseUrl: string, secrets: Secrets): string {
  const { adminPassword, token } = secrets
  const event = `{"message":"disk full on /var","level":"ERROR"}`
  const search = new URLSearchParams({
    widgetId: 'searchAPI',
    searchQuery: 'disk full',
    fixedInterval: 'last15Minutes',
    resultFormat: 'csv',
    autoLogin: 'true',
    username: 'admin',
    password: adminPassword,
  })
  return `First start. These are shown once; 'logeye reset-password admin' and 'logeye reset-token Default' make new ones.

  user admin, password               ${adminPassword}
  listener account Default, token    ${token}

Send an event:

  curl -X POST '${baseUrl}/logeye/api/logger.jsp?token=${encodeURIComponent(token)}&hostName=web-01' -H 'Content-Type: application/json' -d '${event}'

Search it:

  curl '${baseUrl}/logeye/view/api/widgetAPI.jsp?${search}'
`
}

export function printReady(ready: {
  version: string
  seconds: number
  baseUrl: string
  tlsPort: number | undefined
  /** Undefined: it does not run here. */
  portalUrl: string | undefined
  /** The HTTP engine, in words. */
  engine: string
  dataDir: string
  roles: readonly Role[]
  isSecurityOn: boolean
}): string {
  const lines = [`Logeye ${ready.version} is ready after ${ready.seconds.toFixed(1)} s.`]
  const { roles } = ready
  if (roles.includes('query')) lines.push(`  console   ${ready.baseUrl}/logeye/`)
  if (ready.tlsPort !== undefined) lines.push(`  HTTPS     port ${ready.tlsPort}`)
  if (roles.includes('listener'))
    lines.push(`  events    POST ${ready.baseUrl}/logeye/api/logger.jsp`)
  if (ready.portalUrl !== undefined)
    lines.push(
      `  portal    ${ready.portalUrl}/api/portal/health (first: logeye portal init)`,
      `            usage is reported to it after: logeye-sdk -api settings -portalUrl ${ready.portalUrl} -portalLicenseKey <key>`,
    )
  lines.push(`  health    ${ready.baseUrl}/logeye/health/ready`, `  data      ${ready.dataDir}`)
  lines.push(`  engine    ${ready.engine}`)
  if (!ready.isSecurityOn)
    lines.push(
      "  security  OFF: everybody is an administrator, without sign-in; on again by 'logeye-sdk -api settings -security true'",
    )
  return `${lines.join('\n')}\n`
}
