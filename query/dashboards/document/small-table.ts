// The rows of a table that fit into the box of its widget, a line each; the others stand after the
// widgets, and all of them where a column has no room or a cell is cut.
import { type Box, type Paper, STYLES, type Struct, type Style } from '../../../infra/pdf/paper.ts'
import type { WidgetRows } from '../../../schemas/dashboards/result.ts'
import { COLOURS, fitText, type WidgetPlaceOnPaper } from './paper-parts.ts'

const CELL = { font: 'regular', size: 7.5, color: COLOURS.text } as const
const HEAD = { font: 'bold', size: 7.5, color: COLOURS.quiet } as const
const GAP = 8
/** Rows that are measured for the width of their columns. */
const MEASURED = 50
const NARROWEST = 30
/** Of a column of numbers or times that gives no way. */
const WIDEST = 110
const ROUNDS = 24

/** How many rows stand here. */
export function drawSmallTable(
  paper: Paper,
  { continuation }: WidgetPlaceOnPaper,
  rows: WidgetRows,
  box: Box,
  parent: Struct,
): number {
  const height = paper.lineHeight(CELL) + 2
  // Room for neither names nor a row.
  if (box.height < 2 * height) {
    tellRest(`all ${rows.rows.length} rows below`, box.y + (box.height - height) / 2)
    return 0
  }
  const widths = columnWidths(paper, rows, box.width, { cell: CELL, head: HEAD, gap: GAP })
  const shown = rows.columns.slice(0, widths.length)
  const room = Math.max(0, Math.floor(box.height / height) - 1)
  const left = rows.columns.length - widths.length
  const isShort = (text: string | null | undefined, at: number, style: Style) =>
    paper.wrap(text ?? '', style, widths[at] ?? 0).length === 1
  const isCut = rows.rows
    .slice(0, room)
    .some((row) => widths.some((_, at) => !isShort(row[at], at, CELL)))
  const isWhole = rows.rows.length <= room && left === 0 && !isCut
  const count = isWhole ? rows.rows.length : Math.min(rows.rows.length, Math.max(0, room - 1))
  const table = paper.open('Table', parent)
  let y = box.y
  drawRow(
    shown.map(({ name }) => name),
    HEAD,
    'TH',
  )
  paper.rule(y - 1, { from: box.x, to: box.x + box.width, color: COLOURS.line })
  for (const row of rows.rows.slice(0, count)) drawRow(row, CELL, 'TD')
  table.end()
  if (isWhole) return count
  const rest = rows.rows.length - count
  const isAgain = left > 0 || isCut
  const columns = left > 0 ? ` and ${rows.columns.length} columns` : ''
  const told = isAgain ? `all ${rows.rows.length} rows${columns} below` : `${rest} more rows below`
  tellRest(told, y)
  return isAgain ? 0 : count

  function tellRest(told: string, y: number): void {
    const struct = paper.open('P', parent)
    const style = { ...STYLES.small, color: COLOURS.series[0] ?? COLOURS.text }
    const [text = ''] = fitText(paper, told, style, box.width, 1)
    paper.draw({ text, style }, { x: box.x, y }, struct)
    struct.end()
    const width = paper.measure(text, style)
    paper.link({ x: box.x, y, width, height: 12 }, { place: continuation })
  }

  function drawRow(
    cells: readonly (string | null)[],
    style: typeof CELL | typeof HEAD,
    tag: 'TH' | 'TD',
  ): void {
    const struct = paper.open('TR', table)
    let { x } = box
    for (const [at, width] of widths.entries()) {
      const [line = ''] = fitText(paper, cells[at] ?? '', style, width, 1)
      const isRight = shown[at]?.type === 'number'
      const cell = paper.open(tag, struct, tag === 'TH' ? { scope: 'Column' } : {})
      const shift = isRight ? width - paper.measure(line, style) : 0
      paper.draw({ text: line, style }, { x: x + shift, y }, cell)
      cell.end()
      x += width + GAP
    }
    struct.end()
    y += height
  }
}

type Look = { readonly cell: Style; readonly head: Style; readonly gap: number }

/**
 * As wide as their cells, where all fit; else texts give way: a number is not broken. Columns for
 * which no room is left are not there.
 */
export function columnWidths(
  paper: Paper,
  { columns, rows }: WidgetRows,
  whole: number,
  { cell, head, gap }: Look,
): number[] {
  const all = columns.map(({ name, type }, at) => {
    const texts = rows.slice(0, MEASURED).map((row) => (row[at] ?? '').slice(0, 200))
    const wide = Math.max(...texts.map((text) => paper.measure(paper.printable(text), cell)), 0)
    const least = type === 'text' ? NARROWEST : Math.min(Math.max(NARROWEST, wide + 1), WIDEST)
    const wanted = Math.max(least, paper.measure(paper.printable(name), head) + 1, wide + 1)
    return { least, wanted }
  })
  let used = -gap
  let count = 0
  for (const { least } of all) {
    used += least + gap
    if (count > 0 && used > whole) break
    count += 1
  }
  const kept = all.slice(0, count)
  const room = whole - gap * (count - 1)
  const widthsAt = (limit: number) =>
    kept.map(({ least, wanted }) => Math.max(least, Math.min(wanted, limit)))
  const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0)
  let [narrow, wide] = [NARROWEST, Math.max(room, NARROWEST)]
  for (let round = 0; round < ROUNDS && sum(widthsAt(wide)) > room; round++) {
    const middle = (narrow + wide) / 2
    if (sum(widthsAt(middle)) > room) wide = middle
    else narrow = middle
  }
  const fitting = sum(widthsAt(wide)) > room ? widthsAt(narrow) : widthsAt(wide)
  const share = room / Math.max(1, sum(fitting))
  // What is left is shared out; one column that is wider than all there is is cut.
  return fitting.map((width) => width * (count === 1 ? share : Math.max(1, share)))
}
