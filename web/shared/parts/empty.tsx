import type { ComponentChildren } from 'preact'
import './empty.css'

export type EmptyProps = {
  readonly title: string
  readonly children?: ComponentChildren
}

/** In place of what is not there: says why, and what to do. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="empty">
      <h2 class="empty-title">{title}</h2>
      {children}
    </div>
  )
}
