// The DDL of a table in the form that was chosen: a MergeTree of one server, or of a cluster one of
// each server, replicated within its shard, under a Distributed one.
import { localName, onCluster, type StoreCluster } from './cluster.ts'

export type TableShape = {
  readonly name: string
  /** In its path in Keeper; default the name. A table of another form, which takes the place of
   *  one, needs another. */
  readonly keeperName?: string
  /** Columns and indexes. */
  readonly body: readonly string[]
  readonly engine: 'MergeTree' | 'AggregatingMergeTree' | 'ReplacingMergeTree'
  readonly partitionBy?: string
  readonly orderBy: string
  readonly ttl?: string
  readonly settings: string
} & (
  | {
      /** On a cluster: by all servers of a shard, or by the one that took the insert. */
      readonly copies: 'replicated' | 'one'
      readonly shardBy: string
    }
  /** All rows on all servers. */
  | { readonly copies: 'everywhere' }
)

/** The look-up of the writer decides what is there (exactly once), not a log of block ids, which an
 *  engine alone may lose. */
const NO_BLOCK_IDS = 'non_replicated_deduplication_window = 0'
/** Replicated tables commit the ids of blocks together with the part: kept for a week
 *  against the insert of a writer that was thought dead. */
const BLOCK_IDS =
  'replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800'

/** One statement without a cluster, else that of each server and the one over them. */
export function createTable(table: TableShape, cluster: StoreCluster | undefined): string[] {
  if (cluster === undefined) {
    const settings =
      table.copies === 'replicated' ? `${NO_BLOCK_IDS}, ${table.settings}` : table.settings
    return [`CREATE TABLE IF NOT EXISTS ${table.name} ${bodyOf(table, table.engine, settings)}`]
  }
  const { name, database } = cluster
  const create = (its: string) =>
    `CREATE TABLE IF NOT EXISTS \`${database}\`.${its}${onCluster(cluster)}`
  if (table.copies === 'everywhere')
    return [`${create(table.name)} ${bodyOf(table, replicated(table, cluster), table.settings)}`]
  const local = localName(table.name, cluster)
  const own =
    table.copies === 'replicated'
      ? bodyOf(table, replicated(table, cluster), `${BLOCK_IDS}, ${table.settings}`)
      : bodyOf(table, table.engine, table.settings)
  return [
    `${create(local)} ${own}`,
    `${create(table.name)} AS \`${database}\`.${local} ENGINE = Distributed('${name}', '${database}', '${local}', ${table.shardBy})`,
  ]
}

/** The path is written out, since a table that is made again for a new server must be the same one:
 *  a {uuid} would be another. */
function replicated(table: TableShape, { name, database }: StoreCluster): string {
  const isEverywhere = table.copies === 'everywhere'
  const path = `/clickhouse/logeye/${name}/${database}/${isEverywhere ? 'all' : '{shard}'}/${table.keeperName ?? table.name}`
  const replica = isEverywhere ? '{shard}-{replica}' : '{replica}'
  return `Replicated${table.engine}('${path}', '${replica}')`
}

function bodyOf(table: TableShape, engine: string, settings: string): string {
  const partition = table.partitionBy === undefined ? '' : ` PARTITION BY ${table.partitionBy}`
  const ttl = table.ttl === undefined ? '' : ` TTL ${table.ttl}`
  return `(
  ${table.body.join(',\n  ')}
) ENGINE = ${engine}${partition} ORDER BY ${table.orderBy}${ttl}
SETTINGS ${settings}`
}
