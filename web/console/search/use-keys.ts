// The keys of the page, where nobody types.
import { useEffect } from 'preact/hooks'

export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const [inner] = event.composedPath()
      if (inner instanceof HTMLElement && isTyped(inner)) return
      const act = keys[event.key]
      if (act === undefined || document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [keys])
}

function isTyped(element: HTMLElement): boolean {
  return element.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(element.tagName)
}
