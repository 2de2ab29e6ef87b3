import { useEffect, useState } from 'preact/hooks'
import { lazy } from '../../../shared/lazy.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { GO_TO_TEXTS as T } from './texts.ts'
import './go-to.css'

const load = async () => (await import('./go-to-dialog.tsx')).GoToDialog
const GoToDialog = lazy(load)

/** Opens by Ctrl K and Cmd K, also where somebody types; not over another dialog. */
export function GoToButton() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // So that its code is there when K follows. The dialog tells of it where this fails.
      if (event.key === 'Control' || event.key === 'Meta') load().catch(() => undefined)
      const isKey = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      if (!isKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      if (document.querySelector('dialog[open]') === null) setOpen(true)
    }
    // Before the query line, whose keys end there.
    addEventListener('keydown', onKeyDown, { capture: true })
    return () => removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
  return (
    <>
      <Button
        class="go-to-button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        onClick={() => setOpen(true)}
      >
        <span aria-hidden="true">⌕</span>
        <span class="go-to-words">{T.button}</span>
        <kbd class="go-to-key">{T.key}</kbd>
      </Button>
      {isOpen && <GoToDialog onClose={() => setOpen(false)} />}
    </>
  )
}
