// The query app over a real metastore and a given store, called without a socket.
import type { Clock } from '../../../infra/clock.ts'
import { configSchema } from '../../../infra/config-schema.ts'
import type { Logger } from '../../../infra/logger.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import type { Store } from '../../../infra/store/port.ts'
import { makeQueryApp, type QueryAppDeps } from '../../../query/app.ts'
import { type QueryDatabase, silentLogger } from '../database/query-database.ts'
import { testClock } from '../run/test-clock.ts'

export const SEARCH_PATH = '/logeye/view/api/widgetAPI.jsp'

export type Fields = Readonly<Record<string, string | number>>

export function openTestApp(
  db: QueryDatabase,
  store: Store,
  options: {
    search?: Record<string, number>
    logger?: Logger
    store?: Record<string, number>
    /** Default: everything that is in the store. */
    readArrived?: QueryAppDeps['readArrived']
    clock?: Clock
    oidc?: Record<string, unknown>
    /** Default: the commands are refused. */
    patterns?: QueryAppDeps['patterns']
    /** Default: paths are an administrator's. */
    pathRules?: QueryAppDeps['pathRules']
    /** Default: secrets are refused. */
    keyFile?: string
    /** Default: the command is refused. */
    checkProduct?: QueryAppDeps['checkProduct']
    /** Default: nothing. */
    keptFreeBytes?: number
    /** Of ids, cursors and positions. */
    placeKey?: Uint8Array
    version?: string
  } = {},
) {
  const { clock = testClock } = options
  const metrics = openMetrics('test')
  const app = makeQueryApp({
    store,
    metastore: db.metastore,
    clock,
    logger: options.logger ?? silentLogger,
    metrics,
    config: configSchema.parse({
      search: { hintsWithinMs: 20_000, ...options.search },
      store: options.store ?? {},
      oidc: options.oidc ?? {},
    }),
    version: options.version ?? '1.2.3',
    patterns: options.patterns,
    pathRules: options.pathRules,
    secretKeys: new SecretKeys(options.keyFile, clock),
    checkProduct: options.checkProduct,
    placeKey: options.placeKey ?? Buffer.alloc(32, 7),
    keptFreeBytes: options.keptFreeBytes ?? 0,
    readArrived: options.readArrived ?? (async () => [{ offset: 2 ** 48, index: 0 }]),
  })
  const call = (path: string, init?: RequestInit, address = '10.0.0.1') =>
    app.fetch(new Request(`http://localhost${path}`, init), { address })
  const asAdmin = { autoLogin: 'true', username: 'admin', password: db.adminPassword }
  const search = (fields: Fields, user: Fields = asAdmin, init?: RequestInit) => {
    const all = { widgetId: 'searchAPI', ...fields, ...user }
    const address = new URLSearchParams()
    for (const [name, value] of Object.entries(all)) address.set(name, String(value))
    return call(`${SEARCH_PATH}?${address}`, init)
  }
  return { app, metrics, call, search, asAdmin }
}

/** Status and, when it failed, the message of a search answer. */
export async function readState(answer: Response): Promise<string> {
  const text = await answer.text()
  const state = /<Status state="(\w+)"/.exec(text)?.[1]
  const message = /<Message code="(\d)">(.*?)<\/Message>/s.exec(text)
  return [answer.status, state, ...(message ? [`[${message[1]}]`, message[2]] : [])].join(' ')
}
