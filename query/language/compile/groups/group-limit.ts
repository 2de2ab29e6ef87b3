// Order and number of groups (search-language#group-by, #interval).

import { REFUSALS, type Refusal } from '../../../../schemas/store/refusals.ts'
import { sortedColumn } from '../columns/sort-keys.ts'
import type { CompileContext } from '../compile-context.ts'
import type { TableColumn, TablePlan } from '../plan/plan.ts'
import { addTableColumns } from '../stages/made-columns.ts'

/** More are refused, also where later stages would cut them. Needs GROUP_SETTINGS. `count`: over
 *  all rows of `sql`. */
export function refuseMany(sql: string, refusal: Refusal, count = 'count()'): string {
  const counted = `SELECT *, ${count} OVER () AS many FROM (${sql})`
  return `SELECT * EXCEPT many FROM (${counted}) WHERE ${refuseSql('many', refusal)} = 0`
}

/** 0, or the failure. */
export function refuseSql(count: string, refusal: Refusal): string {
  const { code, limit } = REFUSALS[refusal]
  return `throwIf(${count} > ${limit}, 'more than ${limit} ${refusal}', toInt16(${code}))`
}

/** After GROUP BY: no more than is needed to see that there are too many. */
export function cutMany(refusal: Refusal): string {
  return `LIMIT ${REFUSALS[refusal].limit + 1}`
}

export const GROUP_SETTINGS = { allow_custom_error_code_in_throwif: 1 } as const

/** First function descending, then keys ascending, as `order by` sorts; total. */
export function ordered(
  plan: TablePlan,
  first: readonly string[],
  { functions, keys }: { functions: readonly TableColumn[]; keys: readonly TableColumn[] },
  context: CompileContext,
): TablePlan {
  const byFunction = functions.slice(0, 1).map((column) => sortedColumn(column, context))
  const byKeys = keys.map((key) => sortedColumn(key, context))
  const ties = keys.flatMap(({ id, cell }) => (cell === 'text' ? [id] : []))
  const columns = [...byFunction, ...byKeys].flatMap((value) => value.columns)
  return {
    ...addTableColumns(plan, columns),
    order: [
      ...first,
      ...byFunction.flatMap((value) => value.keys.map((key) => `${key} DESC`)),
      ...byKeys.flatMap((value) => value.keys),
      ...ties,
    ],
  }
}
