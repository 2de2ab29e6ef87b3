// The portal's HTTP surface: the routes of its areas, served through one edge, and the OpenAPI
// document of the same routes.
import { HashPlaces } from '../infra/access/hash-places.ts'
import type { Clock } from '../infra/clock.ts'
import { printOpenApi } from '../infra/http/routes/print-openapi.ts'
import type { Refusal, Route, RouteTable } from '../infra/http/routes/route.ts'
import { type RouteFetch, serveRoutes } from '../infra/http/routes/serve-routes.ts'
import { openStaticFiles } from '../infra/http/static-files.ts'
import { describeError, type Logger } from '../infra/logger.ts'
import type { Mailer } from '../infra/mail/open-mailer.ts'
import type { ObjectStore } from '../infra/objects/port.ts'
import { USUAL_HEARTBEAT_SECONDS } from '../schemas/portal/heartbeat-seconds.ts'
import { newId } from './access/ids.ts'
import { KeyUses } from './access/key-uses.ts'
import { PortalKeys } from './access/portal-keys.ts'
import { makeApiKeyRoutes } from './accounts/api-key-routes.ts'
import { makeLicenseRoutes } from './accounts/license-routes.ts'
import { makeOperatorTokenRoutes } from './accounts/operator-token-routes.ts'
import { makeOrganizationRoutes } from './accounts/organization-routes.ts'
import { makePasswordRoutes } from './accounts/password-routes.ts'
import { makePeopleRoutes } from './accounts/people-routes.ts'
import { makeSecondFactorRoutes } from './accounts/second-factor-routes.ts'
import { makeSessionRoutes } from './accounts/session-routes.ts'
import { recentSignIns } from './accounts/sign-in.ts'
import type { PortalDatabase } from './database/open.ts'
import { openPortalKey } from './database/shared-key.ts'
import { makeDeploymentRoutes } from './deployments/deployment-routes.ts'
import { makeHeartbeatRoutes } from './deployments/heartbeat-routes.ts'
import { openSigningKey } from './deployments/signing-key.ts'
import { makeUsageRoutes } from './deployments/usage-routes.ts'
import type { PortalDeps } from './deps.ts'
import { Cursors } from './edge/cursors.ts'
import { mountVersions } from './edge/mount-versions.ts'
import {
  answerProblem,
  failureOfRefusal,
  PROBLEM_CONTENT,
  toPortalFailure,
} from './edge/problem.ts'
import { RateLimits } from './edge/rate-limits.ts'
import { makeServe } from './edge/serve.ts'
import { makeCreditRoutes } from './license/credit-routes.ts'
import { makeLicenseStatusRoutes } from './license/license-status-routes.ts'
import { startOutbox } from './mail/outbox.ts'
import { makeAttachmentRoutes } from './offers/attachments/attachment-routes.ts'
import { makeOfferDecisionRoutes } from './offers/decision-routes.ts'
import { makeOfferRoutes } from './offers/offer-routes.ts'
import { makeOfferPdfRoutes } from './offers/pdf-routes.ts'
import { makeAuditRoutes } from './operation/audit-routes.ts'
import { startChores } from './operation/chores.ts'
import { makeHealthRoutes } from './operation/health-routes.ts'
import { makePageRoutes, PROBLEMS_PATH } from './operation/page-routes.ts'
import { portalApiHead } from './operation/portal-api-head.ts'
import { makeWorkspaceRoutes } from './operation/workspace-routes.ts'

import { makePriceBookRoutes } from './pricing/price-book-routes.ts'
import { PriceBooks } from './pricing/price-books.ts'
import { makePricingRoutes } from './pricing/pricing-routes.ts'
import { startDeliveries } from './webhooks/deliveries.ts'
import { makeMessageRoutes } from './webhooks/message-routes.ts'
import type { WebhookTargets } from './webhooks/target.ts'
import { makeWebhookRoutes } from './webhooks/webhook-routes.ts'

export type PortalApp = {
  readonly fetch: RouteFetch
  readonly routes: readonly Route[]
  close(): Promise<void>
}

/** Of one message of a webhook. */
const ATTEMPT_MS = 15_000
/** Of every answer. */
const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

export async function makePortalApp(options: {
  readonly database: PortalDatabase
  readonly clock: Clock
  readonly logger: Logger
  readonly folder: string
  readonly publicUrl: string
  readonly version: string
  /** Undefined: no mail is sent, and what needs it is refused. */
  readonly mailer?: Mailer | undefined
  readonly objects: ObjectStore
  /** Default: to the public internet, 15 seconds. */
  readonly webhooks?: { readonly targets: WebhookTargets; readonly timeLimitMs?: number }
  readonly heartbeatSeconds?: number
}): Promise<PortalApp> {
  const { database, clock, logger, folder, publicUrl, version, mailer, webhooks } = options
  const { heartbeatSeconds = USUAL_HEARTBEAT_SECONDS } = options
  const registry = publicUrl + PROBLEMS_PATH
  const limits = new RateLimits({ database, clock, logger })
  const keys = new PortalKeys(`${folder}/secrets.key`, clock)
  const cursors = new Cursors(await openPortalKey(database, 'cursors', clock))
  const signing = await openSigningKey(database, keys)
  const uses = new KeyUses({ database, clock, logger })
  const serve = makeServe({ database, clock, logger, keys, limits, uses, registry })
  const hasMail = mailer !== undefined
  const hashPlaces = new HashPlaces(clock, () => recentSignIns(database.read, clock.nowMs()))
  const own = { keys, limits, hashPlaces, cursors, serve, hasMail, heartbeatSeconds }
  const deps: PortalDeps = { ...options, ...own }
  const chores = startChores(deps)
  const { targets = 'public', timeLimitMs = ATTEMPT_MS } = webhooks ?? {}
  const deliveries = startDeliveries({ ...deps, targets, timeLimitMs })
  const outbox = mailer && startOutbox({ ...deps, mailer })
  const refuse = (refusal: Refusal) =>
    answerProblem(failureOfRefusal(refusal), {
      ...{ path: '/api/portal', requestId: newId('req', clock), registry },
    })
  const books = new PriceBooks(database.read)
  const routes = [
    ...makeSessionRoutes(deps),
    ...makePasswordRoutes(deps),
    ...makeSecondFactorRoutes(deps),
    ...makeOperatorTokenRoutes(deps),
    ...makeApiKeyRoutes(deps),
    ...makeOrganizationRoutes(deps),
    ...makePeopleRoutes(deps),
    ...makeLicenseRoutes(deps),
    ...makeLicenseStatusRoutes(deps),
    ...makeCreditRoutes(deps),
    ...makeAuditRoutes(deps),
    ...makeHeartbeatRoutes(deps, signing),
    ...makeDeploymentRoutes(deps),
    ...makeUsageRoutes(deps),
    ...makePriceBookRoutes(deps),
    ...makePricingRoutes(deps, books),
    ...makeOfferRoutes(deps, books),
    ...makeOfferDecisionRoutes(deps),
    ...makeAttachmentRoutes(deps),
    ...makeOfferPdfRoutes(deps),
    ...makeWebhookRoutes(deps, targets),
    ...makeMessageRoutes(deps),
  ]
  let openApi: unknown
  const table: RouteTable = {
    refusalContent: PROBLEM_CONTENT,
    refuse,
    routes: [
      ...mountVersions([{ name: 'v1', routes }], publicUrl),
      ...makeHealthRoutes(deps),
      ...makePageRoutes(() => {
        // Half a megabyte of text that most portals are never asked for.
        openApi ??= printOpenApi(portalApiHead({ version, publicUrl }), [table])
        return openApi
      }),
      ...makeWorkspaceRoutes(openStaticFiles()),
    ],
  }
  const fetch = serveRoutes([table], {
    refuse,
    onError: (error) => {
      logger.error('portal call failed', describeError(error))
      const place = { path: '/api/portal', requestId: newId('req', clock), registry }
      return answerProblem(toPortalFailure(error), place)
    },
    headers: HEADERS,
  })
  const close = async () => {
    await Promise.all([chores.stop(), outbox?.stop(), deliveries.stop()])
    await Promise.all([limits.close(), uses.close()])
  }
  return { fetch, routes: table.routes, close }
}
