import { useState } from 'preact/hooks'
import type { Organization } from '../../../schemas/portal/accounts.ts'
import { go } from '../../shared/address.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { Select } from '../../shared/parts/select.tsx'
import { toast } from '../../shared/parts/toast.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { FormError } from '../parts/form-error.tsx'
import { PATHS } from '../shell/paths.ts'
import { namesOf, WORKSPACE } from '../texts.ts'

const T = WORKSPACE.customers

/** Makes one, and leads to its page: there somebody is invited. */
export function OrganizationDialog({
  onDone,
  onClose,
}: {
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState('customer')
  const [channel, setChannel] = useState('')
  const [region, setRegion] = useState('EU')
  const [currency, setCurrency] = useState('EUR')
  const act = useAct(() => undefined)
  return (
    <Dialog title={T.add} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            const body = { name, kind, region, currency, channel: channel || null }
            const made = await ask<Organization>('/organizations', { body })
            toast(T.made(made.name))
            onDone()
            go(`${PATHS.customers}/${made.id}`)
          })
        }}
      >
        <Field label={T.name} name="name" required autofocus value={name} onInput={setName} />
        <Select
          label={T.kind}
          name="kind"
          value={kind}
          options={namesOf(T.kinds).map((one) => [one, T.kinds[one]])}
          onChoose={setKind}
        />
        <Field
          label={T.channelCode}
          help={T.channelHelp}
          name="channel"
          value={channel}
          required={kind === 'channel'}
          onInput={setChannel}
        />
        <Field label={T.region} name="region" required value={region} onInput={setRegion} />
        <Field label={T.currency} name="currency" required value={currency} onInput={setCurrency} />
        <FormError error={act.error} />
        <div class="row">
          <Button look="main" type="submit" disabled={act.isBusy}>
            {T.add}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
