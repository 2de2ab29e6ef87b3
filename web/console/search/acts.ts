// What a click on the page does: it changes the query or the view in the address, and so searches.
import { address, go } from '../../shared/address.ts'
import { addTest, countBy, printTest } from '../../shared/query/edit-query.ts'
import { parseView, printView, type Range, type SearchView } from './run/view.ts'

export function currentView(): SearchView {
  return parseView(address.value.parameters)
}

export function changeView(change: Partial<SearchView>, isNew = true): void {
  go(printView({ ...currentView(), ...change }), { isNew })
}

export type ValueAct = { readonly isNot?: boolean; readonly isNewTab?: boolean }

export function filterBy(column: string, value: string, { isNot, isNewTab }: ValueAct = {}): void {
  const view = currentView()
  const query = addTest(view.query, printTest(column, value), { isNot: isNot === true })
  if (isNewTab) open(printView({ ...view, query, tab: undefined }), '_blank', 'noopener')
  else changeView({ query, tab: undefined })
}

/** The click of a value: Alt excludes, Shift shows the column, Ctrl opens a new tab. */
export function clickValue(event: MouseEvent, column: string, value: string): void {
  event.stopPropagation()
  if (event.shiftKey) toggleColumn(column)
  else filterBy(column, value, { isNot: event.altKey, isNewTab: event.ctrlKey || event.metaKey })
}

export function toggleColumn(column: string): void {
  const { columns } = currentView()
  const isShown = columns.includes(column)
  changeView({ columns: isShown ? columns.filter((it) => it !== column) : [...columns, column] })
}

export function countColumn(column: string): void {
  changeView({ query: countBy(currentView().query, column), tab: 'table' })
}

export function setRange(range: Range): void {
  changeView({ range })
}
