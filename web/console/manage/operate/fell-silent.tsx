import { useState } from 'preact/hooks'
import { CallError } from '../../../shared/api/call.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { timePrinter } from '../../../shared/format.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { describeError } from '../../../shared/use-act.ts'
import { TableBox } from '../parts/table-box.tsx'
import { MANAGE } from '../texts.ts'

const T = MANAGE.silent

/** What the watch has told, and what is expected. */
export function FellSilent() {
  const asked = useAsked('silentLogs', (signal) => runCommand('silentLogs', {}, signal))
  const [fault, setFault] = useState('')
  const act = async (done: Promise<unknown>) => {
    try {
      await done
      setFault('')
      asked.again()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setFault(describeError(error))
    }
  }
  const printer = timePrinter(undefined)
  return (
    <section class="part">
      <h2>{T.fell}</h2>
      <AskedPart asked={asked}>
        {({ silent, expected }) => (
          <>
            {fault !== '' && <p class="health-bad">{fault}</p>}
            {silent.length === 0 && <p class="health-good">{T.noneFell}</p>}
            {silent.length > 0 && (
              <TableBox label={T.fell}>
                <thead>
                  <tr>
                    <th>{T.log}</th>
                    <th>{T.since}</th>
                    <th />
                  </tr>
                </thead>
                <tbody>
                  {silent.map(({ log, since }) => (
                    <tr key={log}>
                      <td class="objects-name">{log}</td>
                      <td>{printer.minute(since)}</td>
                      <td>
                        <Button
                          onClick={() => act(runCommand('addExpectedSilence', { path: log }))}
                        >
                          {T.mayBe}
                        </Button>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </TableBox>
            )}
            {expected.length > 0 && (
              <>
                <h2>{T.expected}</h2>
                <TableBox label={T.expected}>
                  <thead>
                    <tr>
                      <th>{T.path}</th>
                      <th>{T.from}</th>
                      <th>{T.to}</th>
                      <th>{T.reason}</th>
                      <th />
                    </tr>
                  </thead>
                  <tbody>
                    {expected.map(({ id, path, from, to, reason, madeBy }) => (
                      <tr key={id}>
                        <td class="objects-name">{path.replace(/^ROOT->/, '')}</td>
                        <td>{printer.minute(from)}</td>
                        <td>{to === null ? T.open : printer.minute(to)}</td>
                        <td class="objects-wide">
                          {reason} <span class="soft">{madeBy}</span>
                        </td>
                        <td>
                          <Button
                            onClick={() =>
                              act(runCommand('removeExpectedSilence', { id: String(id) }))
                            }
                          >
                            {T.remove}
                          </Button>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </TableBox>
              </>
            )}
          </>
        )}
      </AskedPart>
    </section>
  )
}
