import type { ComponentChildren } from 'preact'
import './banner.css'

export type BannerProps = {
  readonly kind: 'warning' | 'error' | 'info'
  readonly children: ComponentChildren
  /** The way out, as buttons. */
  readonly acts?: ComponentChildren
}

/** One line across, that says what is the matter and what to do. */
export function Banner({ kind, children, acts }: BannerProps) {
  return (
    <div class={`banner banner-${kind}`} role={kind === 'info' ? 'status' : 'alert'}>
      <div class="grow">{children}</div>
      {acts}
    </div>
  )
}
