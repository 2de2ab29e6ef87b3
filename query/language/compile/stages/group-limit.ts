// Order and number of groups (search-language 3.2).
import { foldExpression } from '../../../../schemas/store/text-index.ts'
import type { TableColumn } from '../plan.ts'

const MAX_GROUPS = 100_000
/** ClickHouse's code of a query that needs too much memory: the search call answers it with code 5. */
const TOO_MUCH = 241

/** More groups are refused, also where later stages would cut them. Needs GROUP_SETTINGS. */
export function refuseManyGroups(sql: string): string {
  const counted = `SELECT *, count() OVER () AS groups FROM (${sql})`
  const check = `throwIf(groups > ${MAX_GROUPS}, 'more than ${MAX_GROUPS} groups', toInt16(${TOO_MUCH}))`
  return `SELECT * EXCEPT groups FROM (${counted}) WHERE ${check} = 0`
}

export const GROUP_SETTINGS = { allow_custom_error_code_in_throwif: 1 } as const

/** First function descending, then keys ascending: numbers before text, text without letter case. */
export function groupOrder(
  functions: readonly TableColumn[],
  keys: readonly TableColumn[],
): string[] {
  const [first] = functions
  const byKeys = keys.flatMap(({ id, cell }) =>
    cell === 'text' ? [`toFloat64OrNull(${id}) NULLS LAST`, foldExpression(id), id] : [id],
  )
  return first ? [`${first.id} DESC`, ...byKeys] : byKeys
}
