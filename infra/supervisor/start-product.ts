// `logeye start`: takes the data directory and the ports, makes the first accounts, runs the role
// processes until a signal.
import { Failure, isFailure } from '../../schemas/failures.ts'
import { printFirstStart, printReady } from '../cli/welcome.ts'
import { type Clock, systemClock } from '../clock.ts'
import { type LoadedConfig, processEnvironment } from '../config.ts'
import { type Config, publicUrlOf } from '../config-schema.ts'
import { openDatabase } from '../database/open.ts'
import { emptyClosedLog } from '../database/sqlite-log.ts'
import {
  beginEmbeddedEventLog,
  checkEmbeddedEventLog,
  checkEventLogUrl,
} from '../event-log/open.ts'
import { chooseHttpEngine, describeEngine } from '../http/engine.ts'
import { type Logger, makeLogger } from '../logger.ts'
import { hasUsers, readIsSecurityOn, runFirstStart } from '../metastore/first-start.ts'
import { openSharedKey } from '../metastore/shared-key.ts'
import { EXIT_SWITCH, READY_WORD } from '../patches/launch.ts'
import { readPatchState } from '../patches/patch-state.ts'
import { retry } from '../retry.ts'
import { checkStore } from '../store/check-server.ts'
import { storeHasRows } from '../store/has-rows.ts'
import {
  checkDatabaseIsThere,
  checkInstallation,
  INSTALLATION_KEY,
  refuseNewDatabase,
} from './check-belonging.ts'
import { choosePorts, fixedPortsOf } from './choose-ports.ts'
import { type DataDirLock, lockDataDir } from './data-dir-lock.ts'
import { checkDataFormat } from './data-format.ts'
import type { Supervision } from './messages.ts'
import { warnOfOpenFiles } from './open-files.ts'
import { planProcesses } from './plan-processes.ts'
import { planStore, servesStore } from './plan-store.ts'
import { type Supervisor, startSupervisor } from './supervisor.ts'

const ANSWER_MS = 500
const READY_WARNING_MS = 60_000
/** A database server that starts beside us, or is busy with others that do, is waited for as long
 *  as brokers are. */
const DATABASE_LIMIT_MS = 15_000
const READY_LIMIT_MS = 24 * 3_600_000
/** Children of a supervisor that was killed end within this (link.ts); until then they have ports
 *  and engines open. */
const ORPHANS_END_MS = 400
/** Mode bits that no file gets: writing by the group, everything by others. */
const NOBODY_ELSE = 0o027

export type StartOptions = {
  readonly loaded: LoadedConfig
  readonly configFile: string | undefined
  /** The program that children run. */
  readonly mainFile: string
  readonly version: string
  /** A launcher of another version runs this one (infra/patches/launch.ts). */
  readonly isPatched: boolean
}

/** Nothing listens yet; it is starting; others that start have all its connections, or write. */
const PASSING = ['ECONNREFUSED', '57P03', '53300', '55P03']

function isNotUpYet(error: unknown): boolean {
  if (!isFailure(error) || error.code !== 'database.unreachable') return false
  const { cause } = error
  return cause instanceof Error && 'code' in cause && PASSING.includes(String(cause.code))
}

/** Resolves when everything has stopped, with the exit status. Fails before anything runs when the
 *  start is refused. */
export async function startProduct(options: StartOptions): Promise<number> {
  const { config } = options.loaded
  const clock = systemClock
  const beginMs = clock.elapsedMs()
  const logger = makeLogger({ level: config.log.level, process: 'supervisor', clock })
  const engine = await chooseHttpEngine(config.http)
  // A reader of our output that goes away is no reason to stop.
  process.stdout.on('error', () => undefined)
  // Events lie in files of engines, which would let everybody read them; children inherit it.
  process.umask(process.umask(NOBODY_ELSE) | NOBODY_ELSE)

  warnOfOpenFiles(logger)
  const lock = lockDataDir(config.dataDir)
  try {
    const olderFormat = checkDataFormat(config.dataDir)
    if (olderFormat !== undefined)
      logger.info('data directory of an older version is brought up to date', { olderFormat })
    if (lock.isInherited) await clock.sleep(ORPHANS_END_MS)
    const ports = await choosePorts(options.loaded, clock)
    const baseUrl = publicUrlOf(config, ports.plain)
    const { isSecurityOn } = await prepareEngines(config, clock, logger, baseUrl)
    const store = await planStore(config, clock)
    const supervision: Supervision = {
      supervisorPid: process.pid,
      fixedPorts: fixedPortsOf(options.loaded),
      ...(store ? { store } : {}),
    }
    const environment = processEnvironment()
    const common = { ...options, config, environment, supervision }
    const plans = planProcesses({ ...common, ports })
    let lastPorts = ports
    const planAnew = async () => {
      lastPorts = await choosePorts(options.loaded, clock, lastPorts)
      return planProcesses({ ...common, ports: lastPorts })
    }
    if (plans.length === 0)
      throw new Failure('start.refused', { reason: 'the roles leave nothing to run' })
    const { name, isFallback } = engine
    logger.info('http engine', {
      engine: name,
      ...(isFallback ? { why: describeEngine(engine) } : {}),
    })
    const switching = new AbortController()
    const takesOver = () => {
      const isStaged = readPatchState(config.dataDir).staged !== null
      // The answer to whoever asked is on its way.
      if (isStaged) setTimeout(() => switching.abort(), ANSWER_MS)
      return isStaged
    }
    const supervisor = startSupervisor({ groups: plans, planAnew, takesOver, clock, logger })
    const status = superviseUntilStop(supervisor, { logger, switching: switching.signal })
    void untilReady(supervisor, logger).then(() => {
      if (options.isPatched) process.send?.(READY_WORD)
      const seconds = (clock.elapsedMs() - beginMs) / 1000
      const { version } = options
      process.stdout.write(
        printReady({
          ...{ version, seconds, baseUrl, tlsPort: ports.tls },
          portalUrl: ports.portal && publicUrlOf(config.portal, ports.portal.plain),
          engine: describeEngine(engine),
          isSecurityOn,
          ...config,
        }),
      )
    })
    const ended = await status
    if (config.databaseUrl === undefined) emptyClosedLog(config.dataDir)
    return ended
  } finally {
    releaseLock(lock)
  }
}

/** The portal and the store alone know nothing of accounts and events. */
function usesMetastore({ roles }: Pick<Config, 'roles'>): boolean {
  return roles.some((role) => role !== 'portal' && role !== 'store')
}

/** What may only be done while no other process has the engines open, and the first accounts. */
async function prepareEngines(
  config: Config,
  clock: Clock,
  logger: Logger,
  baseUrl: string,
): Promise<{ readonly isSecurityOn: boolean }> {
  // The store of others has no part in what they do.
  if (servesStore(config) || !usesMetastore(config)) return { isSecurityOn: true }
  checkDatabaseIsThere(config)
  const { dataDir, eventLogUrl, databaseUrl, eventLog, storeUrl, storeCluster } = config
  if (eventLogUrl === undefined) await checkEmbeddedEventLog({ dataDir, clock, ...eventLog })
  else await checkEventLogUrl(eventLogUrl.reveal())
  const isStoreThere = storeUrl !== undefined && (await checkStore(storeUrl.reveal(), storeCluster))
  if (storeUrl !== undefined && !isStoreThere)
    logger.warn('store does not answer yet, events wait for it')
  const open = () => openDatabase({ url: databaseUrl?.reveal(), dataDir, clock, logger })
  const waiting = { clock, limitMs: DATABASE_LIMIT_MS, maxDelayMs: 500, isRetriable: isNotUpYet }
  const database = await retry(open, waiting)
  try {
    if (!(await hasUsers(database.read))) {
      const hasRows = isStoreThere && (await storeHasRows(storeUrl.reveal(), storeCluster))
      // Another process may have begun meanwhile: the events are its.
      if (!(await hasUsers(database.read))) refuseNewDatabase(config, hasRows)
    }
    checkInstallation(config, await openSharedKey(database, INSTALLATION_KEY, clock))
    const secrets = await runFirstStart({ database, clock })
    // After the database, without which an event log would be one of a lost database.
    const needsEventLog = config.roles.includes('listener') || config.roles.includes('writer')
    if (eventLogUrl === undefined && needsEventLog)
      await beginEmbeddedEventLog({ dataDir, clock, ...eventLog })
    if (secrets !== null) process.stdout.write(`${printFirstStart(baseUrl, secrets)}\n`)
    return { isSecurityOn: await readIsSecurityOn(database) }
  } finally {
    await database.close()
  }
}

async function untilReady(supervisor: Supervisor, logger: Logger): Promise<void> {
  if (await supervisor.untilReady(READY_WARNING_MS)) return
  logger.warn('not everything is ready yet')
  await supervisor.untilReady(READY_LIMIT_MS)
}

/** The first signal stops in order, the second at once. */
function superviseUntilStop(
  supervisor: Supervisor,
  { logger, switching }: { readonly logger: Logger; readonly switching: AbortSignal },
): Promise<number> {
  return new Promise((resolve) => {
    let isStopping = false
    const stop = (status: number): void => {
      if (isStopping) return
      isStopping = true
      void supervisor.stop().then(() => resolve(status))
    }
    const onSignal = (signal: NodeJS.Signals): void => {
      if (isStopping) {
        supervisor.kill()
        process.exit(1)
      }
      logger.info('stopping', { signal })
      stop(0)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
    // The launcher of a patched program has died.
    process.on('disconnect', () => onSignal('SIGTERM'))
    switching.addEventListener('abort', () => {
      logger.info('stopping, a patch takes over')
      stop(EXIT_SWITCH)
    })
    void supervisor.refused.then((reason) => {
      process.stderr.write(`logeye: ${reason}\n`)
      stop(1)
    })
  })
}

function releaseLock(lock: DataDirLock): void {
  try {
    lock.release()
  } catch {
    // A file that is left is seen as a dead process' at the next start.
  }
}
