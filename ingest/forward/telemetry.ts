// What forwarding tells, by policy: events that went on, and that the other side does not take
// them.
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'

type Policy = { readonly name: string }

export type ForwardTelemetry = {
  /** `events`: none where none wait. */
  sent(policy: Policy, events: number): void
  /** `reason` holds no address and no secret. */
  failed(policy: Policy, reason: string): void
}

export function makeForwardTelemetry({
  metrics,
  logger,
}: {
  readonly metrics: Metrics
  readonly logger: Logger
}): ForwardTelemetry {
  const events = metrics.counter(
    'logeye_forward_events_total',
    'Events that were sent on, by collection policy',
    ['policy'],
  )
  const failing = metrics.gauge(
    'logeye_forward_failing',
    '1 while the events of a collection policy cannot be sent on; they wait in the store',
    ['policy'],
  )
  const said = new Map<string, string>()
  return {
    sent: ({ name }, count) => {
      events.inc(count, { policy: name })
      failing.set(0, { policy: name })
      if (said.delete(name)) logger.info('events are sent on again', { policy: name })
    },
    failed: ({ name }, reason) => {
      failing.set(1, { policy: name })
      if (said.get(name) === reason) return
      said.set(name, reason)
      logger.warn('events cannot be sent on', { policy: name, reason })
    },
  }
}
