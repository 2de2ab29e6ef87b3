import { useState } from 'preact/hooks'
import { Button } from '../../shared/parts/button.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { FormError } from '../parts/form-error.tsx'
import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import '../../shared/styles/sign-in.css'

const T = WORKSPACE.password
const LEAST = 10

/** Where invitations and resets lead: the link is behind the #, which no server sees. */
export function PasswordPage() {
  const [password, setPassword] = useState('')
  const [isChosen, setChosen] = useState(false)
  const act = useAct(() => undefined)
  const token = location.hash.slice(1)
  return (
    <main class="sign-in">
      <section class="sign-in-card">
        <h1 class="sign-in-name">{T.title}</h1>
        {isChosen ? (
          <p role="status">{T.chosen}</p>
        ) : token === '' ? (
          <p>{T.noLink}</p>
        ) : (
          <form
            class="sign-in-form"
            onSubmit={(event) => {
              event.preventDefault()
              act.run(async () => {
                await ask('/passwords', { body: { token, password }, isAnonymous: true })
                setChosen(true)
              })
            }}
          >
            <Field
              label={T.new}
              name="password"
              type="password"
              autocomplete="new-password"
              required
              autofocus
              help={T.help}
              error={password !== '' && password.length < LEAST ? T.short : undefined}
              value={password}
              onInput={setPassword}
            />
            <FormError error={act.error} />
            <Button look="main" type="submit" disabled={act.isBusy || password.length < LEAST}>
              {T.choose}
            </Button>
          </form>
        )}
        <a href={PATHS.overview}>{T.toSignIn}</a>
      </section>
    </main>
  )
}
