import type { ComponentChildren } from 'preact'
import './table-box.css'

type TableBoxProps = {
  /** Read aloud. */
  readonly label: string
  readonly children: ComponentChildren
}

/** A table that scrolls sideways within itself where there is little room. */
export function TableBox({ label, children }: TableBoxProps) {
  return (
    <section class="table-box" aria-label={label} tabIndex={0}>
      <table class="objects-table">{children}</table>
    </section>
  )
}
