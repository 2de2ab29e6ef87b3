// shapes: what kinds of messages there are, and which of them are new.
import { z } from 'zod'
import { shapesAnswer } from '../../../schemas/search-json/answers.ts'
import { shapesParameters } from '../../../schemas/search-json/parameters.ts'
import type { TimeWindow } from '../../../schemas/time/time-window.ts'
import {
  printShape,
  queryOfShape,
  SHAPE_CHARACTERS,
} from '../../language/compile/shapes/shape-classes.ts'
import type { FilterInput } from '../../language/compile-filter.ts'
import {
  compileMomentAt,
  compileShapeCounts,
  compileShapes,
  compileTotal,
  MAX_SHAPES,
} from '../../language/reads/compile-shapes.ts'
import { collect } from '../../search/collect.ts'
import { makeEndpoint, type ReadCall, type TurnStore } from '../endpoint.ts'
import { printMs, printNanos } from '../print-time.ts'

/** Of a larger result the newest are read, and the answer says so. */
const MAX_EVENTS = 2_000_000
/** Among the most frequent so many the new ones are looked for. */
const MAX_KNOWN = 2000

const number = z.coerce.number()
const text = z.string()
const rowSchema = z.tuple([text, text, number, number, text, text, text, number])
const countSchema = z.tuple([text, number])

type ShapeCall = ReadCall<{
  readonly query: string
  readonly limit: number
  readonly isCompared: boolean
}>

export const shapes = makeEndpoint({
  name: 'shapes',
  summary: 'Kinds of messages',
  description: `Groups the messages that a filter selects by their shape: what is left when times, ids, numbers, paths and quoted texts are replaced by their kind. Counts are of all events in the store; of more than ${MAX_EVENTS.toLocaleString('en-US')} the newest are read, and \`read\` says so. The most frequent come first; new ones are told besides, however rare they are among the ${MAX_KNOWN.toLocaleString('en-US')} most frequent.`,
  parameters: shapesParameters,
  answer: shapesAnswer,
  hasFound: ({ total }) => total > 0,
  run: async (call) =>
    await call.inTurn(async (store) => {
      const { query, limit } = call.parameters
      const filter = call.filter(query)
      const { total, fromNs } = await bound(filter, store)
      const asked = { ...filter, fromNs, maxShapes: MAX_KNOWN }
      const rows = (await collect(store.stream(compileShapes(asked)))).map(readRow)
      const before = await readBefore(call, store)
      const all = rows.map((row) => printRow(row, total, before))
      const fresh = all.filter(({ isNew }) => isNew === true)
      const shown = new Set([...all.slice(0, limit), ...fresh.slice(0, limit)])
      const [first] = rows
      const read = Math.min(total, MAX_EVENTS)
      const listed = all.filter((one) => shown.has(one))
      return {
        ...{ total, read, distinct: first?.kinds ?? 0 },
        isExact: total <= MAX_EVENTS && (first?.kinds ?? 0) < MAX_SHAPES,
        shapes: listed,
        others: Math.max(0, read - listed.reduce((sum, { count }) => sum + count, 0)),
        before: before === undefined ? null : printBefore(before),
      }
    }),
})

type Row = ReturnType<typeof readRow>

function readRow(values: readonly unknown[]) {
  const [hash, shape, isCut, count, firstNs, lastNs, example, kinds] = rowSchema.parse(values)
  return { hash, shape, isCut: isCut !== 0, count, firstNs, lastNs, example, kinds }
}

function printRow(row: Row, total: number, before: Before | undefined) {
  const { hash, shape, isCut, count, example } = row
  const earlier = before === undefined ? null : (before.counts.get(hash) ?? 0)
  return {
    shape: `${printShape(shape)}${isCut ? '…' : ''}`,
    count,
    share: total === 0 ? 0 : count / Math.min(total, MAX_EVENTS),
    first: printNanos(row.firstNs),
    last: printNanos(row.lastNs),
    example: isCut ? `${example.slice(0, SHAPE_CHARACTERS)}…` : example,
    query: queryOfShape(shape, isCut) ?? null,
    before: earlier,
    isNew: earlier === null ? null : earlier === 0,
  }
}

type Bound = { readonly total: number; readonly fromNs: string | undefined }

/** How many events there are, and where the newest that are read begin. */
async function bound(filter: FilterInput, store: TurnStore): Promise<Bound> {
  const [row] = await collect(store.stream(compileTotal(filter)))
  const total = Number(row?.[0] ?? 0)
  if (total <= MAX_EVENTS) return { total, fromNs: undefined }
  const moment = compileMomentAt({ ...filter, place: MAX_EVENTS - 1 })
  const [at] = await collect(store.stream(moment))
  return { total, fromNs: at === undefined ? undefined : String(at[0]) }
}

type Before = {
  readonly startMs: number
  readonly endMs: number
  readonly isExact: boolean
  readonly counts: ReadonlyMap<string, number>
}

function printBefore({ startMs, endMs, isExact }: Before) {
  return { start: printMs(startMs), end: printMs(endMs), isExact }
}

/** As long a time, which ends where the window begins. Undefined: not asked for, or the window is
 *  open. */
async function readBefore(call: ShapeCall, store: TurnStore): Promise<Before | undefined> {
  const window = windowBefore(call.window)
  if (!call.parameters.isCompared || window === undefined) return undefined
  const filter = call.filter(call.parameters.query, window)
  const { total, fromNs } = await bound(filter, store)
  const rows = await collect(store.stream(compileShapeCounts({ ...filter, fromNs })))
  const counts = new Map(rows.map((row) => countSchema.parse(row)))
  return { ...window, isExact: total <= MAX_EVENTS && counts.size < MAX_SHAPES, counts }
}

function windowBefore({ startMs, endMs }: TimeWindow) {
  if (startMs === null || endMs === null || endMs <= startMs) return undefined
  return { startMs: startMs - (endMs - startMs), endMs: startMs }
}
