// Collecting: by one process of all on the database, under the lease `collector`. Files are read
// and tasks are run side by side.
import { runAsHolder } from '../../infra/database/run-as-holder.ts'
import { describeError } from '../../infra/logger.ts'
import { Collector, type CollectorDeps } from './collector.ts'
import { collectByAccounts } from './sources/collect-by-accounts.ts'
import type { SourceDeps } from './sources/open-source.ts'
import { runTasks } from './tasks/run-tasks.ts'
import type { TaskDeps } from './tasks/task-deps.ts'

const LEASE_NAME = 'collector'
const AGAIN_MS = 1000

type Deps = Omit<CollectorDeps, 'held'> & Pick<TaskDeps, 'progress' | 'readSync'> & SourceDeps

export function startCollector(deps: Deps): { stop(): Promise<void> } {
  const { metastore, clock, logger } = deps
  const stopping = new AbortController()
  const { database } = metastore
  const around = { database, clock, logger, name: LEASE_NAME, signal: stopping.signal }
  const ended = runAsHolder(around, async (held) => {
    const again = async (what: string, work: () => Promise<void>) => {
      while (!held.signal.aborted) {
        try {
          await work()
        } catch (error) {
          // It begins anew, from what the database says.
          if (!held.signal.aborted) logger.warn(`${what} begins anew`, describeError(error))
          await clock.sleep(AGAIN_MS, held.signal)
        }
      }
    }
    await Promise.all([
      again('collecting', () => new Collector({ ...deps, held }).run()),
      again('collecting by accounts', () => collectByAccounts({ ...deps, held })),
      again('running of tasks', () => runTasks({ ...deps, held })),
    ])
  })
  return {
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}
