// Counts of the same events by several keys, in one read of the rows: GROUPING SETS, each grouped
// by its own dictionary or number. Texts that most columns do not have are counted by a second read
// of only those rows, which the engine skips when there are none. A set of too many values is cut
// (`isCut`) and says so, instead of taking all the memory of the search.
import { sqlOr } from '../boolean-sql.ts'
import { doubleText, type ValueSource } from '../columns/column-sql.ts'
import { sourceExists } from '../tests/operand.ts'
import { fromWhere } from './event-plan.ts'
import type { EventPlan } from './plan.ts'

/** Values that a set tells apart before it is cut. */
const MAX_VALUES = 100_000
/** The row of all events. */
export const TOTAL_PART = 0
const NO_PART = 65_535
/** The engine groups by no more than 64 keys at once. */
const MAX_KEYS = 64

export type CountSet = {
  /** Number of the rows of this set, above TOTAL_PART and below 65,535. */
  readonly part: number
  /** Also by the piece of time. */
  readonly isBySlot: boolean
  /** 'log': by id. No two sets of one call are alike. */
  readonly by: 'nothing' | 'log' | readonly ValueSource[]
}

/** One of the GROUPING SETS. */
type Grouping = {
  readonly part: number
  readonly slot: string | undefined
  readonly key: string | undefined
  /** The key by its name in the statement, as text. */
  readonly print: (name: string) => string
}

/**
 * A SELECT of part, slot (Int64), text ('' where the events lack the value), n and isCut. A part
 * may have a text in several rows. `slot`: an integer expression for the piece of time of a row.
 */
export function countSetsSql(plan: EventPlan, sets: readonly CountSet[], slot: string): string {
  const common = sets.flatMap((set) => groupingsOf(set, slot, (source) => !isRare(source)))
  const rare = sets.flatMap((set) => groupingsOf(set, slot, isRare))
  const [first = [], ...more] = chunksOf(common)
  const reads = [groupedSql(plan, first, TOTAL_PART)]
  for (const chunk of more) reads.push(groupedSql(plan, chunk, NO_PART))
  if (rare.length === 0) return reads.join(' UNION ALL ')
  const sources = sets.flatMap(({ by }) => (typeof by === 'string' ? [] : by.filter(isRare)))
  const some = { ...plan, conditions: [...plan.conditions, sqlOr(sources.map(sourceExists))] }
  for (const chunk of chunksOf(rare)) reads.push(groupedSql(some, chunk, NO_PART))
  return reads.join(' UNION ALL ')
}

/** Each is one read of the rows. */
function chunksOf(groupings: readonly Grouping[]): Grouping[][] {
  const chunks: Grouping[][] = []
  let keys = new Set<string>()
  for (const grouping of groupings) {
    const own = keysOf(grouping)
    const chunk = chunks.at(-1)
    if (chunk !== undefined && new Set([...keys, ...own]).size <= MAX_KEYS) chunk.push(grouping)
    else {
      chunks.push([grouping])
      keys = new Set()
    }
    for (const key of own) keys.add(key)
  }
  return chunks
}

function groupingsOf(
  { part, isBySlot, by }: CountSet,
  slotSql: string,
  isWanted: (source: ValueSource) => boolean,
): Grouping[] {
  const slot = isBySlot ? slotSql : undefined
  if (typeof by !== 'string')
    return by.filter(isWanted).map((source) => {
      const print = (name: string) =>
        source.kind === 'text' ? `toString(${name})` : doubleText(name)
      return { part, slot, key: source.sql, print }
    })
  // Every event has these: no rare ones.
  if (!isWanted({ kind: 'double', sql: '' })) return []
  return by === 'log'
    ? [{ part, slot, key: 'log_id', print: (name) => `toString(${name})` }]
    : [{ part, slot, key: undefined, print: () => "''" }]
}

/** Texts that most columns do not have. */
export function isRare(source: ValueSource): boolean {
  return source.kind === 'text' && source.isRare === true
}

/** `allPart`: the part of the row that counts all of them. */
function groupedSql(plan: EventPlan, groupings: readonly Grouping[], allPart: number): string {
  const keys = [...new Set(groupings.flatMap(keysOf))]
  if (keys.length === 0)
    return `SELECT ${allPart} AS part, toInt64(0) AS slot, '' AS text, count() AS n, 0 AS isCut ${fromWhere(plan)}`
  const nameOf = (key: string) => `k${keys.indexOf(key)}`
  // The first key is the highest bit; a bit says that the key is not in the set. More bits than a
  // number of JavaScript holds exactly.
  const maskOf = (inSet: readonly string[]) =>
    `toUInt64(${keys.reduce((mask, key) => mask * 2n + (inSet.includes(key) ? 0n : 1n), 0n)})`
  const all = maskOf([])
  const sets = groupings.map((grouping) => `(${keysOf(grouping).map(nameOf).join(', ')})`)
  const masks = groupings.map((grouping) => maskOf(keysOf(grouping)))
  const texts = groupings.flatMap(({ key, print }, index) =>
    key === undefined ? [] : [`mask = ${masks[index]}`, print(nameOf(key))],
  )
  const slotKey = groupings.find(({ slot }) => slot !== undefined)?.slot
  const columns = [
    `transform(mask, [${[...masks, all].join(', ')}], [${[...groupings.map(({ part }) => part), allPart].join(', ')}], ${NO_PART}) AS part`,
    `toInt64(${slotKey === undefined ? '0' : nameOf(slotKey)}) AS slot`,
    `${texts.length === 0 ? "''" : `multiIf(${[...texts, "''"].join(', ')})`} AS text`,
    'n',
    `sum(n) OVER (PARTITION BY mask) < max(if(mask = ${all}, n, 0)) OVER () AS isCut`,
  ]
  const grouped = [
    ...keys.map((key) => `${key} AS ${nameOf(key)}`),
    `toUInt64(grouping(${keys.map(nameOf).join(', ')})) AS mask`,
    'count() AS n',
  ]
  const limit = `SETTINGS max_rows_to_group_by = ${MAX_VALUES}, group_by_overflow_mode = 'any'`
  return `SELECT ${columns.join(', ')} FROM (SELECT ${grouped.join(', ')} ${fromWhere(plan)} GROUP BY GROUPING SETS ((), ${sets.join(', ')}) ${limit})`
}

function keysOf({ slot, key }: Grouping): string[] {
  return [slot, key].filter((sql) => sql !== undefined)
}
