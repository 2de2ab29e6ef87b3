import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import type { ExtraProps } from '../objects/object-extras.ts'
import { Moment, printMoment } from '../parts/moment.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { AlertTable } from './alert-table.tsx'
import { StatusPill } from './monitor-state.tsx'
import { MONITOR_TEXTS } from './texts.ts'

const T = MONITOR_TEXTS
const MOST_ALERTS = '1000'

/** Its last runs, and the alerts that they have opened. */
export function MonitorHistory({ object: { name } }: ExtraProps) {
  const runs = useAsked(`runs ${name}`, (signal) => runCommand('monitors', { name }, signal))
  const alerts = useAsked(`alerts of ${name}`, (signal) =>
    runCommand('alerts', { state: 'all', limit: MOST_ALERTS }, signal),
  )
  return (
    <>
      <section class="part">
        <h2>{T.alerts}</h2>
        <AskedPart asked={alerts}>
          {(answer) => {
            const own = answer.alerts.filter(({ monitor }) => monitor === name)
            return own.length === 0 ? (
              <p class="soft">{T.noAlerts}</p>
            ) : (
              <AlertTable alerts={own} onDone={alerts.again} />
            )
          }}
        </AskedPart>
      </section>
      <section class="part">
        <h2>{T.runs}</h2>
        <AskedPart asked={runs}>
          {(answer) =>
            answer.runs.length === 0 ? (
              <p class="soft">{T.noRuns}</p>
            ) : (
              <TableBox label={T.runs}>
                <thead>
                  <tr>
                    <th>{T.due}</th>
                    <th>{T.result}</th>
                    <th class="number">{T.failing}</th>
                    <th class="number">{T.opened}</th>
                    <th class="number">{T.closed}</th>
                    <th>{T.why}</th>
                  </tr>
                </thead>
                <tbody>
                  {answer.runs.map((run) => (
                    <tr key={`${run.due} ${run.state}`}>
                      <td>
                        <Moment iso={run.due} />
                      </td>
                      <td>
                        <StatusPill status={run.state} />
                      </td>
                      <td class="number">{run.failing}</td>
                      <td class="number">{run.opened}</td>
                      <td class="number">{run.closed}</td>
                      <td class="objects-wide">
                        {run.reason}
                        {run.skippedFrom !== null && (
                          <span class="soft">
                            {' '}
                            {T.skipped(run.skipped, printMoment(run.skippedFrom))}
                          </span>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </TableBox>
            )
          }
        </AskedPart>
      </section>
    </>
  )
}
