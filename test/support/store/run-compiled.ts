// The product's answer to a query: compiled, run on a store, printed as the search call prints
// cells.
import type { Store } from '../../../infra/store/port.ts'
import { compileWithColumns } from '../../../query/language/compile-with-columns.ts'
import type { CompiledSearch } from '../../../query/language/compiled.ts'
import { readEventRow } from '../../../query/search/print/event-row-reader.ts'
import { EventTable } from '../../../query/search/print/event-table.ts'
import { SummaryTable } from '../../../query/search/print/summary-table.ts'
import { isFailure } from '../../../schemas/failures.ts'
import { compileDateFormat } from '../../../schemas/time/date-format.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'
import type { StoredWorld } from '../reference/random/random-world.ts'
import type { Answer } from '../reference/run/evaluate.ts'

const DATE_FORMAT = 'MM/dd/yyyy HH:mm:ss'
/** Rows are judged here, not times: a busy machine is no difference. */
const timeoutMs = 600_000

export function searchInput(text: string, { world, columns }: StoredWorld) {
  return {
    text,
    visibleLogs: world.logs,
    columns,
    window: world.window,
    dateFormat: DATE_FORMAT,
    timeZone: world.zone,
    nowMs: world.nowMs,
    maxRows: null,
  }
}

export function compileText(store: Store, text: string, stored: StoredWorld) {
  return compileWithColumns(searchInput(text, stored), (statement) =>
    store.query<{ name: string }>({ ...statement, timeoutMs }),
  )
}

export async function runCompiled(
  store: Store,
  text: string,
  stored: StoredWorld,
): Promise<Answer> {
  return (await runForms(store, text, stored)).whole
}

export type Forms = {
  readonly compiled: CompiledSearch
  readonly whole: Answer
  /** Of the quick form, where there is one that does not refuse several spellings. */
  readonly quick?: Answer | undefined
}

export async function runForms(store: Store, text: string, stored: StoredWorld): Promise<Forms> {
  const compiled = await compileText(store, text, stored)
  const style = {
    dateFormat: compileDateFormat(DATE_FORMAT),
    zone: timeZone(stored.world.zone),
  }
  const logs = new Map(stored.world.logs.map((log) => [log.id, log]))
  const { sql, params, settings } = compiled
  if (compiled.kind === 'events') {
    const table = new EventTable(compiled, logs, style)
    for await (const rows of store.stream({ sql, params, settings, timeoutMs }))
      for (const row of rows) table.add(readEventRow(row))
    return { compiled, whole: toAnswer('events', table.finish()) }
  }
  const { columns, quickSql } = compiled
  const read = async (text: string) => {
    const table = new SummaryTable(columns, style)
    for await (const rows of store.stream({ sql: text, params, settings, timeoutMs }))
      for (const row of rows) table.add(row)
    return toAnswer('table', table.finish())
  }
  const whole = await read(sql)
  if (!quickSql) return { compiled, whole }
  const quick = await read(quickSql).catch((error: unknown) => {
    if (isFailure(error) && error.code === 'store.several_spellings') return undefined
    throw error
  })
  return { compiled, whole, quick }
}

function toAnswer(
  kind: Answer['kind'],
  {
    columns,
    rows,
  }: { columns: readonly string[]; rows: readonly (readonly (string | undefined)[])[] },
): Answer {
  return { kind, columns, rows: rows.map((row) => columns.map((_, index) => row[index] ?? '')) }
}
