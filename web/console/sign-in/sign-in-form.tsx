import { useState } from 'preact/hooks'
import { CallError } from '../../shared/api/call.ts'
import { signIn } from '../../shared/api/sign-in.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { asSentence } from '../../shared/tell-failure.ts'
import { TEXTS } from '../../shared/texts.ts'

const T = TEXTS.signIn

/** The server asks for the code only of those who gave the right password. */
export function SignInForm({ user: known = '' }: { readonly user?: string }) {
  const [user, setUser] = useState(known)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string>()
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  const submit = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await signIn({ user, password, ...(code === undefined ? {} : { code }) })
    } catch (thrown) {
      const failure = thrown instanceof CallError ? thrown : undefined
      if (code === undefined && isCodeAsked(failure)) setCode('')
      else setError(describe(failure, code))
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
        label={T.user}
        name="user"
        autocomplete="username"
        required
        autofocus={known === ''}
        value={user}
        onInput={setUser}
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
      {code !== undefined && (
        <Field
          label={T.code}
          help={T.codeHelp}
          name="code"
          autocomplete="one-time-code"
          required
          autofocus
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

function isCodeAsked(failure: CallError | undefined): boolean {
  return failure?.status === 401 && /code/i.test(failure.message)
}

function describe(failure: CallError | undefined, code: string | undefined): string {
  if (failure?.status === 401) return code === undefined ? T.failed : T.codeFailed
  if (failure === undefined || failure.status === 0) return T.away
  const said = asSentence(failure.message)
  return failure.isRetriable ? `${said} ${T.later}` : said
}
