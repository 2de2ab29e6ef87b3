// The stores that a contract test runs on: the embedded one always, a server when
// LOGEYE_TEST_STORE_URL names one, as one of the cluster LOGEYE_TEST_STORE_CLUSTER when that is
// set, too. All its tables are dropped first. Two shards in one process when
// LOGEYE_TEST_STORE_SHARDS is set: for the files language-*.test.ts. Those that are not there are
// no skipped copy of each test: test/contract/machine/variants.test.ts says each once, with its
// reason.
import { afterAll, beforeAll } from 'vitest'
import { migrateStore } from '../../../infra/store/migrate.ts'
import { openStore } from '../../../infra/store/open.ts'
import type { Store } from '../../../infra/store/port.ts'
import { localName, onCluster } from '../../../schemas/store/cluster.ts'
import { TABLES } from '../../../schemas/store/tables.ts'
import { type Missing, missingEvenInCi } from '../run/missing.ts'
import { waitUntil } from '../run/wait-until.ts'
import { openSharedStore } from './shared-store.ts'
import { startTwoShards } from './two-shards.ts'

export type StoreVariant = {
  readonly name: string
  /** Why it does not run here. */
  readonly absent?: Missing
  readonly open: () => Promise<{ store: Store; stop: () => Promise<void> }>
}

const serverUrl = process.env.LOGEYE_TEST_STORE_URL
const clusterName = process.env.LOGEYE_TEST_STORE_CLUSTER
const hasShards = process.env.LOGEYE_TEST_STORE_SHARDS !== undefined

export const ALL_STORE_VARIANTS: readonly StoreVariant[] = [
  { name: 'embedded', open: () => openSharedStore() },
  {
    name: 'server',
    absent: missingEvenInCi(
      serverUrl !== undefined,
      'no ClickHouse server: LOGEYE_TEST_STORE_URL is not set',
    ),
    open: async () => {
      const url = new URL(serverUrl ?? '')
      if (!url.pathname.includes('test') && !url.searchParams.has('test'))
        throw new Error('LOGEYE_TEST_STORE_URL must name a test server: add ?test to it')
      url.search = ''
      const store = await openStore({
        url: url.href,
        isServer: true,
        ...(clusterName === undefined ? {} : { clusterName }),
      })
      const { cluster } = store
      for (const { name } of Object.values(TABLES))
        for (const table of new Set([name, localName(name, cluster)]))
          await store.command({ sql: `DROP TABLE IF EXISTS ${table}${onCluster(cluster)} SYNC` })
      await migrateStore(store)
      return { store, stop: () => store.close() }
    },
  },
  {
    name: 'two shards',
    absent: missingEvenInCi(hasShards, 'by hand: LOGEYE_TEST_STORE_SHARDS=1'),
    open: startTwoShards,
  },
]

export const STORE_VARIANTS = ALL_STORE_VARIANTS.filter(({ absent }) => absent === undefined)

/** Opens the store before the tests of the surrounding `describe`, hands it to `use`, which fills
 *  it, and closes it after them. */
export function openForTests(
  open: StoreVariant['open'],
  use: (store: Store) => Promise<void> | void,
): void {
  let stop: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const opened = await open()
    stop = opened.stop
    await use(opened.store)
  })
  afterAll(async () => {
    await stop?.()
  })
}

/** Runs for a minute unless it is ended; takes hardly any memory. */
export const LONG_QUERY = 'SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1'

/** Failure code and ClickHouse's own code of what a call threw; '' when it did not. */
export async function failureOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return ''
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : `${error}`
  }
}

/** What the store asks itself (write-watch.ts, part-sync.ts), and the question for what is
 *  running. */
const OF_THE_STORE = /\bsystem\.(?:processes|events|parts)\b/

/** Queries of others that the store works on. */
export async function runningQueries(store: Store): Promise<string[]> {
  const rows = await store.query<{ query: string }>({
    sql: 'SELECT query FROM system.processes',
    settings: { priority: 1 },
  })
  return rows.map(({ query }) => query).filter((query) => !OF_THE_STORE.test(query))
}

/** Resolves when the store works on this many queries of others. */
export async function runningOf(store: Store, count: number): Promise<void> {
  let seen: string[] = []
  const isReached = async () => {
    seen = await runningQueries(store)
    return seen.length === count
  }
  await waitUntil(`${count} queries run`, isReached, () => seen)
}
