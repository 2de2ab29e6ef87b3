// What the portal tells of this deployment by its GET /usage, read with the deployment's own token.
import { z } from 'zod'
import type { OpenedMetastore } from '../metastore/open.ts'
import type { SecretKeys } from '../secrets/secret-keys.ts'
import { openToken } from './deployment-token.ts'
import { readPortalLink, setupOf } from './portal-link.ts'
import { HOUR_MS } from './read-counted.ts'
import { type Amount, type Hours, readReported } from './reported-hours.ts'
import { call } from './send-heartbeat.ts'

const rowSchema = z.object({ time: z.iso.datetime(), events: z.number(), bytes: z.number() })

export type PortalTold =
  /** Nothing is reported, and nothing is asked. */
  | { readonly kind: 'off' }
  | { readonly kind: 'unknown'; readonly reason: string; readonly reachedMs: number }
  | {
      readonly kind: 'told'
      /** Under other licences before, as they were acknowledged, too. */
      readonly hours: Hours
      /** Of other licences there are some. */
      readonly hasOthers: boolean
      /** The last report that the portal took. */
      readonly reachedMs: number
    }

export async function readPortalUsage(options: {
  readonly metastore: Pick<OpenedMetastore, 'database' | 'setting'>
  readonly keys: SecretKeys
  readonly fromHour: number
  readonly toHour: number
}): Promise<PortalTold> {
  const { metastore, keys, fromHour, toHour } = options
  const { read } = metastore.database
  const portalUrl = metastore.setting('system.portalUrl')
  const licenseKey = metastore.setting('system.portalLicenseKey')
  if (portalUrl === '' || licenseKey === '') return { kind: 'off' }
  const link = await readPortalLink(read)
  const isOurs = link?.setup === setupOf(portalUrl, licenseKey)
  const reachedMs = isOurs ? link.reached_ms : 0
  const token = isOurs ? openToken(link.token, keys) : undefined
  if (link === undefined || token === undefined) {
    const reason =
      link === undefined || !isOurs || link.token === ''
        ? 'this deployment is not registered there yet'
        : 'its token cannot be decrypted with the key file of this machine'
    return { kind: 'unknown', reason, reachedMs }
  }
  const query = new URLSearchParams({
    ...{ granularity: 'hour', from: printHour(fromHour), to: printHour(toHour) },
  })
  const around = { portalUrl, signal: AbortSignal.timeout(60_000) }
  const headers = { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' }
  const got = await call(around, `/usage?${query}`, headers)
  if (got.kind === 'failed') return { kind: 'unknown', reason: got.reason, reachedMs }
  const hours = new Map<number, Amount>()
  const add = (hour: number, { events, bytes }: Amount) => {
    const before = hours.get(hour) ?? { events: 0, bytes: 0 }
    hours.set(hour, { events: before.events + events, bytes: before.bytes + bytes })
  }
  for (const line of got.body.split('\n').filter((text) => text !== '')) {
    const row = rowSchema.parse(JSON.parse(line))
    add(Date.parse(row.time) / HOUR_MS, row)
  }
  const { portal_key: portalKey, deployment_id: deploymentId } = link
  const { others } = await readReported(read, { portalKey, deploymentId, fromHour })
  for (const [hour, amount] of others) if (hour < toHour) add(hour, amount)
  return { kind: 'told', hours, hasOthers: others.size > 0, reachedMs }
}

function printHour(hour: number): string {
  return new Date(hour * HOUR_MS).toISOString()
}
