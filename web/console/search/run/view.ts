// What a search page shows, as its address says it. Pure.
import { splitQuery } from '../../../shared/query/split-query.ts'
import type { TimesGiven } from '../../time/say-times.ts'

/** Relative times stay relative: the texts are those of the server. */
export type Range =
  | { readonly kind: 'interval'; readonly interval: string }
  | { readonly kind: 'times'; readonly start: string; readonly end: string | undefined }
  /** An address with both, or with an end alone: asked as it is, and the server refuses it. */
  | { readonly kind: 'unclear'; readonly given: TimesGiven }

/** The first two are of events, the others of what stages make of them. */
export const TABS = ['events', 'shapes', 'table', 'chart'] as const
export type Tab = (typeof TABS)[number]

/** As long a time right before, or the same time a week earlier. */
export const COMPARED = ['before', 'week'] as const
export type ComparedWith = (typeof COMPARED)[number]

export type SearchView = {
  readonly query: string
  readonly range: Range
  /** IANA name; undefined: the system's. */
  readonly zone: string | undefined
  /** Shown beside the message. */
  readonly columns: readonly string[]
  /** Column by which the histogram is split; undefined: by the level; '': not at all. */
  readonly by: string | undefined
  readonly tab: Tab | undefined
  readonly isWrapped: boolean
  readonly isLive: boolean
  /** Equal lines that follow one another are one, with their number. */
  readonly isFolded: boolean
  /** The histogram shows this time, too. */
  readonly comparedWith: ComparedWith | undefined
  /** Id of the saved search from which it came. */
  readonly saved: number | undefined
}

const XML_ROWS = '10000'
export const DEFAULT_RANGE: Range = { kind: 'interval', interval: 'last60Minutes' }

export function parseView(parameters: URLSearchParams): SearchView {
  const text = (name: string) => parameters.get(name) || undefined
  return {
    query: parameters.get('query') ?? '',
    range: rangeOf({ interval: text('interval'), start: text('start'), end: text('end') }),
    zone: text('zone'),
    columns: parameters.getAll('column').filter((name) => name !== ''),
    by: parameters.get('by') ?? undefined,
    tab: TABS.find((name) => name === parameters.get('tab')),
    isWrapped: parameters.get('wrap') === '1',
    isLive: parameters.get('live') === '1',
    isFolded: parameters.get('fold') !== '0',
    comparedWith: parseCompared(parameters.get('compare')),
    saved: Number(parameters.get('saved')) || undefined,
  }
}

export function rangeOf({ interval, start, end }: TimesGiven): Range {
  if (start !== undefined && interval === undefined) return { kind: 'times', start, end }
  if (start === undefined && end === undefined)
    return interval === undefined ? DEFAULT_RANGE : { kind: 'interval', interval }
  const given = Object.entries({ interval, start, end }).filter(([, it]) => it !== undefined)
  return { kind: 'unclear', given: Object.fromEntries(given) }
}

function parseCompared(text: string | null): ComparedWith | undefined {
  return text === '1' ? 'before' : COMPARED.find((name) => name === text)
}

/** Only what differs from the default is in the address. */
export function printView(view: SearchView): string {
  const parameters = new URLSearchParams()
  // Of a saved search that was cleared the address says so.
  if (view.query !== '' || view.saved !== undefined) parameters.set('query', view.query)
  const { range } = view
  if (range.kind === 'interval') {
    if (range.interval !== 'last60Minutes') parameters.set('interval', range.interval)
  } else if (range.kind === 'unclear') {
    for (const [name, text] of Object.entries(range.given)) parameters.set(name, text)
  } else {
    parameters.set('start', range.start)
    if (range.end !== undefined) parameters.set('end', range.end)
  }
  if (view.zone !== undefined) parameters.set('zone', view.zone)
  for (const column of view.columns) parameters.append('column', column)
  if (view.by !== undefined) parameters.set('by', view.by)
  if (view.tab !== undefined) parameters.set('tab', view.tab)
  if (view.isWrapped) parameters.set('wrap', '1')
  if (view.isLive) parameters.set('live', '1')
  if (!view.isFolded) parameters.set('fold', '0')
  if (view.comparedWith !== undefined)
    parameters.set('compare', view.comparedWith === 'before' ? '1' : view.comparedWith)
  if (view.saved !== undefined) parameters.set('saved', String(view.saved))
  const text = parameters.toString()
  return text === '' ? '/logeye/' : `/logeye/?${text}`
}

/** Of a file with the whole result. */
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

/** The same for views that ask the server for the same. */
export function printAsked(view: SearchView): string {
  return printView({
    ...view,
    ...{ columns: [], tab: undefined, isWrapped: false, isLive: false, isFolded: true },
    ...{ comparedWith: undefined, saved: undefined },
  })
}

/** As the calls of searches take it. */
export function givenOf(range: Range): TimesGiven {
  if (range.kind === 'unclear') return range.given
  if (range.kind === 'interval') return { interval: range.interval }
  return { start: range.start, ...(range.end === undefined ? {} : { end: range.end }) }
}

/** What its events pass, without the stages. */
export function filterOf({ query }: Pick<SearchView, 'query'>): string {
  return splitQuery(query).filter || '*'
}

export function windowOf({ range, zone }: SearchView) {
  const times = givenOf(range)
  return zone === undefined ? times : { ...times, timeZone: zone }
}
