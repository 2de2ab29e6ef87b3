import { useState } from 'preact/hooks'
import { Button } from '../../shared/parts/button.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { toast } from '../../shared/parts/toast.tsx'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { FormError } from '../parts/form-error.tsx'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.account

export function OwnPassword() {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const act = useAct(() => undefined)
  return (
    <section class="card">
      <h2>{T.password}</h2>
      <p class="soft">{T.passwordHelp}</p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            await ask('/session/password', { method: 'PUT', body: { current, password } })
            setCurrent('')
            setPassword('')
            toast(T.passwordChanged)
          })
        }}
      >
        <Field
          label={T.current}
          name="current"
          type="password"
          autocomplete="current-password"
          required
          value={current}
          onInput={setCurrent}
        />
        <Field
          label={WORKSPACE.password.new}
          help={WORKSPACE.password.help}
          name="password"
          type="password"
          autocomplete="new-password"
          required
          value={password}
          onInput={setPassword}
        />
        <FormError error={act.error} />
        <div class="row">
          <Button type="submit" disabled={act.isBusy}>
            {T.change}
          </Button>
        </div>
      </form>
    </section>
  )
}
