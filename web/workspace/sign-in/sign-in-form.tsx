import { useState } from 'preact/hooks'
import { CallError } from '../../shared/api/call.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { asSentence } from '../../shared/tell-failure.ts'
import { TEXTS } from '../../shared/texts.ts'
import { signIn } from '../api/sign-in.ts'
import { WORKSPACE } from '../texts.ts'

const T = TEXTS.signIn

/** A wrong address, password or code have one answer, so the code is asked for by whoever has one:
 *  the field stands there after the first failure, or on demand. */
export function SignInForm({ email: known = '' }: { readonly email?: string }) {
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string>()
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await signIn({ email, password, ...(code ? { code } : {}) })
    } catch (thrown) {
      setError(describe(thrown))
      if (thrown instanceof CallError && thrown.status === 401) setCode(code ?? '')
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      class="sign-in-form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Field
        label={WORKSPACE.signIn.email}
        name="email"
        autocomplete="username"
        required
        autofocus={known === ''}
        value={email}
        onInput={setEmail}
      />
      <Field
        label={T.password}
        name="password"
        type="password"
        autocomplete="current-password"
        required
        autofocus={known !== ''}
        value={password}
        onInput={setPassword}
      />
      {code === undefined ? (
        <Button look="plain" onClick={() => setCode('')}>
          {WORKSPACE.signIn.hasCode}
        </Button>
      ) : (
        <Field
          label={T.code}
          help={WORKSPACE.signIn.codeHelp}
          name="code"
          autocomplete="one-time-code"
          value={code}
          onInput={setCode}
        />
      )}
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
      <Button look="main" type="submit" disabled={isBusy}>
        {T.submit}
      </Button>
    </form>
  )
}

function describe(thrown: unknown): string {
  if (!(thrown instanceof CallError) || thrown.status === 0) return T.away
  return thrown.status === 401 ? WORKSPACE.signIn.failed : asSentence(thrown.message)
}
