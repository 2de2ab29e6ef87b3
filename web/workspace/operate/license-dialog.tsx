import { useState } from 'preact/hooks'
import type { LicenseTold, Organization } from '../../../schemas/portal/accounts.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { toast } from '../../shared/parts/toast.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { FormError } from '../parts/form-error.tsx'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.licenses
const GB = 1e9

export type LicenseWithKey = { readonly license: LicenseTold; readonly licenseKey: string }

/** Makes a licence with its first key. */
export function LicenseDialog({
  organization,
  onDone,
  onClose,
}: {
  readonly organization: Organization
  /** With the key, which is shown this once. */
  readonly onDone: (key: string) => void
  readonly onClose: () => void
}) {
  const [name, setName] = useState(organization.name)
  const [plan, setPlan] = useState('')
  const [volume, setVolume] = useState('')
  const [validTo, setValidTo] = useState('')
  const act = useAct(() => undefined)
  const isVolume = /^\d{1,9}(\.\d{1,6})?$/.test(volume)
  return (
    <Dialog title={T.add} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            const volumeBytesPerDay = Math.round(Number(volume) * GB)
            const body = {
              ...{ organizationId: organization.id, name },
              ...{ plan: { name: plan, volumeBytesPerDay }, validTo: `${validTo}T23:59:59Z` },
            }
            const made = await ask<LicenseWithKey>('/licenses', { body })
            toast(T.made)
            onDone(made.licenseKey)
            onClose()
          })
        }}
      >
        <Field label={T.name} name="name" required value={name} onInput={setName} />
        <Field label={T.planName} name="plan" required autofocus value={plan} onInput={setPlan} />
        <Field
          label={T.volume}
          help={T.volumeHelp}
          error={volume === '' || isVolume ? undefined : T.volumeFault}
          name="volume"
          required
          value={volume}
          onInput={setVolume}
        />
        <Field
          label={T.validTo}
          help={T.validHelp}
          name="validTo"
          required
          placeholder="2027-12-31"
          value={validTo}
          onInput={setValidTo}
        />
        <FormError error={act.error} />
        <div class="row">
          <Button look="main" type="submit" disabled={act.isBusy || !isVolume}>
            {T.add}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
