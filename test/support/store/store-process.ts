// The process that test/support/store/embedded-store.ts starts: a store server as the supervisor
// would start it.
import { systemClock } from '../../../infra/clock.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { startStoreServer } from '../../../infra/store/server/start.ts'

const { dataDir, port, password, maxMemoryBytes, maxStallMs, configFile, directories } = JSON.parse(
  process.argv[2] ?? '{}',
)
const server = await startStoreServer({
  dataDir,
  address: '127.0.0.1',
  port,
  password,
  maxMemoryBytes,
  maxQueryMemoryBytes: 400_000_000,
  configFile,
  directories,
  ...(maxStallMs === undefined ? {} : { maxStallMs }),
  threads: Number(process.env.UV_THREADPOOL_SIZE ?? 4),
  logger: makeLogger({ level: 'warn', process: 'store', clock: systemClock }),
  clock: systemClock,
})
// As the link to the supervisor does (infra/supervisor/link.ts): an orphan would hold the
// directory.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.once('SIGTERM', () => {
  void server.stop().finally(() => process.exit(0))
})
process.send?.({ port: server.port })
