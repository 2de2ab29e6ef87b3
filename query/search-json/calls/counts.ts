// histogram, facets, overview: counts by time and by value in one read of the rows.
import { Failure } from '../../../schemas/failures.ts'
import {
  type FacetAnswer,
  facetsAnswer,
  type HistogramAnswer,
  histogramAnswer,
  overviewAnswer,
} from '../../../schemas/search-json/answers.ts'
import {
  facetsParameters,
  histogramParameters,
  overviewParameters,
} from '../../../schemas/search-json/parameters.ts'
import { columnRef } from '../../language/reads/column-ref.ts'
import {
  COUNT_PARTS,
  type CompiledCounts,
  type CountRow,
  compileCounts,
  compileRareProbe,
} from '../../language/reads/compile-counts.ts'
import { compileTimes } from '../../language/reads/compile-event-reads.ts'
import { collect } from '../../search/collect.ts'
import { makeEndpoint, type ReadCall, type TurnStore } from '../endpoint.ts'
import { printMs, printWindow } from '../print-time.ts'
import {
  automaticStep,
  bucketAt,
  bucketEdges,
  MAX_BUCKETS,
  parseStep,
  printStep,
  type Range,
  slotsOf,
} from './buckets.ts'
import { isCountable, readCountRow, valuesOf } from './count-values.ts'

const EXPLAINED =
  'Buckets follow the calendar of the system time zone, or of `timeZone`, as the stage `interval` cuts them; empty ones are shown.'

export const histogram = makeEndpoint({
  name: 'histogram',
  summary: 'Counts by time',
  description: `Counts the events that a filter selects by buckets of time, also by the values of one column. ${EXPLAINED}`,
  parameters: histogramParameters,
  answer: histogramAnswer,
  run: async (call) => {
    const { by, limit } = call.parameters
    if (by !== undefined) refuseUncounted('by', by)
    return await call.inTurn(async (store) => {
      const counted = await count(call, store, { columns: [], splitBy: by, maxValues: limit })
      const { cut, total } = counted
      return {
        total,
        histogram: printHistogram(call, cut, counted),
        split: readSplit(by, limit, cut, counted),
      }
    })
  },
})

export const facets = makeEndpoint({
  name: 'facets',
  summary: 'Most frequent values',
  description:
    'Counts the events that a filter selects by the values of several columns at once. Values are told apart without letter case and shown in their most frequent spelling.',
  parameters: facetsParameters,
  answer: facetsAnswer,
  run: async (call) => {
    const { columns, limit } = call.parameters
    for (const column of columns) refuseUncounted('columns', column)
    return await call.inTurn(async (store) => {
      const asked = { columns, splitBy: undefined, maxValues: limit }
      const counted = await countRows(call, store, asked, undefined)
      return { total: counted.total, facets: readFacets(columns, limit, counted) }
    })
  },
})

export const overview = makeEndpoint({
  name: 'overview',
  summary: 'Histogram and facets together',
  description: `What histogram and facets tell, in one read of the events. ${EXPLAINED}`,
  parameters: overviewParameters,
  answer: overviewAnswer,
  run: async (call) => {
    const { columns, limit } = call.parameters
    for (const column of columns) refuseUncounted('columns', column)
    return await call.inTurn(async (store) => {
      const counted = await count(call, store, { columns, splitBy: undefined, maxValues: limit })
      return {
        total: counted.total,
        histogram: printHistogram(call, counted.cut, counted),
        facets: readFacets(columns, limit, counted),
      }
    })
  },
})

type Asked = {
  readonly columns: readonly string[]
  readonly splitBy: string | undefined
  readonly maxValues: number
}
type CutTime = {
  readonly step: string
  /** Starts of the buckets, and the end of the last. */
  readonly edges: readonly number[]
  readonly slotMs: (slot: number) => number
}
type Counted = {
  readonly compiled: CompiledCounts
  readonly rows: readonly CountRow[]
  readonly total: number
}
type CountCall = ReadCall<{
  readonly query: string
  readonly step?: string | undefined
  readonly buckets?: number
}>

function refuseUncounted(parameter: string, column: string): void {
  const ref = columnRef(column)
  if (isCountable(ref)) return
  const reason = `${ref.name} cannot be counted by value`
  throw new Failure('search.parameter', { parameter, reason })
}

async function count(
  call: CountCall,
  store: TurnStore,
  asked: Asked,
): Promise<Counted & { cut: CutTime }> {
  const range = await rangeOf(call, store)
  const { step: said, buckets = 60 } = call.parameters
  const step = said === undefined ? automaticStep(range, buckets) : parseStep(said)
  if (step === undefined) return refuseStep('must be a length such as 15 minutes')
  const edges = bucketEdges(step, range, call.style.zone)
  if (edges === undefined) return refuseStep(`gives more than ${MAX_BUCKETS} buckets`)
  const slots = slotsOf(edges)
  const counted = await countRows(call, store, asked, slots)
  const slotMs = (slot: number) => slots.originMs + slot * slots.lengthMs
  // Of an open window: what came since its end was looked for.
  const lastMs = Math.max(range.endMs, ...slotRows(counted).map(({ slot }) => slotMs(slot) + 1))
  const all = bucketEdges(step, { ...range, endMs: lastMs }, call.style.zone) ?? edges
  return { ...counted, cut: { step: printStep(step), edges: all, slotMs } }
}

function refuseStep(reason: string): never {
  throw new Failure('search.parameter', { parameter: 'step', reason })
}

async function countRows(
  call: CountCall,
  store: TurnStore,
  { columns, splitBy, maxValues }: Asked,
  slots: ReturnType<typeof slotsOf> | undefined,
): Promise<Counted> {
  const filter = call.filter(call.parameters.query)
  const asked = { ...filter, facets: columns, splitBy, maxValues }
  const absent = await readAbsent(asked, store)
  const compiled = compileCounts({ ...asked, slots, absent })
  const rows = (await collect(store.stream(compiled))).map(readCountRow)
  const total = rows.find(({ part }) => part === COUNT_PARTS.total)?.events ?? 0
  return { compiled, rows, total }
}

async function readAbsent(
  asked: Parameters<typeof compileRareProbe>[0],
  store: TurnStore,
): Promise<ReadonlySet<string>> {
  const probe = compileRareProbe(asked)
  if (probe === undefined) return new Set()
  const found = new Set((await collect(store.stream(probe))).map(([source]) => Number(source)))
  return new Set(probe.sources.filter((_, at) => !found.has(at)))
}

/** Of an open window: from the first to the last event of the logs in scope
 *  (search-language#interval). */
async function rangeOf(call: CountCall, store: TurnStore): Promise<Range> {
  const { startMs, endMs } = call.window
  if (startMs !== null && endMs !== null) return { startMs, endMs }
  const times = compileTimes(call.filter(call.parameters.query))
  const found = (await collect(store.stream(times))).map(([ms]) => Number(ms))
  if (found.length === 0) return { startMs: call.nowMs, endMs: call.nowMs + 1 }
  return { startMs: startMs ?? Math.min(...found), endMs: endMs ?? Math.max(...found) + 1 }
}

function slotRows({ rows }: Counted): readonly CountRow[] {
  return rows.filter(({ part }) => part === COUNT_PARTS.slots)
}

function printHistogram(
  { window, style }: Pick<CountCall, 'window' | 'style'>,
  cut: CutTime,
  counted: Counted,
): HistogramAnswer['histogram'] {
  const counts = countsOf(slotRows(counted), cut)
  return {
    start: printWindow(window).start,
    end: printWindow(window).end,
    step: cut.step,
    timeZone: style.zone.name,
    buckets: counts.map((count, at) => ({
      start: printMs(cut.edges[at] ?? 0),
      end: printMs(cut.edges[at + 1] ?? 0),
      count,
    })),
  }
}

function countsOf(rows: readonly CountRow[], { edges, slotMs }: CutTime): number[] {
  const counts = Array.from({ length: Math.max(0, edges.length - 1) }, () => 0)
  for (const { slot, events } of rows) {
    const at = Math.min(bucketAt(edges, slotMs(slot)), counts.length - 1)
    counts[at] = (counts[at] ?? 0) + events
  }
  return counts
}

function readFacets(columns: readonly string[], limit: number, counted: Counted): FacetAnswer[] {
  return columns.map((column, at) => {
    const facet = counted.compiled.facets[at]
    const { values, distinct, present, isExact } = valuesOf(facet, limit, counted)
    const shown = values.reduce((sum, { total }) => sum + total, 0)
    return {
      column,
      isKnown: facet !== undefined && facet.kind !== 'unknown',
      values: values.map(({ value, total }) => ({ value, count: total })),
      distinct,
      // Of several tags of an event each counts.
      others: Math.max(0, (isExact ? present : counted.total) - shown),
      missing: isExact ? counted.total - present : 0,
      isExact,
    }
  })
}

function readSplit(
  column: string | undefined,
  limit: number,
  cut: CutTime,
  counted: Counted,
): HistogramAnswer['split'] {
  if (column === undefined) return null
  const { split } = counted.compiled
  const { values, isExact } = valuesOf(split, limit, counted)
  const series = values.map(({ value, total, rows }) => ({
    value,
    total,
    counts: countsOf(rows, cut),
  }))
  const rest = countsOf(slotRows(counted), cut).map((count, at) =>
    Math.max(
      0,
      series.reduce((left, { counts }) => left - (counts[at] ?? 0), count),
    ),
  )
  return {
    column,
    isKnown: split !== undefined && split.kind !== 'unknown',
    series,
    others: { total: rest.reduce((sum, count) => sum + count, 0), counts: rest },
    isExact,
  }
}
