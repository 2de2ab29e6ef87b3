import { useState } from 'preact/hooks'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { printCount } from '../../../shared/format.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Moment } from '../parts/moment.tsx'
import { Pill } from '../parts/pill.tsx'
import { printBytes } from '../parts/print.ts'
import { TableBox } from '../parts/table-box.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { STORAGE_TEXTS } from './texts.ts'

const T = STORAGE_TEXTS.deletions
const MOST = '200'

/** What somebody has deleted, and how far it is gone. */
export function DeletionsPart() {
  const asked = useAsked('deletions', (signal) =>
    runCommand('listDeletions', { top: MOST }, signal),
  )
  const [isAsking, setAsking] = useState(false)
  return (
    <section class="part">
      <p class="objects-intro">{T.intro}</p>
      <div class="row">
        <Button onClick={() => setAsking(true)}>{T.add}</Button>
      </div>
      <AskedPart asked={asked}>
        {({ deletions }) =>
          deletions.length === 0 ? (
            <p class="objects-none">{T.none}</p>
          ) : (
            <TableBox label={STORAGE_TEXTS.tabs.deletions} look="wide">
              <thead>
                <tr>
                  <th class="number">{T.number}</th>
                  <th>{T.log}</th>
                  <th>{STORAGE_TEXTS.state}</th>
                  <th class="number">{STORAGE_TEXTS.events}</th>
                  <th class="number">{STORAGE_TEXTS.bytes}</th>
                  <th>{T.askedBy}</th>
                  <th>{T.askedAt}</th>
                  <th>{T.ended}</th>
                </tr>
              </thead>
              <tbody>
                {deletions.map((one) => (
                  <tr key={one.number}>
                    <td class="number" data-head={T.number}>
                      {one.number}
                    </td>
                    <td class="objects-name">
                      {one.log === '' ? (
                        <span class="soft">{STORAGE_TEXTS.hiddenLog}</span>
                      ) : (
                        one.log
                      )}
                    </td>
                    <td>
                      <Pill tone={one.state === 'done' ? 'faint' : 'info'}>
                        {T.states[one.state]}
                      </Pill>
                    </td>
                    <td class="number" data-head={STORAGE_TEXTS.events}>
                      {printCount(one.events)}
                    </td>
                    <td class="number" data-head={STORAGE_TEXTS.bytes}>
                      {printBytes(one.bytes)}
                    </td>
                    <td data-head={T.askedBy}>{one.askedBy}</td>
                    <td data-head={T.askedAt}>
                      <Moment iso={one.askedAt} />
                    </td>
                    <td data-head={T.ended}>
                      <Moment iso={one.endedAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </TableBox>
          )
        }
      </AskedPart>
      {isAsking && <DeleteDialog log="" onDone={asked.again} onClose={() => setAsking(false)} />}
    </section>
  )
}
