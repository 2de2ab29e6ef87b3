// A table over as many pages as it takes: its head stands on each, a row stays together where it
// fits on one page, and one that does not is continued.
import { type Line, type Paper, STYLES, type Struct, type Style } from './paper.ts'

export type Column = {
  readonly title: string
  /** Of the whole; together 1. */
  readonly share: number
  readonly isRight?: boolean
}

/** Paragraphs of one cell. */
export type Cell = readonly { readonly text: string; readonly style: Style }[]

export const TABLE_GAP = 10
const ROWS_AT_ONCE = 10
const PADDING = 5
/** A row of more of a page than this is continued on the next one. */
export const WHOLE_SHARE = 0.35

type Placed = { readonly column: Column; readonly x: number; readonly width: number }

/** Begin it with room for its head and `WHOLE_SHARE` of a page. `rows`: a cell for each column. */
export async function drawTable(
  paper: Paper,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  look: { readonly padding?: number; readonly head?: Style } = {},
): Promise<void> {
  const { padding = PADDING, head: headStyle = STYLES.label } = look
  let x = paper.left
  const placed = columns.map((column): Placed => {
    const width = paper.width * column.share
    const place = { column, x, width: width - (column === columns.at(-1) ? 0 : TABLE_GAP) }
    x += width
    return place
  })
  const table = paper.open('Table')
  const head = paper.open('THead', table)
  const body = paper.open('TBody', table)
  const drawHead = (isFirst: boolean): void => {
    const row = isFirst ? paper.open('TR', head) : undefined
    const titles = placed.map(({ column, width }) => paper.wrap(column.title, headStyle, width))
    const cells = titles.map(() => row && paper.open('TH', row, { scope: 'Column' }))
    drawLines(paper, placed, titles, cells)
    paper.y += padding
    paper.rule(paper.y, { color: '#c1c9d2' })
    paper.y += padding
  }
  drawHead(true)
  for (const [number, row] of rows.entries()) {
    // Others are served between the rows of a long table.
    if (number % ROWS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve))
    const cells = row.map((cell, at) => {
      const width = placed[at]?.width ?? paper.width
      return cell.flatMap(({ text, style }) => paper.wrap(text, style, width))
    })
    const struct = paper.open('TR', body)
    drawRow(
      paper,
      placed,
      cells,
      cells.map(() => paper.open('TD', struct)),
      padding,
      () => drawHead(false),
    )
    struct.end()
  }
  table.end()
}

function drawRow(
  paper: Paper,
  placed: readonly Placed[],
  cells: readonly (readonly Line[])[],
  structs: readonly Struct[],
  padding: number,
  drawHead: () => void,
): void {
  const nextPage = () => {
    paper.breakPage()
    drawHead()
  }
  let left = cells
  const heightOf = (lines: readonly Line[]) =>
    lines.reduce((sum, { style }) => sum + paper.lineHeight(style), 0)
  const height = Math.max(...cells.map(heightOf)) + 2 * padding
  const isLong = height > paper.pageHeight * WHOLE_SHARE
  if (!isLong && paper.y + height > paper.bottom) nextPage()
  // Each round takes a line at least from the longest cell.
  while (left.some((lines) => lines.length > 0)) {
    const room = paper.bottom - paper.y - padding
    const parts = left.map((lines) => {
      let taken = 0
      let used = 0
      for (const { style } of lines) {
        used += paper.lineHeight(style)
        if (used > room) break
        taken += 1
      }
      return taken
    })
    if (parts.every((taken) => taken === 0)) {
      nextPage()
      continue
    }
    drawLines(
      paper,
      placed,
      left.map((lines, at) => lines.slice(0, parts[at])),
      structs,
    )
    left = left.map((lines, at) => lines.slice(parts[at]))
    if (left.some((lines) => lines.length > 0)) nextPage()
  }
  paper.y += padding
  paper.rule(paper.y)
  paper.y += padding
}

/** Below `paper.y`, which then stands below them. */
function drawLines(
  paper: Paper,
  placed: readonly Placed[],
  cells: readonly (readonly Line[])[],
  structs: readonly (Struct | undefined)[],
): void {
  let bottom = paper.y
  for (const [at, lines] of cells.entries()) {
    const place = placed[at]
    if (place === undefined) continue
    let y = paper.y
    for (const line of lines) {
      const shift = place.column.isRight ? place.width - paper.measure(line.text, line.style) : 0
      paper.draw(line, { x: place.x + shift, y }, structs[at])
      y += paper.lineHeight(line.style)
    }
    bottom = Math.max(bottom, y)
  }
  paper.y = bottom
}

const NAME_SHARE = 0.24

/** Names on the left, values beside them. */
export function drawPairs(
  paper: Paper,
  pairs: readonly (readonly [name: string, value: string])[],
): void {
  const nameWidth = paper.width * NAME_SHARE - TABLE_GAP
  for (const [name, value] of pairs) {
    const names = paper.wrap(name, STYLES.label, nameWidth)
    const values = paper.wrap(value, STYLES.body, paper.width * (1 - NAME_SHARE))
    const struct = paper.open('P')
    const height = paper.lineHeight(STYLES.body)
    for (let at = 0; at < Math.max(names.length, values.length); at += 1) {
      paper.keep(height)
      const [first, second] = [names[at], values[at]]
      if (first) paper.draw(first, { x: paper.left, y: paper.y }, struct)
      const x = paper.left + paper.width * NAME_SHARE
      if (second) paper.draw(second, { x, y: paper.y }, struct)
      paper.y += height
    }
    struct.end()
  }
}

const SUMS_SHARE = 0.52

/** Amounts under the last column of a table, each with its name; the strong ones stand out. */
export function drawSums(
  paper: Paper,
  sums: readonly { readonly name: string; readonly amount: string; readonly isStrong?: boolean }[],
): void {
  const width = paper.width * SUMS_SHARE
  const from = paper.left + paper.width - width
  for (const { name, amount, isStrong = false } of sums) {
    const style = isStrong ? STYLES.strong : STYLES.body
    const amounts = paper.wrap(amount, style, width / 2)
    const names = paper.wrap(name, style, width / 2 - TABLE_GAP)
    const height = paper.lineHeight(style)
    const count = Math.max(names.length, amounts.length)
    paper.keep(Math.min(count * height, paper.pageHeight / 2) + PADDING)
    if (isStrong) {
      paper.rule(paper.y, { from })
      paper.y += PADDING
    }
    const struct = paper.open('P')
    for (let at = 0; at < count; at += 1) {
      paper.keep(height)
      const [first, second] = [names[at], amounts[at]]
      if (first) paper.draw(first, { x: from, y: paper.y }, struct)
      if (second) {
        const x = paper.left + paper.width - paper.measure(second.text, style)
        paper.draw(second, { x, y: paper.y }, struct)
      }
      paper.y += height
    }
    struct.end()
    paper.y += isStrong ? PADDING : 1
  }
}
