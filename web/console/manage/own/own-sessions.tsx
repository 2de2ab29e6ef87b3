import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { Moment } from '../parts/moment.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { MANAGE } from '../texts.ts'

const T = MANAGE.own

export function OwnSessions() {
  const asked = useAsked('sessions', (signal) =>
    runCommand('ownSessions', { action: 'list' }, signal),
  )
  const act = useAct(asked.again)
  const end = (given: Readonly<Record<string, string>>) =>
    act.run(async () => {
      await runCommand('ownSessions', given)
    })
  return (
    <section class="own">
      <h2>{T.sessions}</h2>
      <AskedPart asked={asked}>
        {({ sessions = [] }) => (
          <TableBox label={T.sessions}>
            <thead>
              <tr>
                <th>{MANAGE.audit.address}</th>
                <th>{T.signedInBy}</th>
                <th>{T.used}</th>
                <th>{T.ends}</th>
                <th />
              </tr>
            </thead>
            <tbody>
              {sessions.map(({ id, isThis, signedInBy, address, used, ends }) => (
                <tr key={id}>
                  <td class="objects-name">
                    {address} {isThis && <span class="objects-origin">{T.thisOne}</span>}
                  </td>
                  <td>{signedInBy}</td>
                  <td>
                    <Moment iso={used ?? null} />
                  </td>
                  <td>
                    <Moment iso={ends ?? null} />
                  </td>
                  <td class="objects-acts">
                    {!isThis && (
                      <Button disabled={act.isBusy} onClick={() => end({ action: 'end', id })}>
                        {T.end}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </TableBox>
        )}
      </AskedPart>
      {act.error !== undefined && (
        <p class="field-error" role="alert">
          {act.error}
        </p>
      )}
      <div class="row">
        <Button disabled={act.isBusy} onClick={() => end({ action: 'endOthers' })}>
          {T.endOthers}
        </Button>
      </div>
    </section>
  )
}
