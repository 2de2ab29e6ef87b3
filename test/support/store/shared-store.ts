// One embedded store for all files of a worker. Each file gets it empty, with tables that were just
// migrated. Files that test the life of the store's process, its limits or its directories start
// their own (embedded-store.ts).
import { migrateStore } from '../../../infra/store/migrate.ts'
import { openStore } from '../../../infra/store/open.ts'
import type { Store } from '../../../infra/store/port.ts'
import { type EmbeddedStore, startEmbeddedStore } from './embedded-store.ts'

export type SharedStore = {
  readonly store: Store
  readonly url: string
  readonly password: string
  /** Closes the connections of this file; the process serves the next file. */
  stop(): Promise<void>
}

let running: Promise<EmbeddedStore> | undefined

/** The store is used by one file at a time: workers run their files one after the other. */
export async function openSharedStore(
  options: { shouldMigrate?: boolean } = {},
): Promise<SharedStore> {
  running ??= startForWorker()
  const { url, password } = await running
  const store = await openStore({ url, password })
  await dropTables(store)
  if (options.shouldMigrate ?? true) await migrateStore(store)
  return { store, url, password, stop: () => store.close() }
}

/** The process ends with its worker, whose channel it watches (store-process.ts). */
async function startForWorker(): Promise<EmbeddedStore> {
  const engine = await startEmbeddedStore({ shouldMigrate: false })
  process.once('exit', () => void engine.removeAtExit())
  return engine
}

async function dropTables(store: Store): Promise<void> {
  const tables = await store.query<{ name: string }>({
    sql: "SELECT name FROM system.tables WHERE database = 'default'",
  })
  // Not SYNC: it would wait for every search that a test left behind.
  for (const { name } of tables) await store.command({ sql: `DROP TABLE IF EXISTS ${name}` })
}
