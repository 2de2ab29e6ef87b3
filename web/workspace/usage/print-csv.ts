import type { UsageRow } from '../../../schemas/portal/usage.ts'
import { spreadsheetCell } from '../../../schemas/public-calls/spreadsheet-cell.ts'

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

function quote(text: string): string {
  const safe = spreadsheetCell(text)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
