import { Menu } from '../../shared/parts/menu.tsx'
import { type SearchView, windowOf } from './run/view.ts'
import { T } from './texts.ts'

const FORMATS = [
  { name: T.exports.csv, format: 'csv-plain', file: 'csv' },
  { name: T.exports.json, format: 'json', file: 'ndjson' },
  { name: T.exports.xml, format: 'xml', file: 'xml' },
] as const
const XML_ROWS = '10000'

/** The whole result as a file: the browser reads it from the search call. */
export function ExportMenu({ view }: { readonly view: SearchView }) {
  const items = FORMATS.map(({ name, format, file }) => ({
    name,
    onChoose: () => {
      const link = document.createElement('a')
      link.href = exportAddress(view, format)
      link.download = `logeye-events.${file}`
      link.click()
    },
  }))
  return <Menu label={`${T.export} ▾`} items={items} />
}

export function exportAddress(view: SearchView, format: string): string {
  const window: { interval?: string; start?: string; end?: string; timeZone?: string } =
    windowOf(view)
  const { interval, start, end, timeZone } = window
  const parameters = new URLSearchParams({
    widgetId: 'searchAPI',
    searchQuery: view.query || '*',
    resultFormat: format,
  })
  if (interval !== undefined) parameters.set('fixedInterval', interval)
  if (start !== undefined) parameters.set('startTime', start)
  if (end !== undefined) parameters.set('endTime', end)
  if (timeZone !== undefined) parameters.set('timeZone', timeZone)
  if (format === 'xml') parameters.set('maxNumOfRecords', XML_ROWS)
  return `/logeye/view/api/widgetAPI.jsp?${parameters}`
}
