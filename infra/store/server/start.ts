// The store process: the embedded engine behind the part of ClickHouse's HTTP interface that the
// official client uses. Needs UV_THREADPOOL_SIZE >= THREADS (engine.ts) in the environment it is
// started with. On loopback only; a password in `Authorization: Basic` or X-ClickHouse-Key. One
// process a directory: the engine locks it.
import { timingSafeEqual } from 'node:crypto'
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Failure } from '../../../schemas/failures.ts'
import type { Clock } from '../../clock.ts'
import { insertReserveBytes } from '../../disk-reserve.ts'
import { describeError, type Logger } from '../../logger.ts'
import { Answer } from './answer.ts'
import { CrashJournal } from './crash-journal.ts'
import { claimDirectories } from './disks/claim-directories.ts'
import { writeEngineConfig } from './disks/engine-config.ts'
import { endMoves } from './disks/move-partition.ts'
import { Moves } from './disks/moves.ts'
import { removeEmptyDefinitions } from './empty-definitions.ts'
import { removeEmptyIncrement } from './empty-increment.ts'
import { type Engine, OWN_CONFIG_FILE, openEngine, THREADS } from './engine.ts'
import { DAMAGE_CODES, EngineError, type EngineFailure, fromEngine } from './engine-error.ts'
import { type Executor, execute } from './execute.ts'
import { MemoryFiles } from './memory-files.ts'
import { PartSync } from './part-sync.ts'
import { readRequest } from './request/read-request.ts'
import { timeoutSeconds, unpackedBytes } from './request/settings.ts'
import { RunningRequests } from './running.ts'
import { WriteWatch } from './write-watch.ts'

export type StoreServerOptions = {
  /** The engine's files are under `<dataDir>/store`. */
  readonly dataDir: string
  /** Loopback. */
  readonly address: string
  /** 0: any free one. */
  readonly port: number
  /** '' asks for none. */
  readonly password: string
  /** All queries together. */
  readonly maxMemoryBytes: number
  /** One query. */
  readonly maxQueryMemoryBytes: number
  /** A client that takes nothing of its answer for so long is cut off, and its query ended; default
   *  30,000. */
  readonly maxStallMs?: number
  /** The engine's own configuration, in place of ours; tests give it shards. */
  readonly configFile?: string | undefined
  /** On other disks, for days of events (docs/decisions/0132). */
  readonly directories?: readonly string[]
  /** Threads of this process, UV_THREADPOOL_SIZE as it was started with. */
  readonly threads?: number
  readonly logger: Logger
  readonly clock: Clock
}

const MAX_HEADER_BYTES = 1024 * 1024
const BODY_TIMEOUT_MS = 300_000
/** Far above the 2.5 s for which the client keeps a connection that nobody uses
 *  (../connections.ts): however late the client is, it does not send on one that ends here. */
const KEEP_ALIVE_MS = 120_000
const STOP_MS = 2_000
const MAX_STALL_MS = 30_000
const MAX_DAMAGE_CHARS = 1000
/** Until it ends itself: a writer that is told knows that its event is not to blame. */
const TELL_MS = 100

/** Fails when the directory is held by another process or the port is taken. */
export async function startStoreServer(
  options: StoreServerOptions,
): Promise<{ port: number; stop(): Promise<void> }> {
  const { clock, logger, maxStallMs = MAX_STALL_MS } = options
  mkdirSync(options.dataDir, { recursive: true })
  const dataDir = realpathSync(options.dataDir)
  const pipesDirectory = join(dataDir, 'store-pipes')
  mkdirSync(pipesDirectory, { recursive: true, mode: 0o700 })
  // The engine gives some of its files to be read by everybody, whatever the umask.
  const directory = join(dataDir, 'store')
  mkdirSync(directory, { recursive: true, mode: 0o750 })
  for (const table of removeEmptyDefinitions(directory))
    logger.warn('a table was not made for want of room, removing its empty definition', { table })
  const { directories = [] } = options
  const claimed = claimDirectories(dataDir, directories, clock)
  for (const disk of [directory, ...claimed]) removeEmptyIncrement(disk)
  const configFile =
    claimed.length === 0
      ? options.configFile
      : writeEngineConfig(dataDir, options.configFile ?? OWN_CONFIG_FILE, claimed)
  const engine = openDirectory(directory, pipesDirectory, { ...options, configFile })
  // From here on the directory is ours: what an earlier process left behind may be removed.
  const files = new MemoryFiles(join(dataDir, 'store-inserts'))
  const journal = new CrashJournal(dataDir, engine.readerCount, clock)
  const running = new RunningRequests(engine.killer, clock)
  const onFailed = (writes: number) => {
    logger.error('a write of the engine failed, starting again', { writes })
    // No search is to blame.
    journal.clear()
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), TELL_MS)
  }
  const writes = new WriteWatch({ countFailed: () => engine.countFailedWrites(), clock, onFailed })
  await endMoves(engine.askParts, logger)
  const parts = new PartSync({ ask: engine.askParts, logger })
  const executor: Executor = {
    engine,
    dataDir,
    writes,
    running,
    journal,
    files,
    fences: {
      maxQueryMemoryBytes: options.maxQueryMemoryBytes,
      unpackedBytes: unpackedBytes(options.maxMemoryBytes),
      keptFreeBytes: insertReserveBytes(dataDir),
    },
    elapsedMs: () => clock.elapsedMs(),
    tableDirectories: new Map(),
    moves: new Moves(),
  }
  if (options.threads !== undefined && options.threads < THREADS)
    logger.warn('too few threads for the store', { threads: options.threads, needed: THREADS })

  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: BODY_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      const tag = clock.randomBytes(8).toString('hex')
      const onFailed = (failed: EngineFailure) => logDamage(logger, failed)
      const answer = new Answer(response, { tag, maxStallMs, onFailed })
      handle(executor, options, request, response, answer).catch((error: unknown) => {
        const failed = fromEngine(error)
        if (failed.code === 1002 && !answer.isGone)
          logger.error('store request failed', describeError(error))
        answer.fail(failed)
      })
    },
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.address, resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  logger.info('store started', { port })
  return {
    port,
    stop: async () => {
      writes.stop()
      parts.stop()
      server.close()
      server.closeIdleConnections()
      await Promise.race([running.cancelAll(), clock.sleep(STOP_MS)])
      server.closeAllConnections()
      // Closing it removes what merges have replaced.
      const closed = parts
        .sync()
        .then(() => writes.check())
        .then(
          () => engine.close(),
          () => undefined,
        )
      await Promise.race([closed, clock.sleep(STOP_MS)])
      journal.close()
      files.close()
      // A tool that copies the directory may wait for ever at a pipe.
      rmSync(pipesDirectory, { recursive: true, force: true })
      logger.info('store stopped')
    },
  }
}

/** The one error of the engine whose text is logged: it names files and quotes no row. */
function logDamage(logger: Logger, { code, message }: EngineFailure): void {
  if (DAMAGE_CODES.has(code))
    logger.error('files are damaged', { code, text: message.slice(0, MAX_DAMAGE_CHARS) })
}

function openDirectory(
  directory: string,
  pipesDirectory: string,
  { maxMemoryBytes, configFile }: StoreServerOptions,
): Engine {
  try {
    return openEngine({ directory, pipesDirectory, maxMemoryBytes, configFile })
  } catch (error) {
    // The engine says which on stderr: held by another process, no room, not writable, files of a
    // later release.
    throw new Failure('store.unavailable', {}, error)
  }
}

async function handle(
  executor: Executor,
  { password, clock }: StoreServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://store')
  if (url.pathname === '/ping') return answer.endText(200, 'Ok.\n')
  if (!isAllowed(request, password))
    throw new EngineError(516, 'Authentication failed', 'AUTHENTICATION_FAILED')
  if (url.pathname !== '/' || !['GET', 'POST'].includes(request.method ?? ''))
    return answer.endText(404, 'There is no handle for this address.\n')
  const asked = await readRequest(request, url)
  const id = asked.queryId ?? clock.randomBytes(16).toString('hex')
  answer.queryId = id
  const running = executor.running.begin(id, {
    timeoutS: timeoutSeconds(asked.settings),
    sent: asked.sent,
  })
  const cancel = () => {
    if (!response.writableFinished) void executor.running.cancel(id)
  }
  response.on('close', cancel)
  if (response.destroyed) cancel()
  try {
    await execute(executor, asked, running, answer)
  } finally {
    running.ended()
  }
}

function isAllowed(request: IncomingMessage, password: string): boolean {
  if (password === '') return true
  const { authorization } = request.headers
  const basic = /^Basic (\S+)$/.exec(authorization ?? '')?.[1]
  const decoded = Buffer.from(basic ?? '', 'base64').toString()
  const header = request.headers['x-clickhouse-key']
  const given = typeof header === 'string' ? header : decoded.slice(decoded.indexOf(':') + 1)
  const [a, b] = [Buffer.from(given), Buffer.from(password)]
  return a.length === b.length && timingSafeEqual(a, b)
}
