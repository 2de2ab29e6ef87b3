import { useState } from 'preact/hooks'
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { useAct } from '../../../shared/use-act.ts'
import { Moment } from '../parts/moment.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { HoldDialog } from './hold-dialog.tsx'
import { STORAGE_TEXTS } from './texts.ts'

const T = STORAGE_TEXTS.holds

type Hold = SdkAnswer<'listHolds'>['holds'][number]

const nameOf = ({ target }: Hold) => (target === '' ? T.hidden : target)

/** What nobody may delete. */
export function HoldsPart() {
  const asked = useAsked('holds', (signal) => runCommand('listHolds', {}, signal))
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Hold>()
  return (
    <section class="part">
      <p class="objects-intro">{T.intro}</p>
      <div class="row">
        <Button onClick={() => setAdding(true)}>{T.add}</Button>
      </div>
      <AskedPart asked={asked}>
        {({ holds }) =>
          holds.length === 0 ? (
            <p class="objects-none">{T.none}</p>
          ) : (
            <TableBox label={STORAGE_TEXTS.tabs.holds} look="wide">
              <thead>
                <tr>
                  <th class="number">{T.number}</th>
                  <th>{T.target}</th>
                  <th>{T.from}</th>
                  <th>{T.to}</th>
                  <th>{T.reason}</th>
                  <th>{T.by}</th>
                  <th />
                </tr>
              </thead>
              <tbody>
                {holds.map((hold) => (
                  <tr key={hold.number}>
                    <td class="number" data-head={T.number}>
                      {hold.number}
                    </td>
                    <td class="objects-name">
                      <span class="soft">{T.kinds[hold.kind]}</span> {nameOf(hold)}
                    </td>
                    <td data-head={T.from}>
                      <Moment iso={hold.from} none={T.noBegin} />
                    </td>
                    <td data-head={T.to}>
                      <Moment iso={hold.to} none={T.noEnd} />
                    </td>
                    <td class="objects-wide">{hold.reason}</td>
                    <td data-head={T.by}>
                      {hold.madeBy} <Moment iso={hold.madeAt} />
                    </td>
                    <td class="objects-acts">
                      {hold.target !== '' && (
                        <Button onClick={() => setRemoved(hold)}>{T.remove}</Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </TableBox>
          )
        }
      </AskedPart>
      {isAdding && <HoldDialog onDone={asked.again} onClose={() => setAdding(false)} />}
      {removed !== undefined && (
        <RemoveDialog hold={removed} onDone={asked.again} onClose={() => setRemoved(undefined)} />
      )}
    </section>
  )
}

type RemoveProps = {
  readonly hold: Hold
  readonly onDone: () => void
  readonly onClose: () => void
}

function RemoveDialog({ hold, onDone, onClose }: RemoveProps) {
  const act = useAct(() => undefined)
  return (
    <Dialog title={T.sure(nameOf(hold))} onClose={onClose}>
      <p>{T.sureText}</p>
      {act.error !== undefined && (
        <p class="field-error" role="alert">
          {act.error}
        </p>
      )}
      <div class="row">
        <Button
          look="danger"
          disabled={act.isBusy}
          onClick={() =>
            act.run(async () => {
              await runCommand('removeHold', { number: String(hold.number) })
              toast(T.removed)
              onDone()
              onClose()
            })
          }
        >
          {T.remove}
        </Button>
        <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
      </div>
    </Dialog>
  )
}
