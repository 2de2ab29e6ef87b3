import type { ComponentChildren } from 'preact'
import './table-box.css'

type TableBoxProps = {
  /** Read aloud. */
  readonly label: string
  /** `cards`: on a phone each row is one, with its acts below it. */
  readonly look?: 'cards'
  readonly children: ComponentChildren
}

/** A table that scrolls sideways within itself where there is little room. */
export function TableBox({ label, look, children }: TableBoxProps) {
  const looks = look === 'cards' ? 'table-box table-cards' : 'table-box'
  return (
    <section class={looks} aria-label={label} tabIndex={0}>
      <table class="objects-table">{children}</table>
    </section>
  )
}
