import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import type { ExtraProps } from '../objects/object-extras.ts'
import { Moment } from '../parts/moment.tsx'
import { printBytes } from '../parts/print.ts'
import { TableBox } from '../parts/table-box.tsx'
import { ReportState } from './report-state.tsx'
import { REPORT_TEXTS } from './texts.ts'

const T = REPORT_TEXTS
const WORDS: Readonly<Record<string, string>> = T.deliveryStates

/** Its last runs, and whom they were sent to. */
export function ReportHistory({ object: { name } }: ExtraProps) {
  const asked = useAsked(`report runs ${name}`, (signal) => runCommand('reports', { name }, signal))
  return (
    <section class="part">
      <h2>{T.runs}</h2>
      <AskedPart asked={asked}>
        {({ runs }) =>
          runs.length === 0 ? (
            <p class="soft">{T.noRuns}</p>
          ) : (
            <TableBox label={T.runs}>
              <thead>
                <tr>
                  <th>{T.due}</th>
                  <th>{T.result}</th>
                  <th class="number">{T.bytes}</th>
                  <th>{T.sentTo}</th>
                  <th>{T.why}</th>
                </tr>
              </thead>
              <tbody>
                {runs.map((run) => (
                  <tr key={run.due}>
                    <td>
                      <Moment iso={run.due} />
                    </td>
                    <td>
                      <ReportState status={run.state} />
                    </td>
                    <td class="number">{run.bytes === null ? T.noBytes : printBytes(run.bytes)}</td>
                    <td>
                      {run.deliveries
                        .map(({ target, state }) => `${target}: ${WORDS[state] ?? state}`)
                        .join(', ')}
                    </td>
                    <td class="objects-wide">
                      {run.reason}
                      {run.skipped > 0 && <span class="soft"> {T.skipped(run.skipped)}</span>}
                    </td>
                  </tr>
                ))}
              </tbody>
            </TableBox>
          )
        }
      </AskedPart>
    </section>
  )
}
