import type { TimeWindow } from '../../../schemas/time/time-window.ts'

/** Opens the console on the query and its window. */
export function searchLink(
  publicUrl: string,
  query: string,
  { startMs, endMs }: TimeWindow,
): string {
  const parameters = new URLSearchParams({ searchQuery: query })
  if (startMs === null || endMs === null) parameters.set('fixedInterval', 'allData')
  else {
    parameters.set('startTimeFullStr', new Date(startMs).toISOString())
    // The last second of a pair of times is included (docs/guides/search.md).
    parameters.set('endTimeFullStr', new Date(endMs - 1).toISOString())
  }
  return `${publicUrl.replace(/\/$/, '')}/logeye/search/view/loadSearchModel.jsp?${parameters}`
}
