// Events as the result: the rows that the search call prints (compiled.ts EventRow).
import { SHOWN_NAMES_SQL } from '../../../../schemas/shown-columns.ts'
import type { CompiledEvents, EventCell } from '../../compiled.ts'
import { toParsedColumn } from '../../resolve/known-columns.ts'
import type { CompileContext } from '../compile-context.ts'
import { carrySql, maxRowsSql, orderSql, selectFrom } from './event-plan.ts'
import type { EventPlan, ShownColumn } from './plan.ts'

const PLACE = ['toUnixTimestamp64Nano(timestamp) AS timestampNs', 'log_id AS logId']

/** What an EventRow is made of (search/event-row-reader.ts), in its order: for parsed columns,
 *  messages and raw texts. */
export const WHOLE = [
  ...PLACE,
  ...['host', 'source', 'message', 'layout', 'raw', 'size', 'rest', 'names', 'others'],
  ...['id_names', 'ids'],
]

/** Where every cell is a text of its own. No name of a column of the table: conditions would mean
 *  these. */
const NARROW = [
  ...PLACE,
  ...['host', 'source', "'' AS noMessage", "'' AS noLayout", "'' AS noRaw", 'size'],
  ...["'' AS noRest", "'' AS noNames", "'' AS noOthers", "'' AS noIdNames", "'' AS noIds"],
]
const NO_NAMES = 'emptyArrayString()'

export function eventResult(
  plan: EventPlan,
  maxRows: number | null,
  context: CompileContext,
  settings: CompiledEvents['settings'],
): CompiledEvents {
  const { columns, cells, namesSql } = shownOf(plan)
  return {
    kind: 'events',
    // The engine itself reads the wide columns of the rows that are shown only (lazy
    // materialization), up to 10,000 of them.
    sql: `${selectFrom(plan, columns.join(', '))}${orderSql(plan)}${maxRowsSql(maxRows, context)}`,
    countSql: `SELECT count() AS total FROM (${selectFrom(plan, '1')} LIMIT {countLimit:UInt64})`,
    params: context.params.values(),
    settings,
    cells,
    namesSql,
    parsedColumns: [...plan.entries.values()].map(toParsedColumn),
  }
}

type Shown = Pick<CompiledEvents, 'cells' | 'namesSql'> & { readonly columns: readonly string[] }

function shownOf(plan: EventPlan): Shown {
  if (plan.cells === 'all') return { columns: WHOLE, cells: 'all', namesSql: SHOWN_NAMES_SQL }
  const texts: string[] = []
  const cells = plan.cells.map((cell): EventCell => {
    const name = cell.title
    if (cell.kind === 'builtIn') return { kind: 'builtIn', name, column: cell.column }
    if (cell.kind === 'parsed') return { kind: 'parsed', name, column: cell.column }
    texts.push(carrySql(cell.sql, plan.layers.slice(cell.level)))
    return { kind: 'text', name, index: texts.length - 1 }
  })
  const isWhole = plan.cells.some(isPutTogether)
  const list = texts.length === 0 ? 'emptyArrayString()' : `[${texts.join(', ')}]`
  return {
    columns: [...(isWhole ? WHOLE : NARROW), `${list} AS texts`],
    cells,
    namesSql: isWhole ? SHOWN_NAMES_SQL : NO_NAMES,
  }
}

function isPutTogether(cell: ShownColumn): boolean {
  if (cell.kind === 'text') return false
  return cell.kind === 'parsed' || cell.column === 'raw' || cell.column === 'message'
}
