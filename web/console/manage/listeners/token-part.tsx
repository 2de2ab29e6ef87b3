import { useState } from 'preact/hooks'
import { runCommand } from '../../../shared/api/sdk.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { useAct } from '../../../shared/use-act.ts'
import { OnceDialog } from '../objects/dialogs/once-dialog.tsx'
import { faultOf } from '../objects/form-fields.ts'
import { SHOWN_KINDS } from '../objects/object-kinds.ts'
import { LISTENER_TEXTS } from './texts.ts'

const T = LISTENER_TEXTS
const USUAL_HOURS = '24'

/** A new token, with a time in which the one before works as well. */
export function TokenPart({ name }: { readonly name: string }) {
  const [hours, setHours] = useState(USUAL_HOURS)
  const [isAsking, setAsking] = useState(false)
  const [token, setToken] = useState<string>()
  const act = useAct(() => setAsking(false))
  const fault = hours === '' ? undefined : faultOf(SHOWN_KINDS.listener, 'oldTokenHours', hours)
  const rotate = () =>
    act.run(async () => {
      const given = { name, update: 'true', newToken: 'true' }
      const overlap = hours === '' ? given : { ...given, oldTokenHours: hours }
      setToken((await runCommand('addListener', overlap)).token)
    })
  return (
    <section class="part object-form">
      <h2>{T.token}</h2>
      <p class="soft">{T.tokenIntro}</p>
      <Field
        label={T.overlap}
        help={T.overlapHelp}
        name="oldTokenHours"
        value={hours}
        error={fault ?? act.error}
        onInput={setHours}
      />
      <div class="row">
        <Button disabled={fault !== undefined} onClick={() => setAsking(true)}>
          {T.rotate}
        </Button>
      </div>
      {isAsking && (
        <Dialog title={T.sureTitle(name)} onClose={() => setAsking(false)}>
          <p>{hours === '' ? T.sureNow(name) : T.sureLater(name, hours)}</p>
          <div class="row">
            <Button look="danger" disabled={act.isBusy} onClick={rotate}>
              {T.rotate}
            </Button>
            <Button onClick={() => setAsking(false)}>{TEXTS.act.cancel}</Button>
          </div>
        </Dialog>
      )}
      {token !== undefined && (
        <OnceDialog shownOnce={{ token }} isListener onClose={() => setToken(undefined)} />
      )}
    </section>
  )
}
