#!/usr/bin/env node
// Logeye from top to bottom: command line -> configuration -> engines -> roles -> signal -> close in reverse.
// The only file that knows every lane. Modules are loaded where they are needed: a process pays for its own engines only, and what is
// imported here has no package behind it, since loading one opens a hundred files at once (open-files.ts).
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, parseCommand, USAGE, UsageError } from './infra/cli/parse-command.ts'
import { readVersion } from './infra/cli/version.ts'
import { systemClock } from './infra/clock.ts'
import type { LoadedConfig } from './infra/config.ts'
import type { Config } from './infra/config-schema.ts'
import type { Database } from './infra/database/port.ts'
import type { EventLog } from './infra/event-log/port.ts'
import type { RawRoute } from './infra/http/port.ts'
import { KnownPath } from './infra/known-path.ts'
import type { OpenedMetastore } from './infra/metastore/open.ts'
import { missingBinary } from './infra/missing-binary.ts'
import { optional } from './infra/optional.ts'
import type { Store } from './infra/store/port.ts'
import type { Supervision } from './infra/supervisor/messages.ts'
import { requireOpenFiles } from './infra/supervisor/open-files.ts'
import type { RoleContext } from './infra/supervisor/role-process.ts'
import { Failure, isFailure } from './schemas/failures.ts'

type Engines = { readonly store: Store; readonly metastore: OpenedMetastore }

await run()

async function run(): Promise<void> {
  try {
    const command = parseCommand(process.argv.slice(2))
    if (command.kind === 'help') return print(USAGE)
    if (command.kind === 'version') return print(readVersion())
    requireOpenFiles()
    const { loadConfig, processEnvironment } = await import('./infra/config.ts')
    const environment = processEnvironment()
    await obey(command, loadConfig({ environment, ...optional('file', command.configFile) }))
  } catch (thrown) {
    const error = missingBinary(thrown) ?? thrown
    const isConfigError = error instanceof Error && error.name === 'ConfigError'
    const isExpected = isFailure(error) || error instanceof UsageError || isConfigError
    if (!isExpected) throw error
    process.stderr.write(`${isFailure(error) ? 'logeye: ' : ''}${error.message}\n`)
    process.exit(error instanceof UsageError ? 2 : 1)
  }
}

async function obey(command: Command, loaded: LoadedConfig): Promise<void> {
  const { config } = loaded
  switch (command.kind) {
    case 'help':
    case 'version':
      return
    case 'config': {
      const { printConfig } = await import('./infra/config.ts')
      return print(printConfig(loaded))
    }
    case 'certificate':
    case 'reset-password':
    case 'reset-token':
    case 'adopt-data':
    case 'doctor':
    case 'adopt-event-log': {
      const { runOnMachine } = await import('./infra/cli/run-on-machine.ts')
      const { parseState } = await import('./ingest/writer/position-state.ts')
      const readIntentNumber = (metadata: string) => parseState(metadata)?.number
      return print(await runOnMachine(command, config, { clock: systemClock, readIntentNumber }))
    }
    case 'role':
      return await runRole(command.process, config)
    case 'start': {
      const { startProduct } = await import('./infra/supervisor/start-product.ts')
      const mainFile = fileURLToPath(import.meta.url)
      const { configFile } = command
      process.exit(await startProduct({ loaded, configFile, mainFile, version: readVersion() }))
    }
  }
}

async function runRole(kind: 'front' | 'work' | 'store' | 'all', config: Config): Promise<void> {
  const { readSupervision } = await import('./infra/config.ts')
  const { addProcessMetrics } = await import('./infra/process-metrics.ts')
  const { runRoleProcess } = await import('./infra/supervisor/role-process.ts')
  const supervision = readSupervision() ?? (kind === 'all' ? await settleAlone(config) : undefined)
  const isAlone = kind === 'all'
  await runRoleProcess(
    {
      name: supervision?.name ?? kind,
      level: config.log.level,
      supervision: isAlone ? undefined : supervision,
    },
    async (context) => {
      addProcessMetrics(context.metrics, readVersion(), config.dataDir)
      if (kind === 'store' || (isAlone && supervision?.store !== undefined)) {
        const { openStoreRole } = await import('./infra/store/server/open-role.ts')
        await openStoreRole(context, config, supervision)
      }
      const needsDoor = supervision?.hasHealthDoor === true
      if (kind === 'store')
        return needsDoor ? await openHealthDoor(context, config, undefined) : undefined
      // Who only leads what is done now and then needs no broker.
      const isWriting = kind !== 'front' && config.roles.includes('writer')
      const engines = await openEngines(context, config, supervision)
      const { database } = engines.metastore
      const needsLog = kind !== 'work' || isWriting
      const eventLog = needsLog
        ? await openConfiguredEventLog(context, config, database)
        : undefined
      if (kind !== 'front' && config.roles.includes('scheduler'))
        (await import('./infra/metastore/upkeep.ts')).startUpkeep(context, engines.metastore)
      if (eventLog !== undefined) {
        if (isWriting) await openWriterRole(context, config, { ...engines, eventLog })
        if (kind !== 'work') await openFrontRole(context, config, { ...engines, eventLog })
      }
      if (needsDoor) await openHealthDoor(context, config, engines.metastore)
    },
  )
}

async function settleAlone(config: Config): Promise<Supervision> {
  const { standAlone } = await import('./infra/supervisor/stand-alone.ts')
  return await standAlone(config, systemClock)
}

async function openConfiguredDatabase(config: Config): Promise<Database> {
  const { openDatabase } = await import('./infra/database/open.ts')
  const { databaseUrl, dataDir } = config
  return await openDatabase({ url: databaseUrl?.reveal(), dataDir, clock: systemClock })
}

async function openConfiguredEventLog(
  context: RoleContext,
  config: Config,
  database: Database,
): Promise<EventLog> {
  const { openEventLog } = await import('./infra/event-log/open.ts')
  const { recognizeEventLog } = await import('./infra/metastore/ledger/known-event-log.ts')
  const { eventLogUrl, dataDir, eventLog: limits } = config
  const { clock, logger } = context
  const eventLog = await openEventLog({
    url: eventLogUrl?.reveal(),
    dataDir,
    ...limits,
    clock,
    logger,
    recognize: (identity) => recognizeEventLog(database, identity, clock),
  })
  context.lifecycle.add('event log', () => eventLog.close(), 500)
  return eventLog
}

async function openEngines(
  { clock, logger, lifecycle, parts }: RoleContext,
  config: Config,
  supervision: Supervision | undefined,
): Promise<Engines> {
  const { openMetastore } = await import('./infra/metastore/open.ts')
  const { openStore } = await import('./infra/store/open.ts')
  const database = await openConfiguredDatabase(config)
  lifecycle.add('database', () => database.close(), 300)
  const metastore = await openMetastore({ database, clock, logger })
  lifecycle.add('metastore', () => metastore.close(), 300)
  const file = config.databaseUrl === undefined ? await knownDatabase(config.dataDir) : undefined
  parts.set('database', async () => {
    await metastore.refresh()
    return file?.check() ?? true
  })
  const embedded = supervision?.store
  const url = config.storeUrl?.reveal() ?? (embedded && `http://127.0.0.1:${embedded.port}`)
  if (url === undefined) {
    const reason = "this process needs LOGEYE_STORE_URL, or 'logeye start' around it"
    throw new Failure('start.refused', { reason })
  }
  const store = await openStore({
    url,
    isServer: config.storeUrl !== undefined,
    ...optional('clusterName', config.storeCluster),
    ...optional('password', embedded?.password),
  })
  lifecycle.add('store client', () => store.close(), 300)
  parts.set('store', async () => (await store.ping()) || 'does not answer')
  return { store, metastore }
}

async function knownDatabase(dataDir: string): Promise<KnownPath> {
  const { DATABASE_FILE } = await import('./infra/database/database-file.ts')
  return new KnownPath(join(dataDir, DATABASE_FILE))
}

async function openWriterRole(
  context: RoleContext,
  config: Config,
  { store, metastore, eventLog }: Engines & { eventLog: EventLog },
): Promise<void> {
  const { prepareTables } = await import('./infra/store/prepare-tables.ts')
  const { keepLogNumbers } = await import('./infra/metastore/ledger/log-numbers.ts')
  const { startWriter } = await import('./ingest/writer/start.ts')
  const { makeLedger } = await import('./ingest/ledger/start.ts')
  const { clearDamage, nameDamage, readTotal } = await import(
    './infra/metastore/ledger/store-damage.ts'
  )
  const { clock, logger, metrics, lifecycle, parts } = context
  const stopping = new AbortController()
  const { signal } = stopping
  let writer: ReturnType<typeof startWriter> | undefined
  const { database } = metastore
  const url = config.storeUrl?.reveal()
  const common = { store, eventLog, database, clock, logger, metrics }
  const ledger = makeLedger({ ...common, metastore, isOwnStore: url === undefined })
  parts.set('writer', () => {
    const readiness = writer?.readiness() ?? 'waits for the tables of the store'
    return readiness === true && !ledger.isReady() ? 'the store is not checked yet' : readiness
  })
  // Not awaited: the store may come later than this process.
  const prepare = async () => {
    await prepareTables({ ...common, url, signal })
    await ledger.repair()
    if (!signal.aborted) await keepLogNumbers({ ...common, signal })
  }
  const started = prepare().then(() => {
    if (signal.aborted) return
    ledger.start()
    writer = startWriter({
      ...common,
      metastore,
      limits: config.writer,
      nameDamage: (damage) => nameDamage(database, damage),
      clearDamage: (id) => clearDamage(database, id),
      readTotal: (partition) => readTotal(database.read, partition),
    })
  })
  lifecycle.add(
    'writer',
    async () => {
      stopping.abort()
      await started
      await Promise.all([writer?.stop(), ledger.stop()])
    },
    1000,
  )
}

async function openFrontRole(
  context: RoleContext,
  config: Config,
  { store, metastore, eventLog }: Engines & { eventLog: EventLog },
): Promise<void> {
  const { clock, logger, metrics, lifecycle, parts } = context
  const { makeQueryApp } = await import('./query/app.ts')
  const { openSharedKey } = await import('./infra/metastore/shared-key.ts')
  const { searchReserveBytes } = await import('./infra/disk-reserve.ts')
  const { readArrived } = await import('./ingest/writer/arrived.ts')
  const { makeReplay } = await import('./ingest/listener/replay.ts')
  const { makeHealth } = await import('./infra/health.ts')
  const { tellDamage } = await import('./infra/metastore/ledger/tell-damage.ts')
  const { openServers } = await import('./infra/http/open-servers.ts')
  const rawRoutes: RawRoute[] = []
  const ends: (() => Promise<void>)[] = []
  if (config.roles.includes('listener')) {
    const { openListener } = await import('./ingest/listener/open.ts')
    const { makeExplain } = await import('./ingest/writer/explain.ts')
    const { dataDir, nodeName, listener: limits } = config
    const { announceListeningNode } = await import('./infra/metastore/accounts/listening-nodes.ts')
    ends.push(await announceListeningNode(metastore.database, nodeName, { clock, logger }))
    const explain = makeExplain({ metastore, limits: config.writer })
    const listener = openListener({
      eventLog,
      metastore,
      clock,
      logger,
      metrics,
      limits,
      dataDir,
      nodeName,
      explain,
      receiptKey: await openSharedKey(metastore.database, 'receipt', clock),
    })
    rawRoutes.push(...listener.routes)
    ends.push(() => listener.stop())
    parts.set('eventLog', async () => (await eventLog.status(0)).end >= 0)
    parts.set('listener', () => listener.isReady())
  }
  const query = makeQueryApp({
    store,
    metastore,
    clock,
    logger,
    metrics,
    config,
    version: readVersion(),
    placeKey: await openSharedKey(metastore.database, 'places', clock),
    readArrived: () => readArrived(eventLog),
    replay: makeReplay({ eventLog, clock, limits: config.listener }),
    keptFreeBytes: searchReserveBytes(config),
  })
  ends.push(() => query.stop())
  const health = makeHealth({
    reports: context.reports,
    mayReadMetrics: (request, address) => query.mayOperate(request, address),
    metricsToken: config.http.metricsToken,
    damage: (options) => tellDamage(metastore, options),
  })
  const servesQueries = config.roles.includes('query')
  const fetch = (request: Request, client: { address: string }) => {
    const answer = health(request, client)
    if (answer !== undefined) return answer
    return servesQueries ? query.fetch(request, client) : makeNotFound()
  }
  const servers = await openServers({ http: config.http, rawRoutes, fetch, logger, lifecycle })
  lifecycle.add(
    'doors',
    async () => {
      // Together: the doors close when what is open has been answered, and the roles see to that.
      const graceMs = Math.max(0, context.stopLimitMs() - 400)
      const closed = servers.map((server) => server.stop(graceMs))
      const ended = Promise.all(ends.map((end) => end()))
      await Promise.all([...closed, Promise.race([ended, clock.sleep(graceMs)])])
    },
    // Known when a stop begins: the supervisor says it.
    context.stopLimitMs,
  )
}

/** Health and metrics of a start that has no front. Who has no database lets only this machine read its metrics. */
async function openHealthDoor(
  { clock, logger, metrics, lifecycle, reports }: RoleContext,
  { http }: Config,
  metastore: OpenedMetastore | undefined,
): Promise<void> {
  const { makeHealth } = await import('./infra/health.ts')
  const { openServers } = await import('./infra/http/open-servers.ts')
  const { makeMayOperate } = await import('./infra/access/may-operate.ts')
  const { makeSignIn } = await import('./infra/access/sign-in.ts')
  const { makeSignInTelemetry } = await import('./infra/access/telemetry.ts')
  const mayReadMetrics =
    metastore === undefined
      ? () => Promise.resolve(false)
      : makeMayOperate(
          makeSignIn({ metastore, clock, telemetry: makeSignInTelemetry(metrics, logger) }),
        )
  const health = makeHealth({ reports, mayReadMetrics, metricsToken: http.metricsToken })
  const fetch = (request: Request, client: { address: string }) =>
    health(request, client) ?? makeNotFound()
  await openServers({ http, fetch, logger, lifecycle })
}

function makeNotFound(): Response {
  return new Response('not found\n', { status: 404 })
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
