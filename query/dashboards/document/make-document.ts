// A dashboard as a PDF (decision 6.3): its widgets on pages as on the screen, then tables that did
// not fitText, with their heads on each page. The same question gives the same bytes.
import { loadRenderer } from '../../../infra/charts/render-svg.ts'
import { Paper, STYLES } from '../../../infra/pdf/paper.ts'
import { type Cell, drawTable, TABLE_GAP } from '../../../infra/pdf/table.ts'
import type { WidgetRows } from '../../../schemas/dashboards/result.ts'
import { shownRows } from '../../../schemas/dashboards/shown-rows.ts'
import { compileDateFormat } from '../../../schemas/time/date-format.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'
import { formatTime } from '../../search/print/cell-text.ts'
import type { DocumentQuestion } from './document-question.ts'
import { drawWidget } from './draw-widget.ts'
import { layOut } from './grid.ts'
import { columnWidths } from './small-table.ts'

const COVER_GAP = 10
const TITLE = { ...STYLES.title, size: 16 }
const CELL = { ...STYLES.body, size: 8 }
const HEAD = { ...STYLES.label, size: 8 }
const ROW_PADDING = 2.5

/** A table that goes on after the widgets. */
type Rest = {
  readonly title: string
  readonly rows: WidgetRows
  readonly from: number
  readonly place: string
}

export async function makeDocument(question: DocumentQuestion): Promise<Uint8Array> {
  const { appName, dashboardName, definition, result, links } = question
  const style = {
    dateFormat: compileDateFormat(result.dateFormat),
    zone: timeZone(result.timeZone),
  }
  const generated = `${formatTime(result.generatedMs - (result.generatedMs % 1000), style)} ${result.timeZone}`
  const title = `${appName} - ${dashboardName}`
  const paper = new Paper({
    ...{ title, author: 'Logeye', subject: 'Dashboard', madeMs: result.generatedMs },
    ...{ footer: `${title} · generated ${generated}`, mark: '', isLandscape: true },
  })
  const unit = { font: 'regular', size: 1, color: '#000000' } as const
  const render = await loadRenderer((text) => paper.measure(paper.printable(text), unit))
  drawCover(paper, question, generated)
  const rest: Rest[] = []
  const sheet = {
    ...{ left: paper.left, width: paper.width, firstTop: paper.y, top: paper.left },
    bottom: paper.bottom,
  }
  for (const [number, page] of layOut(definition.widgets, sheet).entries()) {
    if (number > 0) paper.breakPage()
    for (const { of: widget, box } of page) {
      const found = result.widgets.find(({ widgetId }) => widgetId === widget.id)
      const own = found?.rows && { ...found, rows: shownRows(widget.type, found.rows) }
      const place = `widget-${widget.id}`
      paper.outline(widget.title)
      const on = { widget, result: own ?? found, timeZone: result.timeZone, continuation: place }
      const url = widget.hasDrillDown ? links[widget.id] : undefined
      const shown = drawWidget(paper, { ...on, url }, box, render)
      const rows = own?.rows
      if (rows && isTable(widget.type) && shown < rows.rows.length)
        rest.push({ title: widget.title, rows, from: shown, place })
    }
  }
  for (const one of rest) {
    paper.breakPage()
    paper.markPlace(one.place)
    await drawRest(paper, one)
  }
  return await paper.finish()
}

function isTable(type: string): boolean {
  return type === 'table' || type === 'eventList' || type === 'transactionTable'
}

/** Title, time frame, when it was made, chosen values. */
function drawCover(paper: Paper, question: DocumentQuestion, generated: string): void {
  const { appName, dashboardName, timeFrame, chosen, definition } = question
  paper.write(dashboardName, { style: TITLE, tag: 'H1', outline: true })
  const parts = [appName, timeFrame, `generated ${generated}`, chosen].filter((it) => it !== '')
  paper.write(parts.join('   ·   '), { style: STYLES.label })
  if (definition.description !== '') paper.write(definition.description, { style: STYLES.label })
  paper.y += COVER_GAP
}

/**
 * All columns, over as many pages as it takes: those that have no room side by side come after the
 * others, with the first one again.
 */
async function drawRest(paper: Paper, { title, rows, from }: Rest): Promise<void> {
  const look = { cell: CELL, head: HEAD, gap: TABLE_GAP }
  let first = 0
  while (first < rows.columns.length) {
    const places = rows.columns.map((_, at) => at).slice(first)
    const part = chooseColumns(rows, first === 0 ? places : [0, ...places])
    const widths = columnWidths(paper, part, paper.width, look)
    // The first one alone would lead nowhere.
    const count = Math.max(widths.length - (first === 0 ? 0 : 1), 1)
    const isWhole = first === 0 && count === rows.columns.length
    const name = from > 0 ? `${title} (continued)` : title
    const columns = `columns ${first + 1} to ${first + count} of ${rows.columns.length}`
    if (first > 0) paper.breakPage()
    paper.write(isWhole ? name : `${name}: ${columns}`, {
      ...{ style: STYLES.heading, tag: 'H2', gap: 6, outline: true },
    })
    await drawColumns(paper, { ...part, rows: part.rows.slice(from) }, widths)
    first += count
  }
  if (!rows.hasMore) return
  paper.write(`More rows were found than the ${rows.rows.length} that this widget shows.`, {
    style: STYLES.small,
  })
}

function chooseColumns(rows: WidgetRows, places: readonly number[]): WidgetRows {
  return {
    ...rows,
    columns: places.flatMap((place) => rows.columns[place] ?? []),
    rows: rows.rows.map((row) => places.map((place) => row[place] ?? null)),
  }
}

async function drawColumns(
  paper: Paper,
  rows: WidgetRows,
  widths: readonly number[],
): Promise<void> {
  const columns = widths.map((width, at) => ({
    title: rows.columns[at]?.name ?? '',
    share: (width + (at === widths.length - 1 ? 0 : TABLE_GAP)) / paper.width,
    isRight: rows.columns[at]?.type === 'number',
  }))
  const cells = rows.rows.map((row) =>
    columns.map((_, at): Cell => [{ text: row[at] ?? '', style: CELL }]),
  )
  await drawTable(paper, columns, cells, { padding: ROW_PADDING, head: HEAD })
}
