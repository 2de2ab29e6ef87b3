// The role `scheduler`: the jobs of all lanes, run by one process of all on the database.
import { auditRetention } from '../infra/metastore/audit/audit-retention.ts'
import type { Job } from '../infra/scheduler/job.ts'
import { startScheduler } from '../infra/scheduler/start.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import { keyRetention } from '../ingest/writer/keys/key-retention.ts'
import { resultCleaning } from '../query/search/results/result-cleaner.ts'
import type { Engines } from './engines.ts'

const JOBS: readonly Job[] = [auditRetention, keyRetention, resultCleaning]

export function openSchedulerRole(
  { clock, logger, metrics, lifecycle }: RoleContext,
  { store, metastore }: Engines,
): void {
  const { database } = metastore
  const engines = { store, metastore, database }
  const scheduler = startScheduler({ engines, jobs: JOBS, clock, logger, metrics })
  lifecycle.add('scheduler', () => scheduler.stop(), 300)
}
