// A cluster of two shards inside one embedded engine: the tables over all are the cluster's own
// (Distributed), those of the shards are one table without replication, of which each shard shows
// half of the rows. So statements are planned, cut into parts, sent and merged as on a cluster.
// What it cannot show: Keeper, copies, ON CLUSTER, inserts through the tables over all, anything
// that is lost between servers.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateStore } from '../../../infra/store/migrate.ts'
import { openStore } from '../../../infra/store/open.ts'
import type { Store, StoreQuery } from '../../../infra/store/port.ts'
import { startEmbeddedStore } from './embedded-store.ts'

const NAME = 'two'
const SHARD =
  '<shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host><port>9000</port></replica></shard>'
/** The engine takes a server at its own port for itself, and asks it without a connection. */
const CONFIGURATION = `<clickhouse>
  <tcp_port>9000</tcp_port>
  <remote_servers><${NAME}>${SHARD}${SHARD}</${NAME}></remote_servers>
</clickhouse>
`
const HALVES = {
  events_local: '(offset + `index`) % 2 = shardNum() - 1',
  counts_local: 'log_id % 2 = shardNum() - 1',
  results_local: 'sipHash64(result) % 2 = shardNum() - 1',
}

export async function startTwoShards(): Promise<{ store: Store; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'logeye-test-shards-'))
  const configFile = join(folder, 'cluster.xml')
  await writeFile(configFile, CONFIGURATION)
  const embedded = await startEmbeddedStore({ configFile, shouldMigrate: false })
  const { url, password } = embedded
  const cluster = await openStore({ url, password, clusterName: NAME })
  const store = inOneProcess(cluster, embedded.store)
  await migrateStore(store)
  return {
    store,
    stop: async () => {
      await cluster.close()
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function inOneProcess(cluster: Store, own: Store): Store {
  const filters = Object.entries(HALVES).map(([table, half]) => `'${table}': '${half}'`)
  const here = (query: StoreQuery): StoreQuery => ({
    ...query,
    sql: withoutServers(query.sql),
    settings: {
      additional_table_filters: `{${filters.join(', ')}}`,
      ...query.settings,
      prefer_localhost_replica: 1,
    },
  })
  return {
    cluster: cluster.cluster,
    query: (query) => cluster.query(here(query)),
    stream: (query, reading) => cluster.stream(here(query), reading),
    measure: (query) => cluster.measure(here(query)),
    command: (query) => cluster.command(here(query)),
    readPacked: (query) => cluster.readPacked(here(query)),
    insertNative: (insert) => own.insertNative({ ...insert, table: `${insert.table}_local` }),
    kill: (queryId) => own.kill(queryId),
    catchUp: async () => {},
    ping: () => own.ping(),
    close: () => cluster.close(),
  }
}

function withoutServers(sql: string): string {
  return sql
    .replace(/ ON CLUSTER `\w+`/, '')
    .replace(/Replicated(\w+)\('[^']*', '[^']*'\)/, '$1')
    .replace(/replicated_deduplication_window(?:_seconds)? = \d+, /g, '')
}
