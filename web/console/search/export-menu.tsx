import { searchEvents, searchTable } from '../../shared/api/search.ts'
import { download } from '../../shared/download.ts'
import { Menu, type MenuItem } from '../../shared/parts/menu.tsx'
import { splitQuery } from '../../shared/query/split-query.ts'
import { type SearchView, windowOf } from './run/view.ts'
import { T } from './texts.ts'

const FORMATS = [
  { name: T.exports.csv, format: 'csv-plain', file: 'csv' },
  { name: T.exports.json, format: 'json', file: 'ndjson' },
  { name: T.exports.xml, format: 'xml', file: 'xml' },
] as const
const XML_ROWS = '10000'

/** The whole result as a file: the browser reads it from the search call. */
export function exportItems(view: SearchView): MenuItem[] {
  return FORMATS.map(({ name, format, file }) => ({
    name,
    onChoose: () =>
      void download(exportAddress(view, format), `logeye-events.${file}`, () => findOne(view)),
  }))
}

export function ExportMenu({ view }: { readonly view: SearchView }) {
  return <Menu label={`${T.export} ▾`} items={exportItems(view)} />
}

/** Fails as the whole does. */
function findOne(view: SearchView): Promise<unknown> {
  const { filter, stages } = splitQuery(view.query)
  const asked = { ...windowOf(view), limit: 1 }
  return stages === ''
    ? searchEvents({ ...asked, query: filter || '*' })
    : searchTable({ ...asked, query: view.query })
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
  if (format === 'csv-plain') parameters.set('spreadsheet', 'true')
  if (format === 'xml') parameters.set('maxNumOfRecords', XML_ROWS)
  return `/logeye/view/api/widgetAPI.jsp?${parameters}`
}
