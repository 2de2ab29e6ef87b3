// The active parts of one partition of a table, with the folders that hold them.
import type { Store } from '../../infra/store/port.ts'

export type ActivePart = {
  readonly name: string
  readonly path: string
  readonly first: number
  readonly last: number
  readonly rows: number
}

export async function listActive(
  store: Pick<Store, 'query'>,
  table: string,
  partitionId: string,
): Promise<ActivePart[]> {
  const rows = await store.query<{
    name: string
    path: string
    first: string
    last: string
    rows: string
  }>({
    sql: `SELECT name, path, toInt64(min_block_number) AS first, toInt64(max_block_number) AS last, toUInt64(rows) AS rows FROM system.parts
      WHERE database = currentDatabase() AND table = {table: String} AND active AND partition_id = {partition: String}`,
    params: { table, partition: partitionId },
  })
  return rows.map((row) => ({
    name: row.name,
    path: row.path,
    first: Number(row.first),
    last: Number(row.last),
    rows: Number(row.rows),
  }))
}
