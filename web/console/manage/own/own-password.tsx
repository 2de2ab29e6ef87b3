import { useState } from 'preact/hooks'
import { runCommand } from '../../../shared/api/sdk.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { MANAGE } from '../texts.ts'

const T = MANAGE.own

export function OwnPassword() {
  const [old, setOld] = useState('')
  const [next, setNext] = useState('')
  const act = useAct(() => undefined)
  return (
    <section class="own">
      <h2>{T.password}</h2>
      <form
        class="object-form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            await runCommand('ownPassword', { old, new: next })
            setOld('')
            setNext('')
            toast(T.changed)
          })
        }}
      >
        <Field
          label={T.old}
          name="old"
          type="password"
          autocomplete="current-password"
          required
          value={old}
          onInput={setOld}
        />
        <Field
          label={T.new}
          name="new"
          type="password"
          autocomplete="new-password"
          help={T.newHelp}
          error={act.error}
          required
          value={next}
          onInput={setNext}
        />
        <div class="row">
          <Button type="submit" disabled={act.isBusy}>
            {T.change}
          </Button>
        </div>
      </form>
    </section>
  )
}
