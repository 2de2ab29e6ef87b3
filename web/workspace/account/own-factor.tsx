import { useState } from 'preact/hooks'
import { Button } from '../../shared/parts/button.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { toast } from '../../shared/parts/toast.tsx'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import type { BegunFactor } from '../api/types.ts'
import { SecretDialog } from '../parts/dialogs.tsx'
import { FormError } from '../parts/form-error.tsx'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.account
const PATH = '/session/second-factor'

/** Begun with the password, confirmed by a code, and then the recovery codes once. */
export function OwnFactor() {
  const [password, setPassword] = useState('')
  const [begun, setBegun] = useState<BegunFactor>()
  const [code, setCode] = useState('')
  const [codes, setCodes] = useState<readonly string[]>()
  const act = useAct(() => undefined)
  const begin = async () => {
    setBegun(await ask<BegunFactor>(PATH, { body: { password } }))
    setPassword('')
  }
  const confirm = async () => {
    const told = await ask<{ recoveryCodes: readonly string[] }>(PATH, {
      ...{ method: 'PUT', body: { code } },
    })
    setBegun(undefined)
    setCode('')
    setCodes(told.recoveryCodes)
  }
  const remove = async () => {
    await ask(`${PATH}/removal`, { body: { password } })
    setPassword('')
    toast(T.factorRemoved)
  }
  return (
    <section class="card">
      <h2>{T.factor}</h2>
      <p class="soft">{T.factorHelp}</p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(begun === undefined ? begin : confirm)
        }}
      >
        {begun === undefined ? (
          <Field
            label={T.current}
            name="factor-password"
            type="password"
            autocomplete="current-password"
            required
            value={password}
            onInput={setPassword}
          />
        ) : (
          <>
            <p>{T.scan}</p>
            <code class="secret">{begun.secret}</code>
            <a href={begun.uri}>{T.openApp}</a>
            <Field
              label={T.code}
              name="code"
              autocomplete="one-time-code"
              required
              autofocus
              value={code}
              onInput={setCode}
            />
          </>
        )}
        <FormError error={act.error} />
        <div class="row">
          <Button type="submit" disabled={act.isBusy}>
            {begun === undefined ? T.begin : T.confirm}
          </Button>
          {begun === undefined ? (
            <Button disabled={act.isBusy || password === ''} onClick={() => act.run(remove)}>
              {T.removeFactor}
            </Button>
          ) : (
            <Button onClick={() => setBegun(undefined)}>{T.later}</Button>
          )}
        </div>
      </form>
      {codes !== undefined && (
        <SecretDialog
          title={T.recovery}
          secret={codes.join('\n')}
          onClose={() => setCodes(undefined)}
        >
          <p class="soft">{T.recoveryHelp}</p>
        </SecretDialog>
      )}
    </section>
  )
}
