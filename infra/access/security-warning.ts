// With security off everybody is an administrator (decision 1.7): a line at the start and at each
// change, and a metric, say so.
import type { Logger } from '../logger.ts'
import type { Rights } from '../metastore/rights/port.ts'
import type { Metrics } from '../metrics.ts'

export const SECURITY_OFF = 'security is off: everybody is an administrator, without sign-in'

/** Gives what ends it. */
export function watchSecurity({
  metastore,
  logger,
  metrics,
}: {
  metastore: Pick<Rights, 'isSecurityOn'> & { onChange(listener: () => void): () => void }
  logger: Logger
  metrics: Metrics
}): () => void {
  const gauge = metrics.gauge('logeye_security_off', '1 while everybody is an administrator')
  let wasOn = true
  const look = () => {
    const isOn = metastore.isSecurityOn()
    gauge.set(isOn ? 0 : 1)
    if (isOn === wasOn) return
    wasOn = isOn
    const setting = 'system.security'
    if (isOn) logger.info('security is on again', { setting })
    else logger.warn(SECURITY_OFF, { setting })
  }
  look()
  return metastore.onChange(look)
}
