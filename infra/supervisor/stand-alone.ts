// One process with every role, for a debugger: what the supervisor would have settled.
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import { processEnvironment } from '../config.ts'
import type { Config } from '../config-schema.ts'
import { checkEmbeddedEventLog } from '../event-log/open.ts'
import { checkDatabaseIsThere } from './check-belonging.ts'
import { lockDataDir } from './data-dir-lock.ts'
import { checkDataFormat } from './data-format.ts'
import type { Supervision } from './messages.ts'
import { planStore } from './plan-store.ts'
import { PROCESSES } from './processes.ts'

/** Takes the data directory until the process ends. Fails with start.refused,
 *  start.data_dir_taken. */
export async function standAlone(config: Config, clock: Clock): Promise<Supervision> {
  const hasStore = config.storeUrl === undefined
  const { all, store: storeProcess } = PROCESSES
  const needed = all.threads - (hasStore ? 0 : storeProcess.threads)
  // Too late to be set here: Node has begun to use its threads.
  if (Number(processEnvironment().UV_THREADPOOL_SIZE ?? 4) < needed) {
    const reason = `one process for all needs UV_THREADPOOL_SIZE=${needed} in its environment`
    throw new Failure('start.refused', { reason })
  }
  const lock = lockDataDir(config.dataDir)
  process.on('exit', () => lock.release())
  checkDataFormat(config.dataDir)
  checkDatabaseIsThere(config)
  const { dataDir, eventLog, eventLogUrl } = config
  if (eventLogUrl === undefined) await checkEmbeddedEventLog({ dataDir, clock, ...eventLog })
  if (!hasStore) return { supervisorPid: process.pid }
  const store = await planStore({ roles: ['store'], storeUrl: undefined }, clock)
  return { supervisorPid: process.pid, store }
}
