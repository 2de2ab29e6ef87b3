// license: shows the one that is installed, or installs one that is good now.
import type { PortalLook } from '../../../../infra/heartbeat/look-at-portal.ts'
import {
  installLicense,
  readInstalledLicense,
} from '../../../../infra/metastore/license/installed-license.ts'
import { type LicenseLook, lookAtLicense } from '../../../../infra/signed-documents/license.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { license as published } from '../../../../schemas/sdk/lifecycle/license.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const license = serveCommand(published, async (input, { clock, lifecycle }) => {
  const { trusted, serverKey } = lifecycle.license
  const nowMs = clock.nowMs()
  const around = { trusted, serverKey, nowMs }
  const ofPortal = describePortal(await lifecycle.license.portal())
  const given = input.files ?? input.text
  if (given === undefined)
    return async (transaction) =>
      describe(lookAtLicense(await readInstalledLicense(transaction), around))
  const look = lookAtLicense(given, around)
  if (look.state !== 'active' && look.state !== 'ending') {
    const reason = (look.warning ?? '').replace(/^the licence does not count: /, '')
    throw new Failure('license.refused', { reason })
  }
  return async (transaction) => {
    await installLicense(transaction, given, nowMs)
    return describe(look)
  }

  function describe({ state, license: read, warning = '' }: LicenseLook) {
    return {
      serverKey,
      state,
      warning,
      id: read?.id ?? '',
      name: read?.name ?? '',
      volumeBytesPerDay: read?.volumeBytesPerDay ?? 0,
      features: read?.features ?? [],
      begin: read === undefined ? '' : new Date(read.begin).toISOString(),
      end: read === undefined ? '' : new Date(read.end).toISOString(),
      trusted: trusted.isBuiltIn ? ('maker' as const) : ('LOGEYE_LICENSE_PUBLIC_KEY' as const),
      ...ofPortal,
    }
  }
})

function describePortal({
  state,
  link,
  entitlement: { state: entitlement, ...look },
  warnings,
}: PortalLook) {
  const said = look.entitlement
  return {
    portal: state,
    portalDeployment: link?.deployment_id ?? '',
    portalLastReport: printTime(link?.reached_ms),
    portalNextReport: printTime(link?.next_ms),
    portalDueHours: link?.due_hours ?? 0,
    entitlement,
    entitlementEnd: printTime(said?.end),
    entitledName: said?.license.name ?? '',
    entitledPlan: said?.license.plan.name ?? '',
    entitledVolumeBytesPerDay: said?.license.plan.volumeBytesPerDay ?? 0,
    entitledEnd: printTime(said?.license.validTo),
    portalLicense: link?.license_state ?? '',
    portalWarnings: warnings.map(({ text }) => text),
  }
}

function printTime(ms: number | undefined): string {
  return ms === undefined || ms === 0 ? '' : new Date(ms).toISOString()
}
