// One search: its parts are asked at once, come in as they are found, and each has its own progress
// and failure. A new one ends the old.
import { signal } from '@preact/signals'
import type {
  EventAnswer,
  FacetAnswer,
  HistogramAnswer,
  TableAnswer,
} from '../../../../schemas/search-json/answers.ts'
import type { Warning } from '../../../../schemas/warning.ts'
import {
  searchEvents,
  searchFacets,
  searchHistogram,
  searchTable,
} from '../../../shared/api/search.ts'
import { elapsedMs } from '../../../shared/clock.ts'
import { splitQuery } from '../../../shared/query/split-query.ts'
import { chooseFacets } from './choose-facets.ts'
import { openPart } from './part.ts'
import { filterOf, type SearchView, windowOf } from './view.ts'
import { windowBefore } from './window-before.ts'

export type FoundEvents = {
  readonly events: readonly EventAnswer[]
  /** What they were asked by, as the cursor is. */
  readonly asked: Parameters<typeof searchEvents>[0]
  readonly cursor: string | null
  readonly tailId: string
}

const PAGE = 250
const MORE = 2 * PAGE
const FACET_VALUES = 6
const SPLIT_VALUES = 6
const TABLE_ROWS = 2000
/** When events are asked again that were counted and not found. */
const AGAIN_MS = [250, 1000, 3000]
/** The histogram is split by it, where nothing else is chosen. */
export const LEVEL = 'level'

export const events = openPart<FoundEvents>()
/** The next page of the events: what is there stays when it fails. */
export const more = openPart<void>()
export const histogram = openPart<HistogramAnswer>()
export const facets = openPart<readonly FacetAnswer[]>()
export const table = openPart<TableAnswer>()
/** Of the earlier time, where it is compared. */
export const before = openPart<HistogramAnswer>()
const PARTS = [events, more, histogram, facets, table, before]

/** Rises with every search. */
export const turn = signal(0)

export const warnings = signal<readonly Warning[]>([])
/** Milliseconds of the last search, until its events were there. */
export const tookMs = signal<number | undefined>(undefined)
/** More events are counted than were found, and they are asked again. */
export const isUnread = signal(false)
/** Columns that somebody has added to the facets, or removed from them. */
export const addedFacets = signal<readonly string[]>([])
export const removedFacets = signal<readonly string[]>([])

let ending = new AbortController()

export function stopSearch(): void {
  ending.abort()
  ending = new AbortController()
  for (const part of PARTS) part.stop()
  isUnread.value = false
}

export async function runSearch(view: SearchView, buckets: number): Promise<void> {
  stopSearch()
  more.set()
  const { signal: end } = ending
  turn.value += 1
  const startedMs = elapsedMs()
  const { stages } = splitQuery(view.query)
  const asked = { ...windowOf(view), query: filterOf(view) }
  warnings.value = []
  tookMs.value = undefined
  const hint = (told: { readonly warnings: readonly Warning[] }) => {
    if (!end.aborted && told.warnings.length > 0) warnings.value = told.warnings
  }

  const by = view.by ?? LEVEL
  const split = by === '' ? {} : { by, limit: SPLIT_VALUES }
  const counting = histogram.fill(searchHistogram({ ...asked, ...split, buckets }, end))
  const readFirst = () =>
    searchEvents({ ...asked, limit: PAGE }, end).then((told): FoundEvents => {
      if (stages === '') hint(told)
      const { data, nextCursor: cursor, tailId } = told
      return { events: data, asked, cursor, tailId }
    })
  const finding = events.fill(readFirst())
  if (stages === '') table.set(undefined)
  else {
    const whole = { ...asked, query: view.query, limit: TABLE_ROWS }
    void table.fill(
      searchTable(whole, end).then((told) => {
        hint(told)
        return told
      }),
    )
  }
  let page = await finding
  if (end.aborted) return
  if (page !== undefined) tookMs.value = elapsedMs() - startedMs
  const counted = await counting
  for (const afterMs of view.isLive ? [] : AGAIN_MS) {
    if (end.aborted || !isBehind(page, counted)) break
    isUnread.value = true
    await sleep(afterMs)
    if (end.aborted) break
    const anew = await readFirst().catch(() => undefined)
    // What was found stays where that fails, and what has come live meanwhile.
    if (anew === undefined || end.aborted || events.state.value.value !== page) break
    page = anew
    events.set(anew)
  }
  if (end.aborted) return
  isUnread.value = false
  if (page !== undefined) await readFacets(view, page.events)
}

/** Counts take in what is being stored, events only what has been: an event that has just come may
 *  be counted and not be among them yet. A live tail brings it by itself. */
function isBehind(page: FoundEvents | undefined, counted: HistogramAnswer | undefined): boolean {
  if (page === undefined || counted === undefined || page.cursor !== null) return false
  return page.events.length < counted.total
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** The same of the earlier time with which the view is compared. */
export async function readBefore(
  view: SearchView,
  { histogram: now }: HistogramAnswer,
  end: AbortSignal,
): Promise<void> {
  before.set(undefined)
  const window = windowBefore(now, view.comparedWith)
  if (window === undefined) return
  const { zone } = view
  const asked = {
    ...{ ...window, query: filterOf(view), step: now.step },
    ...(zone === undefined ? {} : { timeZone: zone }),
  }
  await before.fill(searchHistogram(asked, end))
}

/** Of the events that were found first the columns are known. */
export async function readFacets(view: SearchView, known: readonly EventAnswer[]): Promise<void> {
  const { signal: end } = ending
  const chosen = chooseFacets(known, addedFacets.value)
  const columns = chosen.filter((name) => !removedFacets.value.includes(name))
  if (columns.length === 0) return facets.set([])
  const asked = { ...windowOf(view), query: filterOf(view), columns, limit: FACET_VALUES }
  await facets.fill(searchFacets(asked, end).then((told) => told.facets))
}

/**
 * The next page, of the same moment as the first. While a search is under way, and after one that
 * failed, there is none: what is in view is of the one before, and would take the place of its
 * answer.
 */
export async function readMore(): Promise<void> {
  const { value, isBusy, error } = events.state.value
  if (isBusy || error !== undefined || more.state.value.isBusy) return
  if (value === undefined || value.cursor === null) return
  const { asked, cursor } = value
  const { signal: end } = ending
  await more.fill(
    searchEvents({ query: asked.query, limit: MORE, cursor }, end).then(({ data, nextCursor }) => {
      const { value: now } = events.state.value
      // Live events have taken the end of the list away.
      if (end.aborted || now === undefined || now.cursor !== cursor) return
      events.set({ ...now, events: [...now.events, ...data], cursor: nextCursor })
    }),
  )
  await readUnread(end)
}

/** Pages are of the moment of the first one: at their end some may be missing that were counted and
 *  could be read only later. */
async function readUnread(end: AbortSignal): Promise<void> {
  for (const afterMs of AGAIN_MS) {
    const { value: now } = events.state.value
    const counted = histogram.state.value.value
    if (now === undefined || end.aborted || !isBehind(now, counted)) return
    await sleep(afterMs)
    const anew = await readTo(now, counted?.total ?? 0, end).catch(() => undefined)
    if (anew === undefined || end.aborted || events.state.value.value !== now) return
    if (anew.events.length > now.events.length) events.set(anew)
  }
}

/** The pages once more, from the first to the one that has the last of so many events. */
async function readTo(
  { asked, tailId }: FoundEvents,
  total: number,
  end: AbortSignal,
): Promise<FoundEvents> {
  const first = await searchEvents({ ...asked, limit: MORE }, end)
  const found = [...first.data]
  let cursor = first.nextCursor
  while (cursor !== null && found.length < total) {
    const next = await searchEvents({ query: asked.query, limit: MORE, cursor }, end)
    found.push(...next.data)
    cursor = next.nextCursor
  }
  return { events: found, asked, cursor, tailId }
}
