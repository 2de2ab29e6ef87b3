// What signing in counts.
import type { Metrics } from '../../infra/metrics.ts'

export type SignInTelemetry = {
  accepted(): void
  refused(reason: 'no_credentials' | 'wrong' | 'slowed'): void
}

export function makeSignInTelemetry(metrics: Metrics): SignInTelemetry {
  const signIns = metrics.counter(
    'logeye_sign_ins_total',
    'Calls with credentials, by outcome: accepted, no_credentials, wrong, slowed',
    ['outcome'],
  )
  return {
    accepted: () => signIns.inc(1, { outcome: 'accepted' }),
    refused: (reason) => signIns.inc(1, { outcome: reason }),
  }
}
