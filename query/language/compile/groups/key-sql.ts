// A column as a key of groups, or as the thing that is counted: its value as one SQL expression.
import { foldCase, foldExpression } from '../../../../schemas/store/text-index.ts'
import type { SearchableLog } from '../../search-input.ts'
import { FALSE, TRUE } from '../boolean-sql.ts'
import type { ValueSource } from '../columns/column-sql.ts'
import type { TableColumn } from '../plan/plan.ts'
import type { SqlParams } from '../sql-params.ts'
import { anySource, firstText, type Operand, sourceExists, valueText } from '../tests/operand.ts'
import { logIdIn } from '../tests/per-log-test-sql.ts'

export type Key = {
  readonly cell: TableColumn['cell']
  readonly sql: string
  /** True in rows that have the column. */
  readonly exists: string
  /** Equal texts are spelled alike. */
  readonly isOneSpelling?: boolean
  /** What rows may be grouped by instead, and the key of such a group: worked out once a group, not
   *  once a row. */
  readonly pieces?: {
    readonly by: readonly string[]
    readonly key: (names: readonly string[]) => string
  }
}

/** `several`: one row gives a row for each text (app tags). */
export function keySql(operand: Operand, params: SqlParams, use: 'several' | 'one'): Key {
  switch (operand.kind) {
    case 'date': {
      const { sql } = operand
      return operand.unitsPerMs === 1
        ? { cell: 'date', sql, exists: `isNotNull(${sql})` }
        : { cell: 'date', sql: `toUnixTimestamp64Milli(${sql})`, exists: TRUE }
    }
    case 'size':
      return { cell: 'number', sql: operand.sql, exists: TRUE }
    case 'perLog':
      return perLogKey(operand, params, use)
    case 'values': {
      const { spellings } = operand
      const exists = anySource(spellings, sourceExists)
      const [only] = spellings[0] ?? []
      if (spellings.flat().length === 1 && only?.kind === 'double') {
        return { cell: 'number', sql: only.sql, exists }
      }
      return { cell: 'text', sql: valueText(spellings), exists, pieces: sourcePieces(spellings) }
    }
  }
}

/** True of a key that makes several rows of one. */
export function isSeveral(sql: string): boolean {
  return sql.startsWith('arrayJoin(')
}

function sourcePieces(spellings: readonly (readonly ValueSource[])[]): Key['pieces'] {
  const sources = spellings.flat()
  if (sources.length < 2) return undefined
  return {
    by: sources.map(({ sql }) => sql),
    key: (names) => firstText(sources.map(({ kind }, at) => ({ kind, sql: names[at] ?? '' }))),
  }
}

/** How values are told apart: texts without letter case. */
export function identitySql(cell: TableColumn['cell'], sql: string): string {
  return cell === 'text' ? foldExpression(sql) : sql
}

function perLogKey(
  operand: Operand & { readonly kind: 'perLog' },
  params: SqlParams,
  use: 'several' | 'one',
): Key {
  const textsOf = (log: SearchableLog) => operand.textsOf(log).filter((text) => text !== '')
  const logs = operand.logs.filter((log) => textsOf(log).length > 0)
  if (logs.length === 0) return { cell: 'text', sql: "''", exists: FALSE }
  const ids = params.add(
    logs.map(({ id }) => id),
    'Array(UInt32)',
  )
  // Rows are of these logs anyway.
  const exists = logs.length === operand.logs.length ? TRUE : logIdIn(logs, params)
  const spellings = new Set(logs.flatMap(textsOf))
  const isOneSpelling = new Set([...spellings].map(foldCase)).size === spellings.size
  if (use === 'one') {
    const texts = params.add(
      logs.map((log) => textsOf(log).join(', ')),
      'Array(String)',
    )
    const sql = `transform(log_id, ${ids}, ${texts}, '')`
    return { cell: 'text', sql, exists, isOneSpelling }
  }
  const list = (id: string) => `arrayJoin(${perLogList(operand, params, id)})`
  const pieces: Key['pieces'] = { by: ['log_id'], key: ([id = '']) => list(id) }
  return { cell: 'text', sql: list('log_id'), exists, isOneSpelling, pieces }
}

/** Array(String): the texts of the row's log. */
export function perLogList(
  operand: Operand & { readonly kind: 'perLog' },
  params: SqlParams,
  id = 'log_id',
): string {
  const ids = params.add(
    operand.logs.map(({ id }) => id),
    'Array(UInt32)',
  )
  const places = params.add(
    operand.logs.map((_, index) => index + 1),
    'Array(UInt64)',
  )
  const lists = params.add(
    operand.logs.map((log) => operand.textsOf(log).filter((text) => text !== '')),
    'Array(Array(String))',
  )
  return `${lists}[transform(${id}, ${ids}, ${places}, toUInt64(1))]`
}
