// Between what the page shows and what is saved of it. Pure.
import type { KeptGiven, KeptSearch } from '../../../../schemas/search-json/kept-search.ts'
import { givenOf, type SearchView } from '../run/view.ts'

export function keptOf(view: SearchView): KeptGiven {
  return {
    query: view.query,
    time: givenOf(view.range),
    timeZone: view.zone ?? '',
    columns: [...view.columns],
    splitBy: view.by ?? null,
    view: view.tab ?? null,
    isWrapped: view.isWrapped,
    isCompared: view.comparedWith !== undefined,
    comparedWith: view.comparedWith ?? 'before',
  }
}

export function viewOf(search: KeptSearch, saved: number): SearchView {
  const { time } = search
  return {
    query: search.query,
    range:
      'interval' in time
        ? { kind: 'interval', interval: time.interval }
        : { kind: 'times', start: time.start, end: time.end },
    zone: search.timeZone || undefined,
    columns: search.columns,
    by: search.splitBy ?? undefined,
    tab: search.view ?? undefined,
    isWrapped: search.isWrapped,
    comparedWith: search.isCompared ? search.comparedWith : undefined,
    ...{ isLive: false, isFolded: true, saved },
  }
}

/** The page shows something else by now. */
export function isChanged(view: SearchView, { id, search }: { id: number; search: KeptSearch }) {
  return JSON.stringify(keptOf(view)) !== JSON.stringify(keptOf(viewOf(search, id)))
}
