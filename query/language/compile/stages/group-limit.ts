// Order and number of groups (search-language 3.2, 3.3).

import { REFUSALS, type Refusal } from '../../../../schemas/store/refusals.ts'
import type { TableColumn } from '../plan.ts'
import { columnKeys } from '../sort-keys.ts'

/** More are refused, also where later stages would cut them. Needs GROUP_SETTINGS. `count`: over all rows of `sql`. */
export function refuseMany(sql: string, refusal: Refusal, count = 'count()'): string {
  const counted = `SELECT *, ${count} OVER () AS many FROM (${sql})`
  return `SELECT * EXCEPT many FROM (${counted}) WHERE ${refuseSql('many', refusal)} = 0`
}

/** 0, or the failure. */
export function refuseSql(count: string, refusal: Refusal): string {
  const { code, limit } = REFUSALS[refusal]
  return `throwIf(${count} > ${limit}, 'more than ${limit} ${refusal}', toInt16(${code}))`
}

/** Behind GROUP BY: no more than is needed to see that there are too many. */
export function cutMany(refusal: Refusal): string {
  return `LIMIT ${REFUSALS[refusal].limit + 1}`
}

export const GROUP_SETTINGS = { allow_custom_error_code_in_throwif: 1 } as const

/** First function descending, then keys ascending, as `order by` sorts. Total. */
export function groupOrder(
  functions: readonly TableColumn[],
  keys: readonly TableColumn[],
): string[] {
  const [first] = functions
  const byKeys = keys.flatMap((key) => order(key, 'ASC'))
  const ties = keys.flatMap(({ id, cell }) => (cell === 'text' ? [id] : []))
  return [...(first ? order(first, 'DESC') : []), ...byKeys, ...ties]
}

function order(column: TableColumn, direction: 'ASC' | 'DESC'): string[] {
  return columnKeys(column, direction).map((key) => `${key.sql} ${key.direction}`)
}
