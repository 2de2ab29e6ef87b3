// Health and metrics of a start that has no front, at the door of its first process; nothing else
// is answered there.
import { type MayOperate, makeMayOperate } from '../infra/access/may-operate.ts'
import { makeSignIn } from '../infra/access/sign-in.ts'
import { makeSignInTelemetry } from '../infra/access/telemetry.ts'
import type { Config } from '../infra/config-schema.ts'
import { makeHealth } from '../infra/health.ts'
import { openServers } from '../infra/http/open-servers.ts'
import type { OpenedMetastore } from '../infra/metastore/open.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'

/** Without a metastore only this machine, and the token of the configuration, read the metrics. */
export async function openHealthRole(
  context: RoleContext,
  { http }: Config,
  metastore: OpenedMetastore | undefined,
): Promise<void> {
  const { logger, lifecycle, reports } = context
  const mayReadMetrics =
    metastore === undefined ? () => Promise.resolve(false) : makeOperators(context, metastore)
  const health = makeHealth({ reports, mayReadMetrics, metricsToken: http.metricsToken })
  const fetch = (request: Request, client: { address: string }) =>
    health(request, client) ?? makeNotFound()
  await openServers({ http, fetch, logger, lifecycle })
}

/** The sign-in of a process that has no other. */
export function makeOperators(
  { clock, logger, metrics }: RoleContext,
  metastore: OpenedMetastore,
): MayOperate {
  const telemetry = makeSignInTelemetry(metrics, logger)
  return makeMayOperate(makeSignIn({ metastore, clock, telemetry }))
}

export function makeNotFound(): Response {
  return new Response('not found\n', { status: 404 })
}
