// `logeye reconcile`: the stored volume of the last days as each place says it: the search
// (`datastream received`), the counters, what the portal has acknowledged, and what it says.
import { openExistingDatabase } from '../infra/cli/with-database.ts'
import { systemClock } from '../infra/clock.ts'
import type { Config } from '../infra/config-schema.ts'
import { compareVolumes, type ToldVolumes } from '../infra/heartbeat/compare-volumes.ts'
import { printVolumes } from '../infra/heartbeat/print-volumes.ts'
import { readPortalUsage } from '../infra/heartbeat/read-portal-usage.ts'
import { makeLogger } from '../infra/logger.ts'
import { openMetastore } from '../infra/metastore/open.ts'
import { keyFileOf } from '../infra/secrets/key-file-of.ts'
import { SecretKeys } from '../infra/secrets/secret-keys.ts'
import { Failure } from '../schemas/failures.ts'
import { askVolumes } from './ask-volumes.ts'

export type Reconcile = {
  readonly days: number
  readonly by: 'hour' | 'day'
  readonly user: string
}

/** What to print. Sets the exit status 1 where something differs or cannot be read. */
export async function reconcile(options: Reconcile, config: Config): Promise<string> {
  const clock = systemClock
  const database = await openExistingDatabase(config)
  try {
    const logger = makeLogger({ level: 'error', process: 'reconcile', clock })
    const metastore = await openMetastore({ database, clock, logger })
    try {
      const { days, user } = options
      const asked = await askVolumes({ metastore, config, clock, days, user })
      const keys = new SecretKeys(keyFileOf(config), clock)
      const portal = await readPortalUsage({ metastore, keys, ...asked.window })
      const told: ToldVolumes = { ...asked, portal, nowMs: clock.nowMs() }
      const result = compareVolumes(told, options.by)
      if (result.isBad) process.exitCode = 1
      return printVolumes(result)
    } finally {
      await metastore.close()
    }
  } catch (error) {
    if (error instanceof TypeError && error.message === 'fetch failed')
      throw new Failure('start.refused', {
        reason: 'the product does not answer on this machine: start it, then compare',
      })
    throw error
  } finally {
    await database.close()
  }
}
