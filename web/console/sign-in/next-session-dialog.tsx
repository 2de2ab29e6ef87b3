import { useEffect, useState } from 'preact/hooks'
import type { NextSessionTold } from '../../../schemas/public-calls/session.ts'
import { address, changeParameters } from '../../shared/address.ts'
import { session } from '../../shared/api/session.ts'
import { forgetNextSession, readNextSession, takeNextSession } from '../../shared/api/sign-in.ts'
import { Banner } from '../../shared/parts/banner.tsx'
import { Button } from '../../shared/parts/button.tsx'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { toastFailure } from '../../shared/toast-failure.ts'
import { useAct } from '../../shared/use-act.ts'

const T = TEXTS.signIn

/** Asks before another user's session takes the place of this one: a link or the provider signed in
 *  as somebody else (docs/decisions/0072). */
export function NextSessionDialog() {
  const [next, setNext] = useState<NextSessionTold>()
  const act = useAct(() => undefined)
  const [isAsked] = useState(() => address.value.parameters.get('asked') === 'session')
  useEffect(() => {
    if (!isAsked) return
    changeParameters({ asked: '' }, { isNew: false })
    // Nobody waits: somebody made the address by hand.
    readNextSession().then(setNext, () => undefined)
  }, [])
  if (next === undefined) return null
  // Not as they are displayed: users choose that.
  const user = session.value?.user ?? ''
  const other = next.user
  const stay = () => {
    setNext(undefined)
    void forgetNextSession().catch(toastFailure)
  }
  return (
    <Dialog title={T.other} onClose={stay}>
      <p>{T.otherText(user, other)}</p>
      <div class="row">
        <Button look="main" onClick={stay}>
          {T.stay(user)}
        </Button>
        <Button
          disabled={act.isBusy}
          onClick={() => act.run(() => takeNextSession(location.pathname + location.search))}
        >
          {T.switchTo(other)}
        </Button>
      </div>
      {act.error !== undefined && <Banner kind="error">{act.error}</Banner>}
    </Dialog>
  )
}
