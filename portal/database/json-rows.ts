// Many rows in one parameter: a statement over them has one text however many there are, so it is
// built and prepared once, and a write of thousands of rows costs little beside their storing.
import { type RawBuilder, SqliteAdapter, sql } from 'kysely'
import type { PortalReader } from './open.ts'

type ColumnType = 'text' | 'bigint'

/** A table expression, to be given a name. Texts hold no NUL and no lone surrogate. */
export function jsonRows<Name extends string>(
  db: Pick<PortalReader, 'getExecutor'>,
  columns: Readonly<Record<Name, ColumnType>>,
  rows: readonly Readonly<Record<NoInfer<Name>, string | number | null>>[],
): RawBuilder<unknown> {
  const names = Object.keys(columns).filter((name): name is Name => Object.hasOwn(columns, name))
  const json = JSON.stringify(rows.map((row) => names.map((name) => row[name])))
  if (db.getExecutor().adapter instanceof SqliteAdapter) {
    const cells = names.map(
      (name, at) => sql`json_extract(value, ${sql.lit(`$[${at}]`)}) as ${sql.ref(name)}`,
    )
    return sql`(select ${sql.join(cells)} from json_each(${json}))`
  }
  const cells = names.map(
    (name, at) => sql`(value->>${sql.lit(at)})::${sql.raw(columns[name])} as ${sql.ref(name)}`,
  )
  return sql`(select ${sql.join(cells)} from json_array_elements(${json}::json) as each_row(value))`
}
