import { useState } from 'preact/hooks'
import type { Scope } from '../../../schemas/portal/scopes.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import type { ApiKey } from '../api/types.ts'
import { FormError } from '../parts/form-error.tsx'
import { namesOf, WORKSPACE } from '../texts.ts'

const T = WORKSPACE.keys
const HOUR_SECONDS = 3600

type Made = { readonly onMade: (key: string) => void; readonly onClose: () => void }

export function NewKeyDialog({ onMade, onClose }: Made) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>([])
  const [expires, setExpires] = useState('')
  const act = useAct(() => undefined)
  return (
    <Dialog title={T.make} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            const end = expires === '' ? {} : { expiresAt: `${expires}T00:00:00Z` }
            const { key } = await ask<{ key: string }>('/api-keys', {
              body: { name, scopes, ...end },
            })
            onMade(key)
          })
        }}
      >
        <Field
          label={T.name}
          help={T.nameHelp}
          name="name"
          required
          autofocus
          value={name}
          onInput={setName}
        />
        <fieldset class="checks">
          <legend>{T.scopes}</legend>
          {namesOf(T.scopeTexts).map((scope) => (
            <label key={scope} class="check">
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={({ currentTarget: { checked } }) =>
                  setScopes(checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
                }
              />
              <span>
                <code>{scope}</code> <span class="soft">{T.scopeTexts[scope]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Field
          label={T.ends}
          help={WORKSPACE.dayHelp}
          name="expires"
          placeholder="2027-12-31"
          value={expires}
          onInput={setExpires}
        />
        <FormError error={act.error} />
        <div class="row">
          <Button look="main" type="submit" disabled={act.isBusy || scopes.length === 0}>
            {T.make}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}

export function ReplaceKeyDialog({ apiKey, onMade, onClose }: Made & { readonly apiKey: ApiKey }) {
  const [hours, setHours] = useState('24')
  const act = useAct(() => undefined)
  return (
    <Dialog title={T.replaceTitle(apiKey.name)} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            const body = { graceSeconds: Math.round(Number(hours) * HOUR_SECONDS) }
            const { key } = await ask<{ key: string }>(`/api-keys/${apiKey.id}/replace`, { body })
            onMade(key)
          })
        }}
      >
        <p>{T.replaceText}</p>
        <Field
          label={T.grace}
          help={T.graceHelp}
          name="hours"
          required
          value={hours}
          onInput={setHours}
        />
        <FormError error={act.error} />
        <div class="row">
          <Button look="main" type="submit" disabled={act.isBusy}>
            {T.replace}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
