import { useState } from 'preact/hooks'
import { Button } from '../../shared/parts/button.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { FormError } from '../parts/form-error.tsx'
import { WORKSPACE } from '../texts.ts'
import { SignInForm } from './sign-in-form.tsx'
import '../../shared/styles/sign-in.css'

const T = WORKSPACE.signIn

/** Stands at the address that was asked for, so that signing in leads there. */
export function SignInPage() {
  const [isForgotten, setForgotten] = useState(false)
  return (
    <main class="sign-in">
      <section class="sign-in-card">
        <h1 class="sign-in-name">{WORKSPACE.product}</h1>
        {isForgotten ? <ForgottenForm /> : <SignInForm />}
        <Button look="plain" onClick={() => setForgotten(!isForgotten)}>
          {isForgotten ? T.back : T.forgotten}
        </Button>
      </section>
    </main>
  )
}

function ForgottenForm() {
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)
  const act = useAct(() => undefined)
  if (isSent) return <p role="status">{T.sent}</p>
  return (
    <form
      class="sign-in-form"
      onSubmit={(event) => {
        event.preventDefault()
        act.run(async () => {
          await ask('/password-resets', { body: { email }, isAnonymous: true })
          setSent(true)
        })
      }}
    >
      <Field
        label={T.email}
        name="email"
        autocomplete="username"
        required
        autofocus
        help={T.forgottenHelp}
        value={email}
        onInput={setEmail}
      />
      <FormError error={act.error} />
      <Button look="main" type="submit" disabled={act.isBusy}>
        {T.send}
      </Button>
    </form>
  )
}
