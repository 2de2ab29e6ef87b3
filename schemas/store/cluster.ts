// What the names of the store's tables mean on a cluster: each table is one that spans the servers
// (Distributed), over one of each server (`…_local`). SQL that says `events` reads and writes the
// first; what is done to partitions is done to the second. Without a cluster both are one table of
// one server.
import { WORDS_DICTIONARY, WORDS_INDEX_NAME } from './text-index.ts'

const FILTERS = 'additional_table_filters'

export type StoreCluster = {
  /** As in the servers' `remote_servers`. */
  readonly name: string
  readonly database: string
}

/** Names that stand in SQL and in paths of Keeper as they are. */
export const CLUSTER_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/

/** The table whose partitions are listed and dropped. */
export function localName(table: string, cluster: StoreCluster | undefined): string {
  return cluster === undefined ? table : `${table}_local`
}

/** With a space before it, or nothing. */
export function onCluster(cluster: StoreCluster | undefined): string {
  return cluster === undefined ? '' : ` ON CLUSTER \`${cluster.name}\``
}

/** A table of `system`, of every server. */
export function systemTable(name: string, cluster: StoreCluster | undefined): string {
  return cluster === undefined
    ? `system.${name}`
    : `clusterAllReplicas('${cluster.name}', system.${name})`
}

/** The statement with the words of every shard: a table function knows its own server only. */
export function withWordsOfAll(sql: string, cluster: StoreCluster | undefined): string {
  if (cluster === undefined || !sql.includes(WORDS_DICTIONARY)) return sql
  const { name, database } = cluster
  const local = `mergeTreeTextIndex('${database}', '${localName('events', cluster)}', '${WORDS_INDEX_NAME}')`
  return sql.replaceAll(WORDS_DICTIONARY, `cluster('${name}', ${local})`)
}

/** The setting by which every read of a table sees only rows that meet `condition`: under its own
 *  name and that of its shards. */
export function filterSettings(table: string, condition: string): { [FILTERS]: string } {
  const names = [table, `${table}_local`]
  const quoted = condition.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
  return { [FILTERS]: `{${names.map((it) => `'${it}': '${quoted}'`).join(', ')}}` }
}

/** `settings` with this condition beside the one that they have of `filterSettings`. */
export function addFilter(
  settings: Readonly<Record<string, string | number>> | undefined,
  table: string,
  condition: string,
): Readonly<Record<string, string | number>> {
  const [, quoted] =
    /^\{'[^']*': '((?:[^'\\]|\\.)*)'/s.exec(String(settings?.[FILTERS] ?? '')) ?? []
  const before = quoted?.replace(/\\(.)/gs, '$1')
  const both = before === undefined ? condition : `(${before}) AND (${condition})`
  return { ...settings, ...filterSettings(table, both) }
}
