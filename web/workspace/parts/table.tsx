import type { ComponentChildren } from 'preact'
import './table.css'

export type Column = { readonly name: string; readonly isNumber?: boolean }

/** Scrolls sideways within itself where there is little room. */
export function Table({
  label,
  columns,
  children,
}: {
  /** Read aloud. */
  readonly label: string
  /** '' of the acts of a row. */
  readonly columns: readonly Column[]
  /** Rows. */
  readonly children: ComponentChildren
}) {
  return (
    <section class="table-box" aria-label={label} tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) =>
              name === '' ? (
                <td key={name} />
              ) : (
                <th key={name} class={isNumber ? 'number' : undefined}>
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
