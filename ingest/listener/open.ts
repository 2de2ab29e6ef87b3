// The listener of one process: the routes that take events in, and what they need.
import type { Clock } from '../../infra/clock.ts'
import type { Config } from '../../infra/config-schema.ts'
import type { EventLog } from '../../infra/event-log/port.ts'
import type { RawRoute } from '../../infra/http/port.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { Answers } from './answer.ts'
import { BytesInFlight } from './bytes-in-flight.ts'
import { DiskReserve } from './disk-reserve.ts'
import type { Explain } from './explain.ts'
import type { Accounts } from './find-account.ts'
import { GroupCommit } from './group-commit.ts'
import { IngestRoute } from './ingest-route.ts'
import { Receipts } from './receipt.ts'

import { makeReceiptRoute } from './receipt-route.ts'
import { Telemetry } from './telemetry.ts'

export type ListenerDeps = {
  readonly eventLog: EventLog
  readonly metastore: Accounts
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly limits: Config['listener']
  readonly dataDir: string
  readonly nodeName: string
  readonly explain: Explain
  /** Signs receipts; the same in every listener. */
  readonly receiptKey: Buffer
}

export interface Listener {
  readonly routes: RawRoute[]
  /** False while stopping, below the disk reserve, or while the event log does not take blocks. */
  isReady(): boolean
  /** Answers 500 to what comes from now on, makes durable and answers what has arrived; at most 3 s. Closes nothing that was given. */
  stop(): Promise<void>
}

const CHECK_MS = 1000
const STOP_MS = 3000

export function openListener(deps: ListenerDeps): Listener {
  const { eventLog, clock, logger, limits, dataDir } = deps
  const receipts = new Receipts(deps.receiptKey)
  const answers = new Answers(limits)
  const inFlight = new BytesInFlight(limits.maxBytesInFlight)
  const telemetry = new Telemetry(deps.metrics, logger, () => inFlight.bytes)
  const listener = clock.randomBytes(16).toString('hex')
  const commit = new GroupCommit({ eventLog, listener, clock, logger, telemetry })
  const reserveBytes = limits.diskReserveBytes
  const diskReserve = new DiskReserve({ dataDir, reserveBytes, clock, logger })
  const { partitions } = eventLog
  const shared = { ...deps, receipts, answers, telemetry }
  const ingest = new IngestRoute({ ...shared, partitions, commit, inFlight, diskReserve })
  const stopped = new AbortController()
  void checkRegularly(clock, stopped.signal, () => {
    commit.checkTime()
    ingest.checkTime()
  })
  let isStopping = false

  return {
    routes: [
      { path: '/logeye/api/logger.jsp', handle: ingest.handle },
      { path: '/logeye/api/receipt.jsp', handle: makeReceiptRoute(shared) },
    ],
    isReady: () => !isStopping && !diskReserve.isReached && commit.isHealthy,
    async stop() {
      isStopping = true
      await ingest.stop(AbortSignal.timeout(STOP_MS))
      stopped.abort()
      diskReserve.stop()
    },
  }
}

async function checkRegularly(clock: Clock, signal: AbortSignal, check: () => void): Promise<void> {
  for (;;) {
    await clock.sleep(CHECK_MS, signal)
    if (signal.aborted) return
    check()
  }
}
