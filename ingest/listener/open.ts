// The listener of one process: the routes that take events in, and what they need.
import type { Clock } from '../../infra/clock.ts'
import type { Config } from '../../infra/config-schema.ts'
import type { EventLog } from '../../infra/event-log/port.ts'
import type { RawRoute } from '../../infra/http/port.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { Admission } from './admission/admission.ts'
import { Decompressor } from './admission/body.ts'
import { bodyLimitOf } from './admission/body-limit.ts'
import { BytesInFlight } from './admission/bytes-in-flight.ts'
import { DiskReserve } from './admission/disk-reserve.ts'
import type { Accounts } from './admission/find-account.ts'
import { type ExchangeDayBytes, SharedDayBytes } from './admission/shared-day-bytes.ts'
import { Commit } from './commit/commit.ts'
import { GroupCommit } from './commit/group-commit.ts'
import { Receipts } from './commit/receipt.ts'
import type { Explain } from './explain.ts'
import { InputRoute } from './inputs/input-route.ts'
import { INPUTS } from './inputs/inputs.ts'
import { Answers } from './inputs/logger/print-answer.ts'
import { makeMaskHash } from './masking/mask-hash.ts'
import { Masks } from './masking/mask-request.ts'
import { makeReceiptRoute } from './receipt-route.ts'
import { ScanQueue } from './scan/scan-queue.ts'
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
  /** Of the hashes of masking; the same in every listener. */
  readonly maskKey: Buffer
  /** Absent: each listener counts the volume of a day for itself. */
  readonly exchangeDayBytes?: ExchangeDayBytes
}

export interface Listener {
  readonly routes: RawRoute[]
  /** False while stopping, below the disk reserve, or while the event log does not take blocks. */
  isReady(): boolean
  /** Answers 500 to what comes from now on, makes durable and answers what has arrived; at most 3
   *  s. Closes nothing that was given. */
  stop(): Promise<void>
}

const CHECK_MS = 1000
const STOP_MS = 3000

export function openListener(deps: ListenerDeps): Listener {
  const { eventLog, clock, logger, dataDir } = deps
  const { partitions, maxBlockBytes } = eventLog
  const maxBodyBytes = bodyLimitOf(deps.limits, eventLog, logger)
  const limits = { ...deps.limits, maxBodyBytes, maxBlockBytes }
  const receipts = new Receipts(deps.receiptKey)
  const answers = new Answers(limits)
  const inFlight = new BytesInFlight(limits.maxBytesInFlight)
  const telemetry = new Telemetry(deps.metrics, logger, () => inFlight.bytes)
  const listener = clock.randomBytes(16).toString('hex')
  const groups = new GroupCommit({ eventLog, listener, clock, logger, telemetry })
  const commit = new Commit({ groups, partitions, receipts, telemetry })
  const reserveBytes = limits.diskReserveBytes
  const diskReserve = new DiskReserve({ dataDir, reserveBytes, clock, logger })
  const dayBytes = new SharedDayBytes()
  const otherDayBytes = dayBytes.of
  const admission = new Admission({ ...deps, maxBodyBytes, inFlight, diskReserve, otherDayBytes })
  const decompressor = new Decompressor(maxBodyBytes)
  const scans = new ScanQueue()
  const masks = new Masks(makeMaskHash(deps.maskKey))
  const shared = { ...deps, limits, admission, decompressor, scans, commit, telemetry, masks }
  const stopped = new AbortController()
  void checkRegularly(clock, stopped.signal, () => {
    groups.checkTime()
    admission.checkTime()
  })
  const { exchangeDayBytes } = deps
  const counted =
    exchangeDayBytes === undefined
      ? Promise.resolve()
      : dayBytes.run(admission.accounts, exchangeDayBytes, deps, stopped.signal)
  let isStopping = false

  return {
    routes: [
      ...INPUTS.map((input) => ({
        path: input.path,
        handle: new InputRoute(input, shared).handle,
      })),
      {
        path: '/logeye/api/receipt.jsp',
        handle: makeReceiptRoute({ ...deps, receipts, answers, telemetry }),
      },
    ],
    isReady: () => !isStopping && !diskReserve.isReached && groups.isHealthy,
    async stop() {
      isStopping = true
      const limit = new AbortController()
      const isOver = new AbortController()
      void clock.sleep(STOP_MS, isOver.signal).then(() => limit.abort())
      await admission.stop(limit.signal)
      isOver.abort()
      stopped.abort()
      await counted
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
