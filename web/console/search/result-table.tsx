import { useState } from 'preact/hooks'
import type { TableAnswer } from '../../../schemas/search-json/answers.ts'
import { printCount, printMade } from '../../shared/format.ts'
import { filterBy } from './acts.ts'
import { T } from './texts.ts'
import './result-table.css'

type Sort = { readonly column: number; readonly isDown: boolean }

const NUMBER = /^-?[\d,]*\.?\d+(?:e[+-]?\d+)?$/i

export function numberOf(cell: string | null | undefined): number | undefined {
  return cell && NUMBER.test(cell) ? Number(cell.replaceAll(',', '')) : undefined
}

/** What the stages of a query made; sorted here, as the rows at hand are. */
export function ResultTable({ table }: { readonly table: TableAnswer }) {
  const [sort, setSort] = useState<Sort>()
  const rows = sort === undefined ? table.rows : sorted(table.rows, sort)
  const isNumber = table.columns.map((_, at) =>
    table.rows.every((row) => !row[at] || numberOf(row[at]) !== undefined),
  )
  return (
    <section class="result" aria-label={T.tabs.table} tabIndex={0}>
      <table class="result-table">
        <thead>
          <tr>
            {table.columns.map((name, at) => (
              <th
                key={name}
                class={isNumber[at] ? 'result-number' : ''}
                aria-sort={
                  sort?.column === at ? (sort.isDown ? 'descending' : 'ascending') : 'none'
                }
              >
                <button
                  type="button"
                  title={T.sort(name)}
                  onClick={() => setSort(nextSort(sort, at, isNumber[at] === true))}
                >
                  {name}
                  {sort?.column === at && (sort.isDown ? ' ↓' : ' ↑')}
                </button>
              </th>
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

function nextSort(now: Sort | undefined, column: number, isDown: boolean): Sort | undefined {
  if (now?.column !== column) return { column, isDown }
  return now.isDown === isDown ? { column, isDown: !isDown } : undefined
}

function sorted(rows: TableAnswer['rows'], { column, isDown }: Sort): TableAnswer['rows'] {
  const sign = isDown ? -1 : 1
  return [...rows].sort((a, b) => {
    const [left, right] = [a[column], b[column]]
    const [one, other] = [numberOf(left), numberOf(right)]
    if (one !== undefined && other !== undefined) return sign * (one - other)
    return sign * (left ?? '').localeCompare(right ?? '', 'en')
  })
}
