// Work that is done now and then, by one process of all on the database. A lane exports its jobs as
// values; roles/scheduler.ts collects them.
import type { Clock } from '../clock.ts'
import type { Fence } from '../database/lease.ts'
import type { Database } from '../database/port.ts'
import type { Logger } from '../logger.ts'
import type { OpenedMetastore } from '../metastore/open.ts'
import type { Store } from '../store/port.ts'

/** What a job may work on. */
export type JobEngines = {
  readonly database: Database
  readonly metastore: OpenedMetastore
  readonly store: Store
}

export type JobContext = JobEngines & {
  readonly clock: Clock
  readonly logger: Logger
  /** The lease that the job runs under: what must not be done by two asks for it in its transaction
   *  (requireFence). */
  readonly held: Fence
  /** Aborts at the limit of the run, at a stop, and when the lease may be another's. */
  readonly signal: AbortSignal
}

export type Job = {
  /** Kebab-case: of its metrics and log lines. */
  readonly name: string
  /** From the end of one run to the begin of the next. */
  readonly everyMs: number
  /** A run that takes longer has failed; what it still does is not waited for. */
  readonly limitMs: number
  /**
   * Ends soon after its signal. It may be cut off anywhere, and must bear another run beside it,
   * here or elsewhere: of one that was given up nobody knows when it ends. What it fails with is
   * logged; the next run comes at its time.
   */
  readonly run: (context: JobContext) => Promise<void>
}
