import type { ComponentChildren } from 'preact'
import './table.css'

export type Column = { readonly name: string; readonly isNumber?: boolean }

/** Scrolls sideways within itself where there is little room; in a hand its rows are blocks. */
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
      <table class="table" style={headsOf(columns)}>
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

/** As style has them: blocks name their cells by them. */
function headsOf(columns: readonly Column[]): Record<string, string> {
  const heads = columns.map(({ name }, at) => [`--head-${at + 1}`, JSON.stringify(name)])
  return Object.fromEntries(heads)
}
