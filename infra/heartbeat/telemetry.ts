// What the heartbeat tells: metrics, and lines of the log when something changes.
import { describeError, type LogFields, type Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'
import type { PortalLink } from './portal-link.ts'

export type HeartbeatTelemetry = {
  isOff(): void
  /** Hours that the portal has acknowledged in one call. */
  reported(hours: number): void
  failed(failure: string, reason: string): void
  refusedHours(fields: LogFields): void
  notCounted(error: unknown): void
  /** Epoch ms; 0: there is no entitlement. */
  told(link: PortalLink, entitlementEndMs: number): void
}

export function makeHeartbeatTelemetry(deps: {
  readonly metrics: Metrics
  readonly logger: Logger
}): HeartbeatTelemetry {
  const { metrics, logger } = deps
  const calls = metrics.counter(
    'logeye_portal_heartbeats_total',
    'Calls of the portal: taken, or why not',
    ['outcome'],
  )
  const hours = metrics.counter(
    'logeye_portal_reported_hours_total',
    'Hours of usage that the portal has acknowledged, corrections too',
  )
  const due = metrics.gauge('logeye_portal_due_hours', 'Hours of usage that wait to be reported')
  const refused = metrics.gauge(
    'logeye_portal_refused_hours',
    'Hours of usage that the portal did not take at the last report',
  )
  const reached = metrics.gauge(
    'logeye_portal_last_success_timestamp_seconds',
    'When the portal last took a report; 0: never',
  )
  const end = metrics.gauge(
    'logeye_portal_entitlement_end_timestamp_seconds',
    'When the entitlement that the portal gave last ends; 0: there is none',
  )
  let failing = ''
  return {
    isOff: () => {
      failing = ''
    },
    reported: (count) => {
      calls.inc(1, { outcome: 'taken' })
      hours.inc(count)
      if (failing !== '') logger.info('portal takes reports again')
      failing = ''
    },
    failed: (failure, reason) => {
      calls.inc(1, { outcome: failure })
      const level = failing === failure ? 'debug' : 'warn'
      failing = failure
      logger[level]('portal not reported to, what is due is reported later', { failure, reason })
    },
    refusedHours: (fields) => logger.warn('portal refuses hours of usage', fields),
    notCounted: (error) =>
      logger.warn('usage not counted, reported at the next heartbeat', describeError(error)),
    told: (link, entitlementEndMs) => {
      due.set(link.due_hours)
      refused.set(link.refused_hours)
      reached.set(link.reached_ms / 1000)
      end.set(entitlementEndMs / 1000)
    },
  }
}
