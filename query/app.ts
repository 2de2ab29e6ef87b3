// The query role's HTTP surface: a Hono app over the search API, the SDK channel and the pages.
// Every answer carries the headers of decision 7.3; what a surface did not answer itself ends here
// as the JSON envelope.
import { Hono } from 'hono'
import { type MayOperate, makeMayOperate } from '../infra/access/may-operate.ts'
import { SECURITY_OFF, watchSecurity } from '../infra/access/security-warning.ts'
import { makeSignIn } from '../infra/access/sign-in.ts'
import { makeSignInTelemetry } from '../infra/access/telemetry.ts'
import type { Clock } from '../infra/clock.ts'
import { type Config, publicUrlOf } from '../infra/config-schema.ts'
import { FairQueue } from '../infra/fair-queue.ts'
import { describeError, type Logger } from '../infra/logger.ts'
import {
  readDamage as readStoredDamage,
  shareDamage,
} from '../infra/metastore/ledger/store-damage.ts'
import type { OpenedMetastore } from '../infra/metastore/open.ts'
import type { Metrics } from '../infra/metrics.ts'
import type { Store } from '../infra/store/port.ts'
import { envelope, envelopeOf, failedEnvelope } from './envelope.ts'
import { makeOpenApi } from './openapi/document.ts'
import { printStartPage, START_PAGE_POLICY } from './pages/start-page.ts'
import { makeSdkApp } from './sdk/server/app.ts'
import { makeReplayRejected, type ReplayTarget } from './sdk/server/replay-events.ts'
import { makeExportQueue, maxExports } from './search/results/export.ts'
import { makeResultFileApi } from './search/results/result-file.ts'
import { FILES_PATH } from './search/results/result-life.ts'
import { makeSearchApi } from './search/search-api.ts'
import { openSearchAudit } from './search/search-audit.ts'
import { makeSearchTelemetry } from './search/telemetry.ts'
import { makeSearchJsonApp, SEARCH_JSON_PATH } from './search-json/app.ts'
import type { ReadArrived } from './search-json/arrived.ts'
import { PlaceCodec } from './search-json/place-codec.ts'

export type QueryAppDeps = {
  readonly store: Store
  readonly metastore: OpenedMetastore
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly config: Pick<Config, 'search' | 'store' | 'publicUrl' | 'http'>
  /** Of the product, as package.json says. */
  readonly version: string
  /** 32 bytes, the same in every query process: of the ids and cursors that we hand out. */
  readonly placeKey: Uint8Array
  readonly readArrived: ReadArrived
  /** Takes rejected events in again; absent: the command is refused. */
  readonly replay?: ReplayTarget | undefined
  /** Of the disk: nothing that a search writes may take it. */
  readonly keptFreeBytes: number
}

export type QueryApp = {
  fetch(request: Request, client: { address: string }): Promise<Response>
  readonly mayOperate: MayOperate
  /** What it serves, as the OpenAPI document names it; `ALL` refuses other methods. */
  readonly routes: readonly { readonly method: string; readonly path: string }[]
  /** Cancels what runs (code 4) and waits, at most `STOP_MS`, until it has been answered and
   *  audited. */
  stop(): Promise<void>
}

type Env = { Bindings: { readonly address: string } }

const STOP_MS = 3000

export function makeQueryApp(deps: QueryAppDeps): QueryApp {
  const { clock, config, logger, metastore, metrics } = deps
  const stopping = new AbortController()
  const signIn = makeSignIn({ metastore, clock, telemetry: makeSignInTelemetry(metrics, logger) })
  const queue = new FairQueue({
    maxRunning: config.search.maxConcurrent,
    maxWaiting: config.search.maxQueued,
    // One place is for somebody else, if that leaves one beside own exports.
    maxRunningOfOne: Math.max(
      maxExports(config.search.maxConcurrent) + 1,
      config.search.maxConcurrent - 1,
    ),
  })
  const audit = openSearchAudit({ metastore, logger, clock })
  const publicUrl = publicUrlOf(config, config.http.plainPort)
  const { database } = metastore
  const readDamage = shareDamage(
    () => readStoredDamage(database.read),
    () => clock.elapsedMs(),
  )
  const searchDeps = {
    ...deps,
    database,
    readDamage,
    audit,
    signIn,
    queue,
    exports: makeExportQueue(config.search.maxConcurrent),
    maxQueryMemoryBytes: config.store.maxQueryMemoryBytes,
    publicUrl,
    stopping: stopping.signal,
  }
  const telemetry = makeSearchTelemetry(metrics, queue)
  const searchApiDeps = { ...searchDeps, telemetry, limits: config.search }
  const search = makeSearchApi(searchApiDeps)
  const searchJson = makeSearchJsonApp({
    ...searchApiDeps,
    places: new PlaceCodec(deps.placeKey, clock),
    maxTails: config.search.maxTails,
  })
  const resultFile = makeResultFileApi(searchDeps)
  const pages = { publicUrl, version: deps.version }
  const startPage = printStartPage(pages)
  const startPageOfAll = printStartPage({ ...pages, warning: SECURITY_OFF })
  const endWatch = watchSecurity({ metastore, logger, metrics })

  const app = new Hono<Env>()
  app.use(async (context, next) => {
    await next()
    const { headers } = context.res
    headers.set('cache-control', 'no-store')
    headers.set('referrer-policy', 'no-referrer')
    headers.set('x-content-type-options', 'nosniff')
  })
  app.on(['GET', 'POST'], '/logeye/view/api/widgetAPI.jsp', (context) =>
    search(context, context.env.address),
  )
  app.get(`${FILES_PATH}/:name`, (context) => resultFile(context, context.env.address))
  app.route(SEARCH_JSON_PATH, searchJson)
  app.get('/logeye/api/openapi.json', (context) =>
    context.json(makeOpenApi({ version: deps.version, publicUrl })),
  )
  const { store, replay: target } = deps
  const replayRejected = target && makeReplayRejected({ store, metastore, clock, target })
  app.route('/logeye/sdk', makeSdkApp({ ...deps, signIn, replayRejected }))
  app.get('/logeye/restapi/version', () => envelope({ name: 'logeye', version: deps.version }))
  app.get('/logeye/root.html', (context) =>
    context.html(metastore.isSecurityOn() ? startPage : startPageOfAll, 200, {
      'content-security-policy': START_PAGE_POLICY,
    }),
  )
  for (const path of ['/', '/logeye', '/logeye/'])
    app.get(path, (context) => context.redirect('/logeye/root.html'))
  refuseOtherMethods(app)
  app.notFound(() => failedEnvelope(404, 'not found'))
  app.onError((error) => {
    const answer = envelopeOf(error)
    if (answer.status === 500) logger.error('request failed', describeError(error))
    return answer
  })

  const open = new Set<Promise<unknown>>()
  return {
    fetch: async (request, client) => {
      const answer = Promise.resolve(app.fetch(request, client))
      open.add(answer)
      try {
        return await answer
      } finally {
        open.delete(answer)
      }
    },
    mayOperate: makeMayOperate(signIn),
    routes: app.routes.map(({ method, path }) => ({
      method,
      path: path.replaceAll(/:(\w+)/g, '{$1}'),
    })),
    stop: async () => {
      stopping.abort()
      endWatch()
      const ended = Promise.allSettled(open).then(() => audit.flush())
      await Promise.race([ended, clock.sleep(STOP_MS)])
    },
  }
}

const METHODS = new Map([
  ['/logeye/view/api/widgetAPI.jsp', 'GET, POST'],
  ['/logeye/restapi/version', 'GET'],
  ['/logeye/api/openapi.json', 'GET'],
  ['/logeye/root.html', 'GET'],
])

function refuseOtherMethods(app: Hono<Env>): void {
  for (const [path, allowed] of METHODS)
    app.all(path, () => {
      const answer = failedEnvelope(405, `the methods allowed here are ${allowed}`)
      answer.headers.set('allow', allowed)
      return answer
    })
}
