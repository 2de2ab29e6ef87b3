import { useState } from 'preact/hooks'
import type { TableAnswer } from '../../../schemas/search-json/answers.ts'
import { printCount, printMade } from '../../shared/format.ts'
import { type Sort, sortRows } from '../../shared/sort/sort.ts'
import { SortHead } from '../../shared/sort/sort-head.tsx'
import { filterBy } from './acts.ts'
import { T } from './texts.ts'
import './result-table.css'

const NUMBER = /^-?[\d,]*(?:\d|\.\d+)(?:e[+-]?\d+)?$/i

export function numberOf(cell: string | null | undefined): number | undefined {
  return cell && NUMBER.test(cell) ? Number(cell.replaceAll(',', '')) : undefined
}

/** What the stages of a query made; sorted here, as the rows at hand are. */
export function ResultTable({ table }: { readonly table: TableAnswer }) {
  const [sort, setSort] = useState<Sort>()
  const rows = sorted(table, sort)
  const isNumber = table.columns.map((_, at) =>
    table.rows.every((row) => !row[at] || numberOf(row[at]) !== undefined),
  )
  return (
    <section class="result" aria-label={T.tabs.table} tabIndex={0}>
      <table class="result-table">
        <thead>
          <tr>
            {table.columns.map((name, at) => (
              <SortHead
                key={name}
                class={isNumber[at] ? 'result-number' : undefined}
                column={name}
                isDownFirst={isNumber[at] === true}
                {...{ sort, onSort: setSort }}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${index} ${row[0]}`}>
              {row.map((cell, at) => (
                <td key={table.columns[at]} class={isNumber[at] ? 'result-number' : ''}>
                  <Cell cell={cell} column={table.columns[at] ?? ''} isNumber={isNumber[at]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {table.hasMore && <p class="soft">{T.moreRows(printCount(table.numberOfResults))}</p>}
    </section>
  )
}

type CellProps = {
  readonly cell: string | null
  readonly column: string
  readonly isNumber: boolean | undefined
}

function Cell({ cell, column, isNumber }: CellProps) {
  if (cell === null) return <span class="soft">–</span>
  if (isNumber) return <>{printMade(column, cell)}</>
  if (column === 'time') return <>{cell}</>
  return (
    <button
      type="button"
      class="result-value"
      onClick={(event) => filterBy(column, cell, { isNot: event.altKey })}
    >
      {cell}
    </button>
  )
}

function sorted(
  { columns, rows }: Pick<TableAnswer, 'columns' | 'rows'>,
  sort: Sort | undefined,
): readonly TableAnswer['rows'][number][] {
  const at = sort === undefined ? -1 : columns.indexOf(sort.column)
  if (sort === undefined || at < 0) return rows
  return sortRows(rows, (row) => numberOf(row[at]) ?? (row[at] || null), sort.isDown)
}
