// The query role's HTTP surface: the route tables of its surfaces, served through one edge, and the
// OpenAPI document of the same tables.
import { type MayOperate, makeMayOperate } from '../infra/access/may-operate.ts'
import { SECURITY_OFF, watchSecurity } from '../infra/access/security-warning.ts'
import { openDoor } from '../infra/access/sign-in.ts'
import { makeSignInTelemetry } from '../infra/access/telemetry.ts'
import type { Clock } from '../infra/clock.ts'
import { type Config, mailServerOf, publicUrlOf } from '../infra/config-schema.ts'
import type { NamedFinding } from '../infra/doctor/check.ts'
import { FairQueue } from '../infra/fair-queue.ts'
import type { PathRules } from '../infra/files/path-rules.ts'
import { HEALTH_TABLE } from '../infra/health-routes.ts'
import { printOpenApi } from '../infra/http/routes/print-openapi.ts'
import type { Route } from '../infra/http/routes/route.ts'
import { serveRoutes } from '../infra/http/routes/serve-routes.ts'
import { openStaticFiles } from '../infra/http/static-files.ts'
import { describeError, type Logger } from '../infra/logger.ts'
import { openMailer } from '../infra/mail/open-mailer.ts'
import {
  readDamage as readStoredDamage,
  shareDamage,
} from '../infra/metastore/ledger/store-damage.ts'
import type { OpenedMetastore } from '../infra/metastore/open.ts'
import { readHiddenEvents } from '../infra/metastore/retention/hidden-events.ts'
import type { Metrics } from '../infra/metrics.ts'
import type { SecretKeys } from '../infra/secrets/secret-keys.ts'
import { hideDeleted } from '../infra/store/hide-deleted.ts'
import type { Store } from '../infra/store/port.ts'
import { makeOidcTable } from './access/oidc-table.ts'
import { makeSessionTable } from './access/session-table.ts'
import { makeUserViewTable } from './access/user-view-table.ts'
import { makeConfigurationTable } from './configuration/configuration-table.ts'
import { readTagQuery } from './configuration/source-scope.ts'
import { makeDashboardsTable } from './dashboards/dashboards-table.ts'
import { DocumentMaker } from './dashboards/document/document-maker.ts'
import { makeExportTable } from './dashboards/routes/export-routes.ts'
import { makeResultRoutes } from './dashboards/routes/result-routes.ts'
import { FAILED_ENVELOPE } from './edge/envelope.ts'
import { OpenWork } from './edge/open-work.ts'
import { RunningSearches } from './edge/running-searches.ts'
import { openSearchAudit } from './edge/search-audit.ts'
import { makeServeCall } from './edge/serve-call.ts'
import { makeSearchTelemetry } from './edge/telemetry.ts'
import { makeTryMonitor } from './monitors/dry-run.ts'
import { openApiHead } from './openapi/head.ts'
import { LISTENER_TABLE } from './openapi/listener-routes.ts'
import { makeConsoleTable } from './pages/console-table.ts'
import { makeLoadSearch } from './pages/load-search.ts'
import { unknownPage } from './pages/page-with-status.ts'
import { makePagesTable } from './pages/pages-table.ts'
import { printStartPage } from './pages/start-page.ts'
import { makeSavedSearchesTable } from './saved-searches/saved-searches-table.ts'
import { makeExamine } from './sdk/server/examine.ts'
import type { LifecycleTools } from './sdk/server/lifecycle-tools.ts'
import type { TryMask } from './sdk/server/mask-tools.ts'
import { makeTellTarget } from './sdk/server/monitor-tools.ts'
import type { PatternTools } from './sdk/server/pattern-tools.ts'
import { makeReplayRejected, type ReplayTarget } from './sdk/server/replay-events.ts'
import { makeSdkTable } from './sdk/server/sdk-table.ts'
import { makeExportQueue, maxExports } from './search/results/export.ts'
import { makeResultFileApi } from './search/results/result-file.ts'
import { makeSearchApi } from './search/search-api.ts'
import { makeSearchTable } from './search/search-table.ts'
import type { ReadArrived } from './search-json/arrived.ts'
import { PlaceCodec } from './search-json/place-codec.ts'
import { makeSearchJsonTable } from './search-json/search-json-table.ts'
import { makeStatisticsTable } from './statistics/statistics-table.ts'

export type QueryAppDeps = {
  readonly store: Store
  readonly metastore: OpenedMetastore
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly config: Pick<
    Config,
    'search' | 'store' | 'publicUrl' | 'http' | 'nodeName' | 'oidc' | 'mail'
  >
  /** Of the product, as package.json says. */
  readonly version: string
  /** 32 bytes, the same in every query process: of the ids and cursors that we hand out. */
  readonly placeKey: Uint8Array
  readonly readArrived: ReadArrived
  /** Takes rejected events in again; absent: the command is refused. */
  readonly replay?: ReplayTarget | undefined
  /** Verifies and suggests patterns; absent: the commands are refused. */
  readonly patterns?: PatternTools | undefined
  /** Absent: dry runs of masking are refused. */
  readonly tryMask?: TryMask
  /** The checks of `doctor`; absent: the command is refused. */
  readonly checkProduct?: (() => Promise<readonly NamedFinding[]>) | undefined
  /** Of the product as a whole; absent: the commands are refused. */
  readonly lifecycle?: LifecycleTools | undefined
  /** Of accounts; absent: their secrets are refused. */
  readonly secretKeys?: SecretKeys | undefined
  /** Absent: only administrators give paths. */
  readonly pathRules?: PathRules | undefined
  /** Of the disk: nothing that a search writes may take it. */
  readonly keptFreeBytes: number
}

export type QueryApp = {
  fetch(request: Request, client: { address: string }): Promise<Response>
  readonly mayOperate: MayOperate
  /** What health says of the licence; undefined: nothing. */
  readonly licenseWarning: () => Promise<string | undefined>
  readonly routes: readonly Route[]
  /** Cancels what runs (code 4) and waits, at most `STOP_MS`, until it has been answered and
   *  audited. */
  stop(): Promise<void>
}

const STOP_MS = 3000
/** Of every answer (decision 7.3). */
const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

export function makeQueryApp(deps: QueryAppDeps): QueryApp {
  const { clock, config, logger, metastore, metrics, version } = deps
  const store = hideDeleted(deps.store, () => readHiddenEvents(metastore.database.read))
  const stopping = new AbortController()
  const open = new OpenWork()
  metastore.readSourceQueriesBy(readTagQuery)
  const signIns = makeSignInTelemetry(metrics, logger)
  const door = openDoor({ metastore, clock, telemetry: signIns, secretKeys: deps.secretKeys })
  const { signIn, signInToSession, checkPassword } = door
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
  const limits = config.search
  const edge = { ...deps, store, database, audit, signIn, limits, stopping: stopping.signal }
  const keepOpen = (work: Promise<unknown>) => open.add(work)
  const calls = { ...edge, keepOpen, telemetry: makeSearchTelemetry(metrics, queue) }
  const searchDeps = {
    ...edge,
    serve: makeServeCall(calls),
    running: new RunningSearches(edge),
    readDamage: shareDamage(
      () => readStoredDamage(database.read),
      () => clock.elapsedMs(),
    ),
    queue,
    exports: makeExportQueue(config.search.maxConcurrent),
    maxQueryMemoryBytes: config.store.maxQueryMemoryBytes,
    publicUrl,
  }
  const { replay: target } = deps
  const replayRejected = target && makeReplayRejected({ store, metastore, clock, target })
  const endWatch = watchSecurity({ metastore, logger, metrics })
  const licenseWarning = async () => await deps.lifecycle?.license.warning()
  const startPage = async () => {
    const security = metastore.isSecurityOn() ? undefined : SECURITY_OFF
    const warnings = [security, await licenseWarning()].filter((one) => one !== undefined)
    return printStartPage({ publicUrl, version, warnings })
  }

  const places = new PlaceCodec(deps.placeKey, clock)
  const searchJson = makeSearchJsonTable({
    ...searchDeps,
    places,
    maxTails: config.search.maxTails,
  })
  const search = makeSearchTable({
    search: makeSearchApi(searchDeps),
    file: makeResultFileApi(searchDeps),
  })
  const { patterns, tryMask, checkProduct, secretKeys, pathRules } = deps
  const { nodeName } = config
  const examine =
    checkProduct && makeExamine({ ...deps, database: metastore.database, checkProduct })
  const mail = mailServerOf(config)
  const monitorTools = {
    readArrived: deps.readArrived,
    tryMonitor: makeTryMonitor(searchDeps),
    tellTarget: makeTellTarget(mail && (() => openMailer(mail)), clock),
  }
  const commandDeps = {
    monitorTools,
    replayRejected,
    patterns,
    tryMask,
    examine,
    secretKeys,
    pathRules,
    nodeName,
    checkPassword,
  }
  const sdk = makeSdkTable({ ...searchDeps, ...commandDeps, wholeStore: deps.store })
  const serveToSession = makeServeCall({ ...calls, signIn: signInToSession })
  const session = makeSessionTable({
    ...searchDeps,
    serveToSession,
    licenseWarning,
    version,
    oidc: config.oidc,
  })
  const oidc = makeOidcTable({ ...searchDeps, oidc: config.oidc })
  const configuration = makeConfigurationTable(searchDeps)
  const statistics = makeStatisticsTable(searchDeps)
  let openApi: unknown
  const pages = makePagesTable({
    version,
    startPage,
    openApi: () => {
      // A seventh of what a start takes; most processes are never asked for it.
      openApi ??= printOpenApi(openApiHead({ version, publicUrl }), documented)
      return openApi
    },
  })
  const files = openStaticFiles()
  const consolePages = makeConsoleTable({
    files,
    loadSearch: makeLoadSearch({ ...searchDeps, files }),
  })
  const dashboards = makeDashboardsTable(searchDeps, makeResultRoutes(searchDeps))
  const documents = new DocumentMaker(deps)
  const dashboardExport = makeExportTable({ ...searchDeps, documents })
  const saved = makeSavedSearchesTable(searchDeps)
  const userView = makeUserViewTable(searchDeps)
  const reads = [configuration, statistics, dashboards, dashboardExport, saved, userView]
  const tables = [searchJson, search, ...reads, session, oidc, sdk, pages, consolePages]
  const documented = [
    searchJson,
    search,
    ...reads,
    session,
    oidc,
    LISTENER_TABLE,
    HEALTH_TABLE,
    sdk,
    pages,
    consolePages,
  ]
  const serve = serveRoutes(tables, {
    refuse: FAILED_ENVELOPE.refuse,
    unknown: (request) => unknownPage(files, request),
    onError: (error) => {
      const answer = FAILED_ENVELOPE.answer(error, 0)
      if (answer.status === 500) logger.error('request failed', describeError(error))
      return answer
    },
    headers: HEADERS,
  })

  return {
    fetch: (request, client) => {
      const answer = serve(request, client)
      open.add(answer)
      return answer
    },
    mayOperate: makeMayOperate(signIn),
    licenseWarning,
    routes: tables.flatMap(({ routes }) => routes),
    stop: async () => {
      stopping.abort()
      endWatch()
      const ended = open.ended().then(() => audit.flush())
      await Promise.race([ended, clock.sleep(STOP_MS)])
      await documents.stop()
    },
  }
}
