// Counts of the events that a filter selects: by pieces of time, and the most frequent values of
// several columns, all in one statement (compile/count-sets.ts). Values are told apart as `group
// by` does: without letter case (search-language#group-by). Pure.

import { foldExpression } from '../../../schemas/store/text-index.ts'
import type { CompileContext } from '../compile/compile-context.ts'
import { engineSettings } from '../compile/engine-settings.ts'
import { type CountSet, countSetsSql, isRare, TOTAL_PART } from '../compile/plan/count-sets.ts'
import { planOperand, visibleSql } from '../compile/plan/event-plan.ts'
import type { EventPlan } from '../compile/plan/plan.ts'
import { type Operand, sourceExists, valueText } from '../compile/tests/operand.ts'
import { type FilterInput, planFilter, type Statement } from '../compile-filter.ts'
import { raiseQuery } from '../parse/raise-query.ts'
import type { SearchableLog } from '../search-input.ts'
import { columnRef } from './column-ref.ts'

/** Equal pieces of time; slot 0 begins at `originMs`. */
export type Slots = { readonly originMs: number; readonly lengthMs: number }

export type CountsInput = FilterInput & {
  readonly slots: Slots | undefined
  /** Names of columns as in a query. */
  readonly facets: readonly string[]
  /** Slots are also counted by the values of this column. */
  readonly splitBy: string | undefined
  /** The most frequent values of each column. */
  readonly maxValues: number
  /** What `compileRareProbe` found to be nowhere: it is not looked for. */
  readonly absent?: ReadonlySet<string>
}

/** How the counts of a column come: by value, or by log, to be put together from the logs' own
 *  texts. */
export type CountedColumn =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'values'; readonly part: number }
  | {
      readonly kind: 'perLog'
      readonly part: number
      readonly textsOf: (log: SearchableLog) => readonly string[]
    }

/** A row of CompiledCounts.sql, by name. */
export type CountRow = {
  readonly part: number
  readonly slot: number
  /** '' in parts that have none; the id in those by log. */
  readonly value: string
  readonly events: number
  /** Events of this value in all slots. */
  readonly total: number
  /** Different values of the part, and events that have one. */
  readonly kinds: number
  readonly present: number
  /** Not all values could be told apart: the numbers of the part may be too small. */
  readonly isCut: boolean
}

export type CompiledCounts = Statement & {
  readonly logs: readonly SearchableLog[]
  /** In the order of the input. */
  readonly facets: readonly CountedColumn[]
  readonly split: CountedColumn | undefined
}

const LOGS_PART = 2
const SPLIT_LOGS_PART = 3
const FIRST_VALUES_PART = 10
export const COUNT_PARTS = { total: TOTAL_PART, slots: 1 } as const

/** Whole blocks for counting: half the work of a block is the same for any size. */
const COUNT_SETTINGS = { max_block_size: 262_144, preferred_block_size_bytes: 10_000_000 } as const
/** What two bytes hold: the engine counts those by a plain table. */
const MAX_SHORT_SLOTS = 65_536

/** Throws Failure `search.query`, also for a column that cannot be counted by value (timestamp,
 *  raw). */
export function compileCounts(input: CountsInput): CompiledCounts {
  const { plan, context } = planFilter(input)
  const columns = new CountedColumns(plan, context, input.absent ?? new Set())
  if (input.slots) columns.add({ part: COUNT_PARTS.slots, isBySlot: true, by: 'nothing' })
  const facets = input.facets.map((name) => columns.count(name, { isBySlot: false }))
  const split =
    input.splitBy === undefined ? undefined : columns.count(input.splitBy, { isBySlot: true })
  const slot = input.slots ? slotSql(input.slots, context) : '0'
  const counted = countSetsSql(plan, columns.sets, slot)
  const limit = context.params.add(String(input.maxValues), 'UInt64')
  return {
    sql: context.subSelects.finish(rankedSql(counted, limit)),
    params: context.params.values(),
    settings: { ...COUNT_SETTINGS, ...engineSettings(context.params) },
    logs: plan.logs,
    facets,
    split,
  }
}

/**
 * Which of the texts that most columns do not have (compile/count-sets.ts) stand anywhere in the
 * logs in scope: rows { source }. Without window, so that the engine remembers the answer for every
 * part of the table (see rareGuard of compile/event-plan.ts). For open windows only: there it saves
 * half of the reading. Undefined when there is nothing to ask.
 */
export function compileRareProbe(
  input: Omit<CountsInput, 'slots' | 'absent'>,
): (Statement & { readonly sources: readonly string[] }) | undefined {
  if (input.window.startMs !== null) return undefined
  const { plan, context } = planFilter(input)
  const columns = new CountedColumns(plan, context, new Set())
  const asked = input.splitBy === undefined ? input.facets : [...input.facets, input.splitBy]
  for (const name of asked) columns.count(name, { isBySlot: false })
  const rare = columns.sets.flatMap(({ by }) => (typeof by === 'string' ? [] : by.filter(isRare)))
  const sources = rare.map(({ sql }) => sql)
  if (sources.length === 0) return undefined
  const { params } = context
  const visible = visibleSql(plan.logs, context)
  const each = rare.map((source, at) => {
    const place = params.add(String(at), 'UInt64')
    const rows = `FROM events WHERE ${visible} AND ${sourceExists(source)}`
    return `(SELECT ${place} AS source ${rows} LIMIT 1 SETTINGS optimize_move_to_prewhere = 0)`
  })
  const sql = each.join(' UNION ALL ')
  return { sql, params: params.values(), settings: engineSettings(params), sources }
}

class CountedColumns {
  readonly #plan: EventPlan
  readonly #context: CompileContext
  readonly #absent: ReadonlySet<string>
  readonly #sets: CountSet[] = []
  /** By what is counted: two names of one column share their rows. */
  readonly #known = new Map<string, CountedColumn>()

  constructor(plan: EventPlan, context: CompileContext, absent: ReadonlySet<string>) {
    this.#plan = plan
    this.#context = context
    this.#absent = absent
  }

  get sets(): readonly CountSet[] {
    return this.#sets
  }

  add(set: CountSet): void {
    if (!this.#sets.some(({ part }) => part === set.part)) this.#sets.push(set)
  }

  count(name: string, { isBySlot }: { isBySlot: boolean }): CountedColumn {
    const operand = planOperand(this.#plan, columnRef(name), this.#context)
    if (operand.kind === 'date') return raiseQuery(`the values of ${name} cannot be counted`, 0)
    if (operand.kind === 'perLog') {
      const part = isBySlot ? SPLIT_LOGS_PART : LOGS_PART
      this.add({ part, isBySlot, by: 'log' })
      return { kind: 'perLog', part, textsOf: operand.textsOf }
    }
    const sources = sourcesOf(operand)
    if (sources.length === 0) return { kind: 'unknown' }
    const by = sources.filter(({ sql }) => !this.#absent.has(sql))
    const key = JSON.stringify([isBySlot, by])
    const known = this.#known.get(key)
    if (known) return known
    const part = FIRST_VALUES_PART + this.#known.size
    this.add({ part, isBySlot, by })
    const made = { kind: 'values', part } as const
    this.#known.set(key, made)
    return made
  }
}

/** With one spelling at most one source has a value; with several the first counts, and only
 *  a joined text knows it. */
function sourcesOf(
  operand: Operand & { kind: 'values' | 'size' },
): Exclude<CountSet['by'], string> {
  if (operand.kind === 'size') return [{ kind: 'text', sql: operand.sql }]
  const [only, ...more] = operand.spellings
  if (only === undefined) return []
  return more.length === 0 ? only : [{ kind: 'text', sql: valueText(operand.spellings) }]
}

function slotSql({ originMs, lengthMs }: Slots, { params, window }: CompileContext): string {
  const origin = params.add(String(BigInt(originMs) * 1_000_000n), 'Int64')
  const length = params.add(String(BigInt(lengthMs) * 1_000_000n), 'Int64')
  const slot = `intDiv(toUnixTimestamp64Nano(timestamp) - ${origin}, ${length})`
  const { startMs, endMs } = window
  const isShort =
    startMs !== null &&
    endMs !== null &&
    startMs >= originMs &&
    (endMs - originMs) / lengthMs < MAX_SHORT_SLOTS - 1
  return isShort ? `toUInt16(${slot})` : slot
}

/** Values united without letter case, under their most frequent spelling; the most frequent ones of
 *  each part. */
function rankedSql(counted: string, limit: string): string {
  const isValue = `part >= ${FIRST_VALUES_PART}`
  const united = `SELECT part, slot, ${foldExpression('text')} AS folded, argMax(text, (n, text)) AS spelling, sum(n) AS events, max(isCut) AS isCut FROM (${counted}) GROUP BY part, slot, folded`
  const summed = `SELECT *, sum(events) OVER same AS total, argMax(spelling, (events, spelling)) OVER same AS value, sum(events) OVER (PARTITION BY part) AS present FROM (${united}) WHERE NOT (${isValue} AND folded = '') WINDOW same AS (PARTITION BY part, folded)`
  const ranked = `SELECT *, dense_rank() OVER (PARTITION BY part ORDER BY total DESC, folded) AS place, uniqExact(folded) OVER (PARTITION BY part) AS kinds FROM (${summed})`
  return `SELECT part, slot, value, events, total, kinds, present, isCut FROM (${ranked}) WHERE NOT (${isValue} AND place > ${limit}) ORDER BY part, place, slot`
}
