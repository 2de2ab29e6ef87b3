import { searchEvents, searchTable } from '../../shared/api/search.ts'
import { download } from '../../shared/download.ts'
import { Menu, type MenuItem } from '../../shared/parts/menu.tsx'
import { splitQuery } from '../../shared/query/split-query.ts'
import { exportAddress, type SearchView, windowOf } from './run/view.ts'
import { T } from './texts.ts'

const FORMATS = [
  { name: T.exports.csv, format: 'csv-plain', file: 'csv' },
  { name: T.exports.json, format: 'json', file: 'ndjson' },
  { name: T.exports.xml, format: 'xml', file: 'xml' },
] as const

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
