import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { place } from '../../shared/parts/menu.tsx'
import './explained.css'

/** A number that says how it comes about: on hover, on focus, and read aloud. Escape puts it
 *  away. */
export function Explained({
  children,
  why,
}: {
  readonly children: ComponentChildren
  /** Sentences, in their order. */
  readonly why: readonly string[]
}) {
  const [isShown, setShown] = useState(false)
  const number = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    const shown = box.current
    if (!isShown || shown === null) return
    shown.showPopover()
    place(shown, number.current)
  }, [isShown])
  return (
    <span class="explained-place">
      <button
        ref={number}
        type="button"
        class="explained"
        aria-describedby={`${id}-why`}
        onMouseEnter={() => setShown(true)}
        onMouseLeave={() => setShown(false)}
        onFocus={() => setShown(true)}
        onBlur={() => setShown(false)}
        onClick={() => setShown(true)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setShown(false)
        }}
      >
        {children}
      </button>
      <span id={`${id}-why`} class="aside">
        {why.join(' ')}
      </span>
      {isShown && (
        <div ref={box} class="explained-why" popover="manual" aria-hidden="true">
          {why.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      )}
    </span>
  )
}
