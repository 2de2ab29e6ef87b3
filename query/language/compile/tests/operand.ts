// What a column test compares: where the value of a column is in a row.
import type { SearchableLog } from '../../search-input.ts'
import { FALSE, sqlAnd, sqlOr, sqlPresent, sqlWhere } from '../boolean-sql.ts'
import { doubleText, type ValueSource } from '../columns/column-sql.ts'

export type Operand =
  /** Values by spelling: a row's value is that of the first spelling it has. None: no row has the
   *  column. */
  | {
      readonly kind: 'values'
      readonly spellings: readonly (readonly ValueSource[])[]
      /** Numbers that were worked out: printed with at most 15 digits (search-language#formats). */
      readonly isComputed?: boolean
    }
  /** A whole number that every row has. */
  | { readonly kind: 'size'; readonly sql: string }
  /** Moment: `sql` counts `unitsPerMs` a millisecond from the epoch. */
  | { readonly kind: 'date'; readonly sql: string; readonly unitsPerMs: 1 | 1_000_000 }
  /** Texts that a log gives to all its events. */
  | {
      readonly kind: 'perLog'
      readonly logs: readonly SearchableLog[]
      readonly textsOf: (log: SearchableLog) => readonly string[]
    }

export const NO_COLUMN: Operand = { kind: 'values', spellings: [] }

export function textOperand(sql: string): Operand {
  return { kind: 'values', spellings: [[{ kind: 'text', sql }]] }
}

export function sourceExists(source: ValueSource): string {
  return source.kind === 'text' ? sqlPresent(source.sql) : `isNotNull(${source.sql})`
}

/** `test` of the source that has the value. */
export function anySource(
  spellings: readonly (readonly ValueSource[])[],
  test: (source: ValueSource) => string,
): string {
  const conditions: string[] = []
  const missing: string[] = []
  for (const sources of spellings) {
    const found = sqlOr(sources.map((source) => guardedBy(source, test(source))))
    if (found !== FALSE) conditions.push(sqlAnd([...missing, found]))
    missing.push(...sources.map((source) => `NOT (${guardedBy(source, sourceExists(source))})`))
  }
  return sqlOr(conditions)
}

/** A condition of a source that is asked for only where it may have something. */
function guardedBy(source: ValueSource, condition: string): string {
  const guard = source.kind === 'text' ? source.guard : undefined
  if (guard === undefined || condition === FALSE) return condition
  return sqlWhere(guard, condition)
}

/** The value as text, '' when missing. */
export function valueText(spellings: readonly (readonly ValueSource[])[]): string {
  return firstText(spellings.flat())
}

export function firstText(sources: readonly ValueSource[]): string {
  const texts = sources.map(({ kind, sql }) => (kind === 'text' ? sql : doubleText(sql)))
  const [first, ...more] = texts
  if (first === undefined) return "''"
  if (more.length === 0) return first
  const present = texts.slice(0, -1).flatMap((text) => [`${text} != ''`, text])
  return `multiIf(${[...present, texts.at(-1)].join(', ')})`
}
