import type { ComponentChildren } from 'preact'
import { Button } from '../../../../shared/parts/button.tsx'
import { Dialog } from '../../../../shared/parts/dialog.tsx'
import { TEXTS } from '../../../../shared/texts.ts'
import { useAct } from '../../../../shared/use-act.ts'
import '../storage.css'

type AskDialogProps = {
  readonly title: string
  readonly submit: string
  readonly isReady?: boolean
  readonly onSubmit: () => Promise<void>
  readonly onDone: () => void
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A form that does one thing: it stays, and says why, when that fails. */
export function AskDialog(props: AskDialogProps) {
  const { title, submit, isReady = true, onSubmit, onDone, onClose, children } = props
  const act = useAct(() => undefined)
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="storage-form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            await onSubmit()
            onDone()
            onClose()
          })
        }}
      >
        {children}
        {act.error !== undefined && (
          <p class="field-error" role="alert">
            {act.error}
          </p>
        )}
        <div class="row">
          <Button look="main" type="submit" disabled={act.isBusy || !isReady}>
            {submit}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
