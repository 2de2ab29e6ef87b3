// The role `portal`: the vendor's server at ports of its own, with its own database.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readVersion } from '../infra/cli/version.ts'
import type { Clock } from '../infra/clock.ts'
import { type Config, publicUrlOf } from '../infra/config-schema.ts'
import { openServers } from '../infra/http/open-servers.ts'
import { findStreamedRoutes } from '../infra/http/routes/streamed-routes.ts'
import { openObjects } from '../infra/objects/open.ts'
import type { ObjectStore } from '../infra/objects/port.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import { makePortalApp } from '../portal/app.ts'
import { openPortalDatabase, type PortalDatabase } from '../portal/database/open.ts'

const CLOSE_MS = 400

export async function openPortalRole(context: RoleContext, config: Config): Promise<void> {
  const { clock, logger, lifecycle, parts } = context
  const { folder, publicUrl } = placeOfPortal(config)
  const database = await openConfiguredPortal(config, context)
  lifecycle.add('portal database', () => database.close(), 300)
  parts.set('portal database', async () => {
    await database.read.selectFrom('shared_keys').select('name').limit(1).execute()
    return true
  })
  const { mailUrl, mailFrom, webhookTargets: targets } = config.portal
  const mailer =
    mailUrl &&
    (await import('../infra/mail/open-mailer.ts')).openMailer({
      url: mailUrl.reveal(),
      from: mailFrom,
    })
  const objects = await openPortalObjects(config, clock)
  const app = await makePortalApp({
    objects,
    mailer,
    webhooks: { targets },
    database,
    clock,
    logger,
    folder,
    publicUrl,
    heartbeatSeconds: config.portal.heartbeatSeconds,
    version: readVersion(),
  })
  const { address, plainPort, tlsPort } = config.portal
  const http = {
    ...config.http,
    engine: 'node',
    address,
    plainPort,
    tlsPort,
    frontProcesses: 1,
  } as const
  const streamsBody = findStreamedRoutes(app.routes)
  const servers = await openServers({ http, fetch: app.fetch, streamsBody, logger, lifecycle })
  lifecycle.add(
    'portal doors',
    async () => {
      const graceMs = Math.max(0, context.stopLimitMs() - CLOSE_MS)
      await Promise.all(servers.map((server) => server.stop(graceMs)))
      await app.close()
    },
    context.stopLimitMs,
  )
}

export async function openConfiguredPortal(
  config: Config,
  { clock, logger }: Pick<RoleContext, 'clock'> & Partial<Pick<RoleContext, 'logger'>>,
): Promise<PortalDatabase> {
  const { folder } = placeOfPortal(config)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const url = config.portal.databaseUrl?.reveal()
  return await openPortalDatabase({ url, folder, clock, ...(logger ? { logger } : {}) })
}

export async function openPortalObjects(config: Config, clock: Clock): Promise<ObjectStore> {
  const folder = join(placeOfPortal(config).folder, 'objects')
  return await openObjects({ url: config.portal.objectsUrl?.reveal(), clock, folder })
}

export function placeOfPortal({ dataDir, portal }: Config) {
  return { folder: join(dataDir, 'portal'), publicUrl: publicUrlOf(portal, portal.plainPort) }
}
