// The doors that the roles of a front share: health and metrics first, then the routes of the
// listener and the query app. A role that the process does not have is not even loaded.
import type { Config } from '../infra/config-schema.ts'
import { makeHealth } from '../infra/health.ts'
import { openServers } from '../infra/http/open-servers.ts'
import { tellCollectFaults } from '../infra/metastore/collect/collect-faults.ts'
import { tellDamage } from '../infra/metastore/ledger/tell-damage.ts'
import type { Role } from '../infra/supervisor/processes.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import type { EnginesWithLog } from './event-log.ts'
import { makeNotFound, makeOperators } from './health.ts'

/** Kept of the limit of a stop, for the doors to close after the roles have ended. */
const CLOSE_MS = 400

export async function openFront(
  context: RoleContext,
  config: Config,
  engines: EnginesWithLog,
  roles: readonly Role[],
): Promise<void> {
  const { clock, logger, lifecycle, reports } = context
  const { metastore } = engines
  const listener = roles.includes('listener')
    ? await (await import('./listener.ts')).openListenerRole(context, config, engines)
    : undefined
  const query = roles.includes('query')
    ? await (await import('./query.ts')).openQueryRole(context, config, engines)
    : undefined
  const health = makeHealth({
    reports,
    // One sign-in a process, so that tries at one surface count at the others.
    mayReadMetrics: query?.mayOperate ?? makeOperators(context, metastore),
    metricsToken: config.http.metricsToken,
    licenseWarning: query?.licenseWarning,
    damage: (options) => tellDamage(metastore, options),
    collecting: (options) => tellCollectFaults(metastore, options),
  })
  const fetch = (request: Request, client: { address: string }) =>
    health(request, client) ?? query?.fetch(request, client) ?? makeNotFound()
  const { http } = config
  const rawRoutes = listener?.rawRoutes ?? []
  const servers = await openServers({ http, rawRoutes, fetch, logger, lifecycle })
  lifecycle.add(
    'doors',
    async () => {
      // Together: the doors close when what is open has been answered, and the roles see to that.
      const graceMs = Math.max(0, context.stopLimitMs() - CLOSE_MS)
      const closed = servers.map((server) => server.stop(graceMs))
      const ended = Promise.all([listener?.stop(), query?.stop()])
      await Promise.all([...closed, Promise.race([ended, clock.sleep(graceMs)])])
    },
    // Known when a stop begins: the supervisor says it.
    context.stopLimitMs,
  )
}
