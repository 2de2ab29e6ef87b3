import { signal } from '@preact/signals'
import './toast.css'

const SHOWN_MS = 2500
const text = signal<string | undefined>(undefined)
let timer: ReturnType<typeof setTimeout> | undefined

/** Says for a moment what has been done. */
export function toast(said: string, shownMs = SHOWN_MS): void {
  clearTimeout(timer)
  text.value = said
  timer = setTimeout(() => {
    text.value = undefined
  }, shownMs)
}

/** Once on a page. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {text.value !== undefined && <div class="toast">{text.value}</div>}
    </div>
  )
}

export async function copyText(given: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(given)
    toast(said)
  } catch {
    toast(given)
  }
}
