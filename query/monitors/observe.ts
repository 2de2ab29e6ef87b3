// Runs a monitor's query as its owner and gives what its rule is asked about: how many rows there
// are, group by group, and some of them.
import { z } from 'zod'
import { HIDING } from '../../infra/metastore/rights/masks-mark.ts'
import { Failure } from '../../schemas/failures.ts'
import { printViewMask } from '../../schemas/masking/view-masks.ts'
import type { AlertSample } from '../../schemas/monitors/notice.ts'
import { compare, isNewKind, type Rule } from '../../schemas/monitors/rule.ts'
import { printLogIds, type Seen } from '../../schemas/monitors/seen.ts'
import { logPathKey } from '../../schemas/names/log-path.ts'
import { narrowScope } from '../configuration/narrow-scope.ts'
import type { WidgetDeps } from '../dashboards/run-widget.ts'
import { readStyle } from '../edge/read-style.ts'
import { compileWithColumns } from '../language/compile-with-columns.ts'
import type { CompiledSearch } from '../language/compiled.ts'
import { printQuoted } from '../language/print/print-words.ts'
import { readOnce } from '../language/read-query.ts'
import { compileLogCounts } from '../language/reads/compile-event-reads.ts'
import { searchedLogs } from '../language/resolve/select-logs.ts'
import type { SearchInput } from '../language/search-input.ts'
import { collect } from '../search/collect.ts'
import type { Turn } from '../search/run-in-turn.ts'
import { readVisibleScope, type VisibleScope } from '../search/visible-scope.ts'
import type { TurnStore } from '../search-json/endpoint.ts'
import { workInTurn } from '../search-json/work-in-turn.ts'
import { isWhole, type NamedLog, readUnusual, WHOLE_LOGS } from './anomalies/read-unusual.ts'
import { readNewKinds } from './novelty/read-new-kinds.ts'
import type { Observed, Question } from './question.ts'
import { readCells } from './read-cells.ts'
import { chooseRows } from './tell/sample-of.ts'

export type ObserveDeps = WidgetDeps

/** Of one run: more are no alerts that anybody reads. */
const MAX_GROUPS = 500
/** Rows that are read one by one, for a column or a group of a table. */
const MAX_ROWS = 10_000
const SAMPLE_ROWS = 20
const EXISTS_ROWS = 1000
const ALL_ROWS = 1_000_000_000
const MAX_GROUP_CHARACTERS = 500
const COUNT_NAME = 'rows of the group'
const NO_SAMPLE: AlertSample = { columns: [], rows: [] }

/** Fails with search.*, monitor.too_much, monitor.column, request.invalid (sources). */
export async function observe(
  question: Question,
  turn: Turn,
  deps: ObserveDeps,
): Promise<Observed> {
  const asked = { ...question, ...(await readInput(question, deps)) }
  return await workInTurn(turn, deps, async (store) => ({
    ...(await readAsked(asked, store)),
    seen: await readSeen(asked, store),
  }))
}

async function readAsked(asked: Asked, store: TurnStore): Promise<Read> {
  const { rule, nowMs } = asked
  if (rule.kind === 'silence') return await readSilence(asked, store)
  if (rule.kind === 'unusual') return await readUnusual(namedLogs(asked), nowMs, store)
  return isNewKind(rule)
    ? await readNewKinds({ ...asked, rule }, store)
    : await readRows(asked, store)
}

/** All logs that the query reads, its sub-queries included. */
async function readSeen({ input, scope }: Asked, store: TurnStore): Promise<Seen> {
  const { readLogs } = await compile(input, store)
  const masks = scope.masks.map(printViewMask)
  return { logs: printLogIds(readLogs.flat()), masks, hiding: HIDING }
}

/** What the query is compiled from, as its owner. Fails with request.invalid (sources). */
export async function readInput(
  { settings, reader, window, arrival, nowMs }: Question,
  deps: ObserveDeps,
): Promise<Pick<Asked, 'scope' | 'input' | 'style'>> {
  const scope = narrowScope(await readVisibleScope(deps.metastore, reader), settings.sources)
  const style = readStyle(deps.metastore)
  const input: SearchInput = {
    ...{ text: settings.query, visibleLogs: scope.visibleLogs, columns: scope.columns },
    masks: scope.masks,
    ...{ window, arrival, nowMs, maxRows: null },
    ...{ dateFormat: style.dateFormat.pattern, timeZone: style.zone.name },
  }
  return { scope, input, style }
}

type Read = Omit<Observed, 'seen'>

type Asked = Question & {
  readonly scope: VisibleScope
  readonly input: SearchInput
  readonly style: ReturnType<typeof readStyle>
}

/** Logs that the query's scopes name. Fails with monitor.rule, monitor.too_much. */
function namedLogs({ input, rule }: Asked): readonly NamedLog[] {
  const { source, stages } = readOnce(input).read().query
  if (source.kind === 'transaction' || stages.length > 0)
    throw new Failure('monitor.rule', { reason: `${rule.kind} needs a query without stages` })
  if (rule.kind === 'unusual' && !isWhole(source.filter))
    throw new Failure('monitor.rule', { reason: WHOLE_LOGS })
  const logs = searchedLogs(source.filter, input.visibleLogs)
  if (logs.length > MAX_GROUPS)
    throw new Failure('monitor.too_much', { max: MAX_GROUPS, what: 'logs' })
  return logs.map(({ id, folder, name }) => ({ id, path: logPathKey(folder, name) }))
}

/** Events of each log that the query's scopes name, in the window. */
async function readSilence(asked: Asked, store: TurnStore): Promise<Read> {
  const logs = namedLogs(asked)
  const counts = new Map(logs.map(({ path }) => [path, 0]))
  if (logs.length === 0) return { counts, sample: NO_SAMPLE }
  const rows = await collect(store.stream(compileLogCounts(readOnce(asked.input))))
  const paths = new Map(logs.map(({ id, path }) => [id, path]))
  for (const [id, inside] of rows) {
    const path = paths.get(Number(id))
    if (path !== undefined) counts.set(path, Number(inside))
  }
  return { counts, sample: NO_SAMPLE }
}

async function readRows(asked: Asked, store: TurnStore): Promise<Read> {
  const { rule, settings, input } = asked
  const compiled = await compile(input, store)
  const isGrouped = settings.groupBy !== ''
  if (compiled.kind === 'table' || rule.kind === 'column') return await readWhole(asked, store)
  const counts = isGrouped
    ? await countGroups(asked, store)
    : await countAll(asked, compiled, store)
  const before =
    rule.kind === 'change' ? { before: await countBefore(asked, isGrouped, store) } : undefined
  const hasRows = [...counts.values()].some((count) => count > 0)
  const sample = hasRows
    ? await readCells(
        { ...asked, maxRows: SAMPLE_ROWS },
        await compile({ ...input, maxRows: SAMPLE_ROWS }, store),
        store,
      )
    : NO_SAMPLE
  return { counts, ...before, sample }
}

async function compile(input: SearchInput, store: TurnStore): Promise<CompiledSearch> {
  return await compileWithColumns(readOnce(input), async (statement) => {
    const names = await collect(store.stream(statement))
    return names.map(([name]) => ({ name: String(name) }))
  })
}

const WEEK_MS = 7 * 86_400_000

/** Of the same window a week before, whenever it came. */
async function countBefore(
  asked: Asked,
  isGrouped: boolean,
  store: TurnStore,
): Promise<ReadonlyMap<string, number>> {
  const { window, input } = asked
  const shifted = (ms: number | null) => (ms === null ? null : ms - WEEK_MS)
  const before = { startMs: shifted(window.startMs), endMs: shifted(window.endMs) }
  const earlier = { ...asked, input: { ...input, window: before, nowMs: asked.nowMs - WEEK_MS } }
  if (isGrouped) return await countGroups(earlier, store)
  return await countAll(earlier, await compile(earlier.input, store), store)
}

async function countAll(
  { rule }: Asked,
  { countSql, params, settings }: CompiledSearch,
  store: TurnStore,
): Promise<ReadonlyMap<string, number>> {
  const countLimit = rule.kind === 'exists' ? EXISTS_ROWS : ALL_ROWS
  const rows = await collect(
    store.stream({ sql: countSql, params: { ...params, countLimit }, settings }),
  )
  return new Map([['', Number(rows[0]?.[0] ?? 0)]])
}

/** By the language itself, so that a group is what `group by` makes of it. */
async function countGroups(asked: Asked, store: TurnStore): Promise<ReadonlyMap<string, number>> {
  const { settings, input } = asked
  const text = `${settings.query} | count as ${printQuoted(COUNT_NAME)} | group by ${printQuoted(settings.groupBy)}`
  const grouped = { ...input, text, maxRows: MAX_GROUPS + 1 }
  const { columns, rows } = await readCells(
    { ...asked, maxRows: MAX_GROUPS + 1 },
    await compile(grouped, store),
    store,
  )
  if (rows.length > MAX_GROUPS)
    throw new Failure('monitor.too_much', { max: MAX_GROUPS, what: 'groups' })
  const countAt = columns.indexOf(COUNT_NAME)
  const groupAt = countAt === 0 ? 1 : 0
  return new Map(rows.map((row) => [groupName(row[groupAt]), Number(row[countAt] ?? 0)]))
}

/** Row by row: what is compared or grouped by is a cell. */
async function readWhole(asked: Asked, store: TurnStore): Promise<Read> {
  const { rule, settings, input } = asked
  if (rule.kind === 'change')
    throw new Failure('monitor.rule', { reason: 'change needs a query whose result is events' })
  const compiled = await compile({ ...input, maxRows: MAX_ROWS + 1 }, store)
  const read = await readCells({ ...asked, maxRows: MAX_ROWS + 1 }, compiled, store)
  const { columns, rows } = read
  if (rows.length > MAX_ROWS) throw new Failure('monitor.too_much', { max: MAX_ROWS, what: 'rows' })
  const at = (name: string) => {
    const index = columns.findIndex((it) => it.toLowerCase() === name.toLowerCase())
    if (index === -1 && rows.length > 0) throw new Failure('monitor.column', { column: name })
    return index
  }
  const valueAt = rule.kind === 'column' ? at(rule.column) : -1
  const groupAt = settings.groupBy === '' ? -1 : at(settings.groupBy)
  const counts = new Map<string, number>(settings.groupBy === '' ? [['', 0]] : [])
  const failing: number[] = []
  for (const [index, row] of rows.entries()) {
    if (rule.kind === 'column' && !meets(row[valueAt], rule)) continue
    const group = groupAt === -1 ? '' : groupName(row[groupAt])
    counts.set(group, (counts.get(group) ?? 0) + 1)
    if (counts.size > MAX_GROUPS)
      throw new Failure('monitor.too_much', { max: MAX_GROUPS, what: 'groups' })
    if (failing.length < SAMPLE_ROWS) failing.push(index)
  }
  return { counts, sample: chooseRows(read, failing) }
}

const number = z.string().trim().min(1).pipe(z.coerce.number())

function meets(cell: string | undefined, rule: Rule & { kind: 'column' }): boolean {
  const value = number.safeParse(cell)
  return value.success && compare(value.data, rule)
}

/** As the database can keep it. */
function groupName(cell: string | undefined): string {
  return (cell ?? '').replaceAll('\0', '\ufffd').slice(0, MAX_GROUP_CHARACTERS)
}
