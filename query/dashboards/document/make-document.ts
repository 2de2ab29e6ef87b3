// A dashboard as a PDF (decision 6.3): its widgets on pages as on the screen, then tables that did
// not fitText, with their heads on each page. The same question gives the same bytes.
import { loadRenderer } from '../../../infra/charts/render-svg.ts'
import { Paper, STYLES } from '../../../infra/pdf/paper.ts'
import { type Cell, drawTable } from '../../../infra/pdf/table.ts'
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
  const rest: { title: string; rows: WidgetRows; from: number; place: string }[] = []
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
  for (const { title: name, rows, from, place } of rest) {
    paper.breakPage()
    paper.markPlace(place)
    paper.write(from > 0 ? `${name} (continued)` : name, {
      ...{ style: STYLES.heading, tag: 'H2', gap: 6, outline: true },
    })
    await drawRest(paper, rows, from)
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

/** All columns, over as many pages as it takes. */
async function drawRest(paper: Paper, rows: WidgetRows, from: number): Promise<void> {
  const widths = columnWidths(paper, rows, paper.width)
  const whole = widths.reduce((sum, width) => sum + width, 0)
  const columns = widths.map((width, at) => ({
    title: rows.columns[at]?.name ?? '',
    share: width / whole,
    isRight: rows.columns[at]?.type === 'number',
  }))
  const cells = rows.rows
    .slice(from)
    .map((row) => columns.map((_, at): Cell => [{ text: row[at] ?? '', style: CELL }]))
  await drawTable(paper, columns, cells)
  if (!rows.hasMore) return
  paper.write(`More rows were found than the ${rows.rows.length} that this widget shows.`, {
    style: STYLES.small,
  })
}
