// What a run of a task works with, and how it ends.
import type { Clock } from '../../../infra/clock.ts'
import type { Fence } from '../../../infra/database/lease.ts'
import type { PathRules } from '../../../infra/files/path-rules.ts'
import type { Logger } from '../../../infra/logger.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import type { SyncPlan } from '../../../schemas/task.ts'
import type { MarkedLogDeps } from '../marked/marked-log.ts'
import type { SourceDeps } from '../sources/open-source.ts'
import type { LogProgress } from '../telemetry.ts'

export type TaskDeps = {
  readonly metastore: OpenedMetastore
  readonly clock: Clock
  readonly logger: Logger
  readonly held: Fence & { readonly signal: AbortSignal }
  /** Of the collector. */
  readonly progress: () => readonly LogProgress[]
  /** Of this node. */
  readonly hostName: string
  readonly paths: PathRules
  readonly readSync: ReadSync
} & SourceDeps &
  Pick<MarkedLogDeps, 'eventLog' | 'masks'>

/** The file of a log sync task. */
export type ReadSync = (text: string) => { readonly plan: SyncPlan } | { readonly fault: string }

export type Outcome = { readonly state: 'done' | 'failed'; readonly reason: string }
