import { useState } from 'preact/hooks'
import { runCommand } from '../../../shared/api/sdk.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { Select } from '../../../shared/parts/select.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { useAct } from '../../../shared/use-act.ts'
import { completeName } from '../objects/completed/complete-list.ts'
import { useNames } from '../objects/completed/existing-names.ts'
import { namesOf } from '../parts/words.ts'
import { STORAGE_TEXTS } from './texts.ts'
import './storage.css'

const T = STORAGE_TEXTS.holds
const KINDS = namesOf(T.kinds)
const TYPES = { log: ['log'], folder: ['folder'], policy: ['collectionPolicy'] } as const

type HoldDialogProps = { readonly onDone: () => void; readonly onClose: () => void }

export function HoldDialog({ onDone, onClose }: HoldDialogProps) {
  const [kind, setKind] = useState<keyof typeof T.kinds>('log')
  const [target, setTarget] = useState('')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [reason, setReason] = useState('')
  const names = useNames(TYPES[kind])
  const act = useAct(() => undefined)
  return (
    <Dialog title={T.add} onClose={onClose}>
      <form
        class="storage-form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            const times = { ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) }
            await runCommand('addHold', { [kind]: target, reason, ...times })
            toast(T.made(target))
            onDone()
            onClose()
          })
        }}
      >
        <Select
          label={T.kind}
          name="kind"
          value={kind}
          options={KINDS.map((one) => [one, T.kinds[one]])}
          onChoose={(chosen) => setKind(KINDS.find((one) => one === chosen) ?? 'log')}
        />
        <Field
          label={T.targetName[kind]}
          help={T.targetHelp[kind]}
          name="target"
          required
          examples={completeName(target, names)}
          value={target}
          onInput={setTarget}
        />
        <div class="storage-two">
          <Field label={T.from} help={T.fromHelp} name="from" value={from} onInput={setFrom} />
          <Field label={T.to} help={T.toHelp} name="to" value={to} onInput={setTo} />
        </div>
        <Field
          label={T.reason}
          help={T.reasonHelp}
          name="reason"
          required
          value={reason}
          onInput={setReason}
        />
        {act.error !== undefined && (
          <p class="field-error" role="alert">
            {act.error}
          </p>
        )}
        <div class="row">
          <Button look="main" type="submit" disabled={act.isBusy}>
            {T.hold}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
