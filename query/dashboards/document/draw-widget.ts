// One widget in its box: title, and what its type shows.
import type { RenderSvg } from '../../../infra/charts/render-svg.ts'
import { drawSvg } from '../../../infra/pdf/draw-svg.ts'
import { type Box, type Paper, STYLES, type Struct } from '../../../infra/pdf/paper.ts'
import { CHART_TYPES, chartOption } from '../../../schemas/charts/chart-option.ts'
import { shownNumber } from '../../../schemas/charts/shown-number.ts'
import type { WidgetRows } from '../../../schemas/dashboards/result.ts'
import type { Widget } from '../../../schemas/dashboards/widget.ts'
import { COLOURS, fitText, type WidgetPlaceOnPaper } from './paper-parts.ts'
import { drawSmallTable } from './small-table.ts'

const PADDING = 8
/** A widget in which a second line of its title leaves too little for the rest. */
const LOW = 80
/** One row: its content stands beside the title. */
const ONE_ROW = 40
const BESIDE = 8
/** Of the content, where the title leaves it so much and keeps a share of its own. */
const CONTENT = 90
const TITLE_SHARE = 0.4
/** A lower one is no picture, and its labels would stand over what is around it. */
const LOWEST_CHART = 16
/** Points of a pixel: charts are laid out for screens. */
const POINT = 0.75
const TITLE = { font: 'bold', size: 9.5, color: COLOURS.text } as const
const QUIET = { font: 'regular', size: 8, color: COLOURS.quiet } as const

/** How many rows of its table stand here; the others go on elsewhere. */
export function drawWidget(
  paper: Paper,
  on: WidgetPlaceOnPaper,
  box: Box,
  render: RenderSvg,
): number {
  const { widget, result, url } = on
  paper.figure(undefined, undefined, (doc) => {
    doc.roundedRect(box.x, box.y, box.width, box.height, 4).lineWidth(0.75)
    doc.strokeColor(COLOURS.line).stroke()
  })
  const section = paper.open('Sect')
  const inner = { x: box.x + PADDING, width: box.width - 2 * PADDING }
  const isRow = box.height < ONE_ROW
  const least = Math.max(inner.width - CONTENT, inner.width * TITLE_SHARE)
  const room = isRow ? least : inner.width
  const lines = titleLines(paper, widget.title, room, box.height)
  const heading = paper.open('H2', section)
  const step = paper.lineHeight(TITLE)
  const top = isRow ? box.y + (box.height - step) / 2 : box.y + 6
  for (const [at, { text, whole }] of lines.entries())
    paper.draw({ text, style: TITLE }, { x: inner.x, y: top + at * step }, heading, whole)
  heading.end()
  const width = Math.max(...lines.map(({ text }) => paper.measure(text, TITLE)))
  if (url !== undefined)
    paper.link({ x: inner.x, y: top, width, height: lines.length * step }, { url })
  const content = isRow
    ? beside(box, { x: inner.x + width + BESIDE, right: inner.x + inner.width })
    : below(box, inner, box.y + 24 + (lines.length - 1) * step)
  const shown = drawContent(paper, on, content, section, render)
  section.end()
  if (result?.rows?.hasMore === true && widget.type !== 'text' && CHART_TYPES.has(widget.type))
    note(paper, 'More rows than are drawn.', content, section)
  return shown
}

function beside(box: Box, { x, right }: { readonly x: number; readonly right: number }): Box {
  return { x, width: right - x, y: box.y + 4, height: box.height - 8 }
}

function below(box: Box, inner: { readonly x: number; readonly width: number }, y: number): Box {
  return { ...inner, y, height: box.y + box.height - y - PADDING }
}

/** Two lines where there is room; what is cut is still found. */
function titleLines(paper: Paper, title: string, width: number, height: number) {
  const most = height < LOW ? 1 : 2
  const all = paper.wrap(title, TITLE, width).map(({ text }) => text)
  return fitText(paper, title, TITLE, width, most).map((text, at) => {
    const isCut = at === most - 1 && all.length > most
    return { text, whole: isCut ? all.slice(at).join(' ') : undefined }
  })
}

function drawContent(
  paper: Paper,
  on: WidgetPlaceOnPaper,
  box: Box,
  parent: Struct,
  render: RenderSvg,
): number {
  const { widget, result } = on
  if (widget.type === 'text') {
    drawText(paper, widget.text, box, parent)
    return 0
  }
  if (result?.error) return say(paper, `This widget failed: ${result.error.message}`, box, parent)
  const rows = result?.rows
  if (rows === undefined || rows === null || rows.rows.length === 0)
    return say(paper, 'Nothing was found.', box, parent)
  if (widget.type === 'number') return drawNumber(paper, widget, rows, box, parent)
  if (!CHART_TYPES.has(widget.type)) return drawSmallTable(paper, on, rows, box, parent)
  if (box.height < LOWEST_CHART) return rows.rows.length
  const size = { width: box.width / POINT, height: box.height / POINT }
  const unit = { font: 'regular', size: 1, color: COLOURS.text } as const
  const option = chartOption({
    ...{ widget, rows, theme: 'light', ...size, timeZone: on.timeZone },
    ...{ fontFamily: 'Inter, sans-serif', isStill: true },
    measure: (text) => paper.measure(paper.printable(text), unit),
  })
  if (option === undefined)
    return say(paper, 'The rows have no column of numbers that could be drawn.', box, parent)
  const alt = `${widget.title}: chart of ${rows.rows.length} rows`
  drawSvg(paper, render(option, size), box, alt, parent)
  return rows.rows.length
}

function drawNumber(
  paper: Paper,
  { options }: Widget,
  rows: WidgetRows,
  box: Box,
  parent: Struct,
): number {
  const { text, level } = shownNumber(options, rows)
  const color = level === undefined ? COLOURS.text : COLOURS.levels[level]
  const seen = paper.printable(text)
  const unit = paper.measure(seen, { font: 'bold', size: 1, color })
  const size = Math.max(5, Math.min(34, box.height * 0.6, (box.width - 4) / Math.max(unit, 0.1)))
  const style = { font: 'bold', size, color } as const
  const [line = ''] = fitText(paper, seen, style, box.width, 1)
  const struct = paper.open('P', parent)
  const x = box.x + (box.width - paper.measure(line, style)) / 2
  const y = box.y + (box.height - paper.lineHeight(style)) / 2
  paper.draw({ text: line, style }, { x, y }, struct)
  struct.end()
  return 1
}

function drawText(paper: Paper, text: string, box: Box, parent: Struct): void {
  let { y } = box
  const height = paper.lineHeight(STYLES.body)
  const bottom = box.y + box.height
  const struct = paper.open('P', parent)
  const lines = text.split('\n').flatMap((line) => paper.wrap(line, STYLES.body, box.width))
  const room = Math.max(1, Math.floor(box.height / height))
  for (const [at, line] of lines.slice(0, room).entries()) {
    if (y + height > bottom + 2) break
    const isCut = at === room - 1 && lines.length > room
    paper.draw(isCut ? { ...line, text: `${line.text} …` } : line, { x: box.x, y }, struct)
    y += height
  }
  struct.end()
}

function say(paper: Paper, text: string, box: Box, parent: Struct): number {
  const struct = paper.open('P', parent)
  const lines = fitText(
    paper,
    text,
    QUIET,
    box.width,
    Math.floor(box.height / paper.lineHeight(QUIET)),
  )
  const height = lines.length * paper.lineHeight(QUIET)
  let y = box.y + Math.max(0, (box.height - height) / 2)
  for (const line of lines) {
    const x = box.x + (box.width - paper.measure(line, QUIET)) / 2
    paper.draw({ text: line, style: QUIET }, { x, y }, struct)
    y += paper.lineHeight(QUIET)
  }
  struct.end()
  return 0
}

function note(paper: Paper, text: string, box: Box, parent: Struct): void {
  const struct = paper.open('P', parent)
  const x = box.x + box.width - paper.measure(text, STYLES.small)
  paper.draw({ text, style: STYLES.small }, { x, y: box.y - 18 }, struct)
  struct.end()
}
