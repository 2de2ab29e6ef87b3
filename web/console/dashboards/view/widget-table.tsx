import { numberOf } from '../../../../schemas/charts/read-series.ts'
import type { WidgetRows } from '../../../../schemas/dashboards/result.ts'
import { shownRows } from '../../../../schemas/dashboards/shown-rows.ts'
import type { Widget } from '../../../../schemas/dashboards/widget.ts'
import { printMade } from '../../../shared/format.ts'
import { T } from '../texts.ts'

type WidgetTableProps = { readonly widget: Widget; readonly rows: WidgetRows }

/** Rows as they were printed, long numbers with separators; numbers to the right. */
export function WidgetTable({ widget, rows: all }: WidgetTableProps) {
  const { columns, rows, hasMore } = shownRows(widget.type, all)
  const shown = rows.slice(0, widget.options.maxRows)
  return (
    <div class="board-scroll" tabIndex={0} role="region" aria-label={widget.title}>
      <table class={`board-table board-table-${widget.type}`}>
        <thead>
          <tr>
            {columns.map(({ name, type }) => (
              <th key={name} class={type === 'number' ? 'number' : undefined} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, at) => (
            <tr key={at}>
              {columns.map(({ name, type }, place) => (
                <td key={name} class={cellClass(type, row[place])}>
                  {printCell(name, type, row[place])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {(hasMore || shown.length < rows.length) && <p class="board-told">{T.view.moreRows}</p>}
    </div>
  )
}

function printCell(name: string, type: string, cell: string | null | undefined): string {
  if (cell === null || cell === undefined) return '–'
  return type === 'number' ? printMade(name, cell) : cell
}

function cellClass(type: string, cell: string | null | undefined): string | undefined {
  if (type === 'number' && numberOf(cell) !== null) return 'number'
  return type === 'time' ? 'time' : undefined
}
