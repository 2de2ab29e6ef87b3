// What `logeye portal demo` prints: who signs in with what, and calls to try.
import type { DemoOrganizations } from './demo-people.ts'

export function printDemo(of: {
  readonly organizations: DemoOrganizations
  readonly operator: string
  readonly publicUrl: string
}): string {
  const { organizations, operator, publicUrl } = of
  const base = `${publicUrl}/api/portal/v1`
  const rows = organizations.signIns.map(({ organization, role, email, password }) => [
    ...[organization, role, email, password],
  ])
  const authorized = `-H 'Authorization: Bearer ${operator}'`
  return `The portal is filled. Sign-ins, whose passwords are shown once:

${printTable([['organization', 'role', 'e-mail', 'password'], ...rows])}

The operator token, shown once:

  ${operator}

Try it (the portal runs with 'logeye start'):

  curl '${base}/license/status' ${authorized} -H 'X-Organization-Id: ${organizations.direct}'
  curl '${base}/offers?limit=3' ${authorized} -H 'X-Organization-Id: ${organizations.direct}'
  curl '${base}/pricing/quote' -H 'Content-Type: application/json' -d '{"lines":[{"item":"logs","quantity":"40"}],"term":"annual"}'

Pages of the API: ${publicUrl}/api/portal/docs
`
}

function printTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()
  return rows.map(line).join('\n')
}
