import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import './dialog.css'

export type DialogProps = {
  readonly title: string
  readonly children: ComponentChildren
  /** Escape or a click beside it; absent: it stays until what it asks is answered. */
  readonly onClose?: () => void
}

/** The browser's own modal dialog: it keeps the focus, and gives it back. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // A field with autofocus may have the focus before the dialog is shown.
  const [before] = useState(() => document.activeElement)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => {
      shown?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onKeyDown={(event) => event.stopPropagation()}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose?.()
      }}
    >
      <div class="dialog-inside">
        <h2 id={id} class="dialog-title">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}
