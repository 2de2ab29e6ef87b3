// What is new among the events of a run: reads the kinds that came, and tells those that its
// monitor has not seen before (docs/decisions/0130). Read as the owner: a value that a policy hides
// is one value, and no other.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Failure } from '../../../schemas/failures.ts'
import type { AlertSample } from '../../../schemas/monitors/notice.ts'
import type { NewKindRule } from '../../../schemas/monitors/rule.ts'
import { printShape, queryOfShape } from '../../language/compile/shapes/shape-classes.ts'
import {
  compileKindCounts,
  compileKindHistory,
  compileKindTexts,
  type KindOf,
  type KindsInput,
} from '../../language/reads/compile-kinds.ts'
import { compileMomentAt, compileTotal } from '../../language/reads/compile-shapes.ts'
import type { SearchInput } from '../../language/search-input.ts'
import { collect } from '../../search/collect.ts'
import type { TurnStore } from '../../search-json/endpoint.ts'
import type { Observed, Question } from '../question.ts'
import { type Kind, type Memory, stepKinds } from './step-kinds.ts'

/** That are told apart in a run, and known of a monitor. */
const MAX_KINDS = 20_000
/** From which it learns before its first run, the newest ones. */
const MAX_LEARNED = 2_000_000
const HOUR_MS = 3_600_000
const SAMPLE_ROWS = 20
const MAX_GROUP_CHARACTERS = 400
const VALUE_COLUMNS = ['events', 'value']
const SHAPE_COLUMNS = ['events', 'shape', 'example', 'query']

type Asked = Question & { readonly rule: NewKindRule; readonly input: SearchInput }

/** Fails with search.*, monitor.too_much. */
export async function readNewKinds(
  asked: Asked,
  store: Pick<TurnStore, 'stream'>,
): Promise<Omit<Observed, 'seen'>> {
  const { rule, input, memory, nowMs } = asked
  const mark = markOf(asked)
  const known = memory?.asked === mark ? memory : { asked: mark, ...(await learn(asked, store)) }
  const read = { ...input, of: kindOf(rule), fromNs: undefined, maxKinds: MAX_KINDS }
  const counts = await collect(store.stream(compileKindCounts(read)))
  requireFew(counts.length)
  const seen = new Map(counts.map((row) => countRow.parse(row)))
  const { kinds, news } = stepKinds(known, seen, { dueMs: nowMs, isEvery: rule.isEvery })
  requireFew(kinds.size)
  const next = { asked: mark, sinceMs: known.sinceMs, kinds }
  if (news.length === 0) return { counts: new Map(), sample: NOTHING, memory: next }
  const texts = await collect(store.stream(compileKindTexts({ ...read, hashes: news })))
  const rows = texts.map((row) => textRow.parse(row))
  const events = news.reduce((sum, name) => sum + (seen.get(name) ?? 0), 0)
  const counted = new Map([[groupOf(rows, rule), events]])
  return { counts: counted, sample: sampleOf(rows, rule), memory: next }
}

const NOTHING: AlertSample = { columns: [], rows: [] }
const text = z.string()
const number = z.coerce.number()
const countRow = z.tuple([text, number])
const historyRow = z.tuple([text, number, number, number])
const textRow = z.tuple([text, text, number, number, text])
type TextRow = z.infer<typeof textRow>

function kindOf(rule: NewKindRule): KindOf {
  return rule.kind === 'newShape' ? 'shape' : { column: rule.column }
}

/** All that says which kinds a run may see, but for the logs: one more is news. */
function markOf({ settings, rule, reader, input }: Asked): string {
  const { query, sources } = settings
  const asked = [query, sources, kindOf(rule), reader.id, input.masks ?? []]
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex')
}

/** From what came before the events of the run. */
async function learn(
  { rule, input, earlier, nowMs }: Asked,
  store: Pick<TurnStore, 'stream'>,
): Promise<Memory> {
  const before = { ...input, arrival: earlier }
  const fromNs = await newestFrom(before, store)
  const read: KindsInput = { ...before, of: kindOf(rule), fromNs, maxKinds: MAX_KINDS }
  const rows = await collect(store.stream(compileKindHistory(read)))
  requireFew(rows.length)
  const kinds = new Map<string, Kind>()
  let sinceMs = nowMs
  for (const row of rows) {
    const [name, firstHour, lastHour, young] = historyRow.parse(row)
    const firstMs = firstHour * HOUR_MS
    kinds.set(name, { firstMs, lastMs: lastHour * HOUR_MS, young, told: 0 })
    sinceMs = Math.min(sinceMs, firstMs)
  }
  return { sinceMs, kinds }
}

/** Of more events than it learns from, the time of the oldest of the newest. */
async function newestFrom(
  input: SearchInput,
  store: Pick<TurnStore, 'stream'>,
): Promise<string | undefined> {
  const [total] = await collect(store.stream(compileTotal(input)))
  if (Number(total?.[0] ?? 0) <= MAX_LEARNED) return undefined
  const [at] = await collect(store.stream(compileMomentAt({ ...input, place: MAX_LEARNED - 1 })))
  return at === undefined ? undefined : text.parse(at[0])
}

function requireFew(kinds: number): void {
  if (kinds <= MAX_KINDS) return
  throw new Failure('monitor.too_much', { max: MAX_KINDS, what: 'different values or shapes' })
}

/** What is new is one alert, so that a new version of a program is told once. */
function groupOf(rows: readonly TextRow[], rule: NewKindRule): string {
  const [first] = rows
  const name = first === undefined ? '' : clean(nameOf(first, rule)).slice(0, MAX_GROUP_CHARACTERS)
  return rows.length > 1 ? `${name} and ${rows.length - 1} more` : name
}

function sampleOf(rows: readonly TextRow[], rule: NewKindRule): AlertSample {
  const isShape = rule.kind === 'newShape'
  return {
    columns: isShape ? SHAPE_COLUMNS : VALUE_COLUMNS,
    rows: rows.slice(0, SAMPLE_ROWS).map((row) => {
      const [, kind, isCut, events, example] = row
      const told = [String(events), clean(nameOf(row, rule))]
      return isShape ? [...told, clean(example), queryOfShape(kind, isCut !== 0) ?? ''] : told
    }),
  }
}

function nameOf([, kind, isCut]: TextRow, { kind: of }: NewKindRule): string {
  const name = of === 'newShape' ? printShape(kind) : kind
  return isCut === 0 ? name : `${name}…`
}

/** As the database can keep it. */
function clean(value: string): string {
  return value.replaceAll('\0', '\ufffd')
}
