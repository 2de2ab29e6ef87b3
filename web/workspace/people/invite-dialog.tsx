import { useState } from 'preact/hooks'
import type { PersonRole } from '../../../schemas/portal/roles.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { Select } from '../../shared/parts/select.tsx'
import { toast } from '../../shared/parts/toast.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { FormError } from '../parts/form-error.tsx'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.people

/** Without a password the person gets a mail; where no mail is sent, one is given here. */
export function InviteDialog({
  roles,
  as,
  onDone,
  onClose,
}: {
  readonly roles: readonly PersonRole[]
  /** Id of the organization, if it is another than the acting one. */
  readonly as?: string
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<string>(roles[0] ?? '')
  const [password, setPassword] = useState('')
  const act = useAct(() => undefined)
  return (
    <Dialog title={T.invite} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            const body = { email, name, role, ...(password === '' ? {} : { password }) }
            await ask('/people', { body, as })
            toast(password === '' ? T.invited(email) : T.added(name))
            onDone()
            onClose()
          })
        }}
      >
        <Field
          label={WORKSPACE.signIn.email}
          name="email"
          required
          autofocus
          autocomplete="off"
          value={email}
          onInput={setEmail}
        />
        <Field label={T.name} name="name" required value={name} onInput={setName} />
        <Select
          label={T.role}
          name="role"
          value={role}
          options={roles.map((one) => [one, WORKSPACE.roles[one]])}
          onChoose={setRole}
        />
        <Field
          label={T.password}
          help={T.passwordHelp}
          name="new-password"
          type="password"
          autocomplete="new-password"
          value={password}
          onInput={setPassword}
        />
        <FormError error={act.error} />
        <div class="row">
          <Button look="main" type="submit" disabled={act.isBusy}>
            {T.invite}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
