import type { UsageRow } from '../../../schemas/portal/usage.ts'

const HEAD = 'time,deployment_id,deployment,source,events,bytes'

/** RFC 4180, with one row for each row of the API. */
export function printCsv(rows: readonly UsageRow[], names: ReadonlyMap<string, string>): string {
  const lines = rows.map(({ time, deploymentId, source, events, bytes }) =>
    [time, deploymentId, names.get(deploymentId) ?? '', source, events, bytes]
      .map((value) => quote(String(value)))
      .join(','),
  )
  return `${[HEAD, ...lines].join('\r\n')}\r\n`
}

/** A text that a spreadsheet would take for a formula begins with '. */
function quote(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
