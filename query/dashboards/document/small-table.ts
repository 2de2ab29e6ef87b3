// The rows of a table that fit into the box of its widget, a line each; the others stand after the
// widgets.
import { type Box, type Paper, STYLES, type Struct } from '../../../infra/pdf/paper.ts'
import type { WidgetRows } from '../../../schemas/dashboards/result.ts'
import { COLOURS, fitText, type WidgetPlaceOnPaper } from './paper-parts.ts'

const CELL = { font: 'regular', size: 7.5, color: COLOURS.text } as const
const HEAD = { font: 'bold', size: 7.5, color: COLOURS.quiet } as const
const GAP = 8
/** Rows that are measured for the width of their columns. */
const MEASURED = 50
const NARROWEST = 30

/** How many rows stand here. */
export function drawSmallTable(
  paper: Paper,
  { continuation }: WidgetPlaceOnPaper,
  rows: WidgetRows,
  box: Box,
  parent: Struct,
): number {
  const widths = columnWidths(paper, rows, box.width)
  const shown = rows.columns.slice(0, widths.length)
  const height = paper.lineHeight(CELL) + 2
  const room = Math.max(0, Math.floor(box.height / height) - 1)
  const isWhole = rows.rows.length <= room && widths.length === rows.columns.length
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
  const left = rows.columns.length - widths.length
  const text =
    rest > 0 ? `${rest} more rows below` : `all ${rows.columns.length} columns below (${left} more)`
  const struct = paper.open('P', parent)
  const style = { ...STYLES.small, color: COLOURS.series[0] ?? COLOURS.text }
  paper.draw({ text, style }, { x: box.x, y }, struct)
  struct.end()
  const width = paper.measure(text, style)
  paper.link({ x: box.x, y, width, height: 12 }, { place: continuation })
  // A table that is cut in its width stands below as a whole.
  return left > 0 ? 0 : count

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

/** As wide as their cells, where all fit; else the wide ones give way; columns for which no room is
 *  left are not there. */
export function columnWidths(paper: Paper, { columns, rows }: WidgetRows, whole: number): number[] {
  const wanted = columns.map(({ name }, at) => {
    const texts = rows.slice(0, MEASURED).map((row) => (row[at] ?? '').slice(0, 200))
    const cells = texts.map((text) => paper.measure(paper.printable(text), CELL))
    return Math.max(NARROWEST, paper.measure(paper.printable(name), HEAD), ...cells) + 1
  })
  const most = Math.max(1, Math.floor((whole + GAP) / (NARROWEST + GAP)))
  const kept = wanted.slice(0, most)
  const room = whole - GAP * (kept.length - 1)
  let limit = room
  for (let round = 0; round < 20 && sum(kept, limit) > room; round++) {
    const over = kept.filter((width) => width >= limit).length
    const free = room - kept.filter((width) => width < limit).reduce((all, width) => all + width, 0)
    const next = Math.max(NARROWEST, over === 0 ? limit * 0.8 : free / over)
    limit = next < limit ? next : limit * 0.8
  }
  const widths = kept.map((width) => Math.min(width, limit))
  const used = widths.reduce((all, width) => all + width, 0)
  // What is left is shared out.
  return widths.map((width) => width * Math.max(1, room / used))
}

function sum(widths: readonly number[], limit: number): number {
  return widths.reduce((all, width) => all + Math.min(width, limit), 0)
}
