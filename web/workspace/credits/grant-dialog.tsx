import { useState } from 'preact/hooks'
import { Button } from '../../shared/parts/button.tsx'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { FormError } from '../parts/form-error.tsx'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.credits

type Ended = { readonly onDone: () => void; readonly onClose: () => void }

/** By operators. */
export function GrantDialog({ currency, onDone, onClose }: Ended & { readonly currency: string }) {
  const [amount, setAmount] = useState('')
  const [source, setSource] = useState('')
  const [expires, setExpires] = useState('')
  const [priority, setPriority] = useState('100')
  const act = useAct(() => undefined)
  return (
    <Dialog title={T.grant} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            const body = {
              ...{ amount, source, priority: Number(priority) },
              ...(expires === '' ? {} : { expiresAt: `${expires}T00:00:00Z` }),
            }
            await ask('/credits/grants', { body })
            onDone()
            onClose()
          })
        }}
      >
        <Field
          label={T.amountIn(currency)}
          name="amount"
          required
          autofocus
          placeholder="1000.00"
          value={amount}
          onInput={setAmount}
        />
        <Field
          label={T.source}
          help={T.sourceHelp}
          name="source"
          required
          value={source}
          onInput={setSource}
        />
        <Field
          label={T.expires}
          help={WORKSPACE.dayHelp}
          name="expires"
          placeholder="2027-12-31"
          value={expires}
          onInput={setExpires}
        />
        <Field
          label={T.priority}
          help={T.priorityHelp}
          name="priority"
          value={priority}
          onInput={setPriority}
        />
        <FormError error={act.error} />
        <div class="row">
          <Button look="main" type="submit" disabled={act.isBusy}>
            {T.grant}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}

export function VoidDialog({ id, onDone, onClose }: Ended & { readonly id: string }) {
  const [reason, setReason] = useState('')
  const act = useAct(() => undefined)
  return (
    <Dialog title={T.voidTitle} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            await ask(`/credits/grants/${id}/void`, { body: { reason } })
            onDone()
            onClose()
          })
        }}
      >
        <p>{T.voidText}</p>
        <Field
          label={T.reason}
          name="reason"
          required
          autofocus
          value={reason}
          onInput={setReason}
        />
        <FormError error={act.error} />
        <div class="row">
          <Button look="main" type="submit" disabled={act.isBusy}>
            {T.void}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
