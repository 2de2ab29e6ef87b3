import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Pixels that an element has across, as long as it is shown. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const shown = element.current
    if (shown === null) return
    const observer = new ResizeObserver(() => setWidth(shown.clientWidth))
    observer.observe(shown)
    setWidth(shown.clientWidth)
    return () => observer.disconnect()
  }, [element])
  return width
}
