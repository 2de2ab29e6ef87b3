import type { ComponentChildren } from 'preact'
import { Button } from '../../shared/parts/button.tsx'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { copyText } from '../../shared/parts/toast.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { useAct } from '../../shared/use-act.ts'
import { WORKSPACE } from '../texts.ts'
import { FormError } from './form-error.tsx'

/** What is shown once: it stays until it is put away. */
export function SecretDialog({
  title,
  secret,
  children,
  onClose,
}: {
  readonly title: string
  readonly secret: string
  readonly children?: ComponentChildren
  readonly onClose: () => void
}) {
  return (
    <Dialog title={title}>
      <p>{WORKSPACE.once}</p>
      <code class="secret">{secret}</code>
      {children}
      <div class="row">
        <Button look="main" onClick={() => void copyText(secret, TEXTS.act.copied)}>
          {WORKSPACE.act.copy}
        </Button>
        <Button onClick={onClose}>{WORKSPACE.act.kept}</Button>
      </div>
    </Dialog>
  )
}

/** Before what cannot be undone. */
export function SureDialog({
  title,
  act: name,
  look = 'danger',
  children,
  work,
  onClose,
}: {
  readonly title: string
  /** On the button. */
  readonly act: string
  /** `main`: it takes nothing away. */
  readonly look?: 'main' | 'danger'
  /** What will happen. */
  readonly children: ComponentChildren
  readonly work: () => Promise<void>
  readonly onClose: () => void
}) {
  const act = useAct(() => undefined)
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      <FormError error={act.error} />
      <div class="row">
        <Button
          look={look}
          disabled={act.isBusy}
          onClick={() =>
            act.run(async () => {
              await work()
              onClose()
            })
          }
        >
          {name}
        </Button>
        <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
      </div>
    </Dialog>
  )
}
