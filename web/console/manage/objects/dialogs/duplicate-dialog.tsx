import { useState } from 'preact/hooks'
import { runCommand } from '../../../../shared/api/sdk.ts'
import { Button } from '../../../../shared/parts/button.tsx'
import { Dialog } from '../../../../shared/parts/dialog.tsx'
import { Field } from '../../../../shared/parts/field.tsx'
import { TEXTS } from '../../../../shared/texts.ts'
import { useAct } from '../../../../shared/use-act.ts'
import { MANAGE } from '../../texts.ts'

const T = MANAGE.form

type DuplicateDialogProps = {
  readonly type: string
  readonly name: string
  readonly onDone: (
    newName: string,
    shownOnce: Readonly<Record<string, string>> | undefined,
  ) => void
  readonly onClose: () => void
}

export function DuplicateDialog({ type, name, onDone, onClose }: DuplicateDialogProps) {
  const [newName, setNewName] = useState(`${name} 2`)
  const act = useAct(() => undefined)
  return (
    <Dialog title={`${T.duplicate} ${name}`} onClose={onClose}>
      <form
        class="object-form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            const { shownOnce } = await runCommand('duplicate', { type, name, newName })
            onDone(newName, shownOnce)
          })
        }}
      >
        <Field
          label={T.newName}
          name="newName"
          required
          autofocus
          value={newName}
          error={act.error}
          onInput={setNewName}
        />
        <div class="row">
          <Button look="main" type="submit" disabled={act.isBusy}>
            {T.duplicate}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
