// How the product stands with its portal, for people: license, health and doctor say the same.
import type { Clock } from '../clock.ts'
import { openServerKey } from '../metastore/license/open-server-key.ts'
import type { OpenedMetastore } from '../metastore/open.ts'
import { type EntitlementLook, lookAtEntitlement } from '../signed-documents/entitlement.ts'
import { type PortalLink, readPortalLink, setupOf } from './portal-link.ts'

const HOUR_MS = 3_600_000
/** The portal calls a deployment silent after as long. */
const AWAY_HOURS = 24

export type PortalLook = {
  /** off: address or licence key is not set. waiting: not reached since it was set up. */
  readonly state: 'off' | 'waiting' | 'reporting' | 'failing'
  readonly link: PortalLink | undefined
  readonly entitlement: EntitlementLook
  /** What an operator should know and do. */
  readonly warnings: readonly { readonly text: string; readonly advice: string }[]
}

type Around = { readonly fingerprint: string; readonly nowMs: number }

export const PORTAL_OFF: PortalLook = {
  ...{ state: 'off', link: undefined, warnings: [] },
  entitlement: { state: 'none', entitlement: undefined, reason: '' },
}

export async function lookAtPortal(
  metastore: Pick<OpenedMetastore, 'database' | 'setting'>,
  clock: Pick<Clock, 'nowMs' | 'randomBytes'>,
): Promise<PortalLook> {
  const portalUrl = metastore.setting('system.portalUrl')
  const licenseKey = metastore.setting('system.portalLicenseKey')
  if (portalUrl === '' || licenseKey === '') return PORTAL_OFF
  const kept = await readPortalLink(metastore.database.read)
  if (kept === undefined || kept.setup !== setupOf(portalUrl, licenseKey))
    return { ...PORTAL_OFF, state: 'waiting' }
  const nowMs = clock.nowMs()
  const fingerprint = await openServerKey(metastore.database, clock)
  const entitlement = lookAtKept(kept, { fingerprint, nowMs })
  const isFailing = kept.failure !== ''
  const state = isFailing ? 'failing' : kept.reached_ms === 0 ? 'waiting' : 'reporting'
  const warnings = [...ofReports(kept, nowMs), ...ofLicense(kept), ...ofEntitlement(entitlement)]
  return { state, link: kept, entitlement, warnings }
}

export function lookAtKept(link: PortalLink, around: Around): EntitlementLook {
  const { entitlement, portal_key: portalKey, deployment_id: deploymentId } = link
  return lookAtEntitlement(entitlement, { ...around, portalKey, deploymentId })
}

function ofReports(link: PortalLink, nowMs: number) {
  const { failure, reason, reached_ms, begun_ms, refused_hours } = link
  const warnings: { text: string; advice: string }[] = []
  const hours = Math.floor((nowMs - (reached_ms === 0 ? begun_ms : reached_ms)) / HOUR_MS)
  const never = reached_ms === 0 ? 'the portal has never taken a report' : undefined
  if (failure === 'license_revoked')
    warnings.push({
      text: 'the portal says that the licence was revoked; nothing is reported',
      advice: 'ask the vendor for another licence key, and give it by settings -portalLicenseKey',
    })
  else if (failure === 'unauthenticated')
    warnings.push({
      text: 'the portal does not know the licence key; nothing is reported',
      advice: 'give the key that the portal shows by settings -portalLicenseKey',
    })
  else if (failure === 'other_key')
    warnings.push({
      text: `the portal is not the one that this deployment saw first: ${reason}`,
      advice:
        'find out from the vendor why; where it is meant, give settings -portalLicenseKey again, which trusts it anew',
    })
  else if (failure !== '' && (never !== undefined || hours >= AWAY_HOURS))
    warnings.push({
      text: `${never ?? `the portal has taken no report for ${hours} hours`}: ${reason}`,
      advice: 'see the settings system.portalUrl and the way there; what is due is reported later',
    })
  if (refused_hours > 0)
    warnings.push({
      text: `the portal does not take ${refused_hours} hours of usage`,
      advice: 'compare the clocks of this machine and the portal; the log says which hours',
    })
  return warnings
}

function ofLicense({ license_state }: PortalLink) {
  const isFine = ['', 'upcoming', 'active', 'expiring'].includes(license_state)
  if (isFine && license_state !== 'expiring') return []
  const text =
    license_state === 'expiring'
      ? 'the licence at the portal ends soon'
      : `the licence at the portal is ${license_state}`
  return [{ text, advice: 'ask the vendor; ingest and search go on' }]
}

function ofEntitlement({ state, entitlement, reason }: EntitlementLook) {
  const end = entitlement === undefined ? '' : new Date(entitlement.end).toISOString()
  const advice = 'let this machine reach the portal; ingest and search go on'
  if (state === 'ending') return [{ text: `the entitlement ends at ${end}`, advice }]
  if (state === 'ended') return [{ text: `the entitlement ended at ${end}`, advice }]
  if (state === 'refused')
    return [{ text: `the entitlement that is kept does not count: ${reason}`, advice }]
  return []
}
