import { useState } from 'preact/hooks'
import { go } from '../../../shared/address.ts'
import { type App, addApp, addDashboard } from '../../../shared/api/apps.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { placePath } from '../place.ts'
import { T } from '../texts.ts'
import { useWork } from '../use-work.ts'

type NameDialogProps = {
  /** A dashboard in it; undefined: an app. */
  readonly app?: App
  readonly onClose: () => void
  readonly onChange: () => void
}

export function NameDialog({ app, onClose, onChange }: NameDialogProps) {
  const [name, setName] = useState('')
  const work = useWork(() => {
    onClose()
    onChange()
  })
  const make = async () => {
    if (app === undefined) await addApp(name)
    else {
      await addDashboard(app.id, { name, definition: {} })
      location.assign(`${placePath(app.name, name.trim())}?edit=1`)
      return
    }
    go(placePath(name.trim()))
  }
  return (
    <Dialog title={app === undefined ? T.newApp : T.newDashboard} onClose={onClose}>
      <form
        class="board-form"
        onSubmit={(event) => {
          event.preventDefault()
          work.run(make)
        }}
      >
        <Field
          {...{ label: T.name, name: 'name', value: name, onInput: setName, error: work.error }}
          required
          autofocus
        />
        <div class="row">
          <Button type="submit" look="main" disabled={work.isBusy}>
            {T.make}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
