import type { ComponentChildren } from 'preact'
import './pill.css'

export type Tone = 'good' | 'warning' | 'error' | 'info' | 'faint'

/** A state in a word; its colour only repeats it. */
export function Pill({
  tone,
  children,
}: {
  readonly tone: Tone
  readonly children: ComponentChildren
}) {
  return <span class={`state state-${tone}`}>{children}</span>
}
