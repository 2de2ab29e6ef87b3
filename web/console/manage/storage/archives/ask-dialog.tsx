import type { ComponentChildren } from 'preact'
import { Button } from '../../../../shared/parts/button.tsx'
import { Dialog } from '../../../../shared/parts/dialog.tsx'
import { TEXTS } from '../../../../shared/texts.ts'
import { useAct } from '../../../../shared/use-act.ts'
import '../storage.css'

type AskDialogProps = {
  readonly title: string
  readonly submit: string
  /** `danger`: it takes something away. */
  readonly look?: 'main' | 'danger'
  readonly isReady?: boolean
  readonly onSubmit: () => Promise<void>
  readonly onDone: () => void
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A form that does one thing: it stays, and says why, when that fails. */
export function AskDialog(props: AskDialogProps) {
  const { title, submit, look = 'main', isReady = true, children } = props
  const { onSubmit, onDone, onClose } = props
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
          <Button look={look} type="submit" disabled={act.isBusy || !isReady}>
            {submit}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
