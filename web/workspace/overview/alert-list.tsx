import type { LicenseStatus } from '../../../schemas/portal/license/status.ts'
import { Banner } from '../../shared/parts/banner.tsx'
import { printMoments, printTime } from '../parts/print.ts'
import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import './alert-list.css'

const KINDS = { info: 'info', warning: 'warning', critical: 'error' } as const

export function AlertList({ alerts }: { readonly alerts: LicenseStatus['alerts'] }) {
  if (alerts.length === 0) return null
  return (
    <section class="alerts" aria-label={WORKSPACE.overview.alerts}>
      {alerts.map(({ code, severity, message, since, deploymentId }) => (
        <Banner
          key={`${code} ${deploymentId}`}
          kind={KINDS[severity]}
          acts={
            deploymentId !== null && (
              <a href={`${PATHS.deployments}/${deploymentId}`}>{WORKSPACE.overview.look}</a>
            )
          }
        >
          {printMoments(message)}{' '}
          <span class="soft">{WORKSPACE.overview.since(printTime(since))}</span>
        </Banner>
      ))}
    </section>
  )
}
