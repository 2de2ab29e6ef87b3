import type { ComponentChildren } from 'preact'
import { type Rank, sortBy } from '../../shared/sort/sort.ts'
import { SortHead } from '../../shared/sort/sort-head.tsx'
import type { Order } from '../../shared/sort/use-sort.ts'
import { WORKSPACE } from '../texts.ts'
import './table.css'

export type Column<Row> = {
  /** '' of the acts of a row. */
  readonly name: string
  readonly isNumber?: boolean
  /** Its head orders the rows: what the address calls it, and what a cell counts as. */
  readonly by?: readonly [key: string, rankOf: (row: Row) => Rank]
}

type TableProps<Row> = {
  /** Read aloud. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Absent: the rows stand as they come, and no head orders them. */
  readonly order?: Order | undefined
  readonly children: (row: Row, at: number) => ComponentChildren
  /** Below all rows, whatever their order. */
  readonly sum?: ComponentChildren
}

/** Scrolls sideways within itself where there is little room; in a hand its rows are blocks. */
export function Table<Row>({ label, columns, rows, order, children, sum }: TableProps<Row>) {
  const ranks = Object.fromEntries(columns.flatMap(({ by }) => (by === undefined ? [] : [by])))
  return (
    <section class="table-box" aria-label={label} tabIndex={0}>
      <table class="table" style={headsOf(columns)}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.name} {...{ column, rows, order }} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sortBy(rows, ranks, order?.sort).map(children)}
          {sum}
        </tbody>
      </table>
    </section>
  )
}

type HeadProps<Row> = {
  readonly column: Column<Row>
  readonly rows: readonly Row[]
  readonly order: Order | undefined
}

function Head<Row>({ column: { name, isNumber, by }, rows, order }: HeadProps<Row>) {
  if (name === '') return <td />
  const look = isNumber ? 'number' : undefined
  if (by === undefined || order === undefined) return <th class={look}>{name}</th>
  const [key, rankOf] = by
  // The most and the newest first, texts from their beginning.
  const isDownFirst = rows.map(rankOf).some((rank) => rank !== null && typeof rank !== 'string')
  return <SortHead class={look} column={key} text={name} {...{ isDownFirst, ...order }} />
}

/** As style has them: blocks name their cells by them. */
function headsOf(columns: readonly Column<never>[]): Record<string, string> {
  const heads = columns.map(({ name }, at) => [`--head-${at + 1}`, JSON.stringify(name)])
  return { ...Object.fromEntries(heads), '--heads': JSON.stringify(WORKSPACE.list.orderBy) }
}
