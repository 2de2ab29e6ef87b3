import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { printCount } from '../../../shared/format.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Moment } from '../parts/moment.tsx'
import { printBytes } from '../parts/print.ts'
import { TableBox } from '../parts/table-box.tsx'
import { TASK_TEXTS } from './texts.ts'

const T = TASK_TEXTS

/** How far the files of each log are read. */
export function CollectedLogs() {
  const asked = useAsked('listCollected', (signal) => runCommand('listCollected', {}, signal))
  return (
    <section class="part">
      <h2>{T.collected}</h2>
      <AskedPart asked={asked}>
        {({ logs, total }) =>
          total === 0 ? (
            <p class="soft">{T.noCollected}</p>
          ) : (
            <>
              <TableBox label={T.collected}>
                <thead>
                  <tr>
                    <th>{T.log}</th>
                    <th class="number">{T.files}</th>
                    <th class="number">{T.openFiles}</th>
                    <th class="number">{T.events}</th>
                    <th class="number">{T.bytes}</th>
                    <th class="number">{T.behind}</th>
                    <th>{T.readAt}</th>
                    <th>{T.faults}</th>
                  </tr>
                </thead>
                <tbody>
                  {logs.map((one) => (
                    <tr key={one.log}>
                      <td class="objects-name">{one.log}</td>
                      <td class="number">{printCount(one.files)}</td>
                      <td class="number">{printCount(one.openFiles)}</td>
                      <td class="number">{printCount(one.events)}</td>
                      <td class="number">{printBytes(one.readBytes)}</td>
                      <td class="number">
                        {one.behindBytes === 0 ? (
                          <span class="soft">{T.upToDate}</span>
                        ) : (
                          printBytes(one.behindBytes)
                        )}
                      </td>
                      <td>
                        <Moment iso={one.readAt} />
                      </td>
                      <td class="objects-wide">
                        {one.faults.map(({ path, reason }) => (
                          <p key={path}>
                            <span class="soft">{path}</span> {reason}
                          </p>
                        ))}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </TableBox>
              {logs.length < total && <p class="soft">{T.shownLogs(logs.length, total)}</p>}
            </>
          )
        }
      </AskedPart>
    </section>
  )
}
