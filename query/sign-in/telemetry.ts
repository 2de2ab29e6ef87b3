// What signing in counts.
import type { Metrics } from '../../infra/metrics.ts'

export type SignInTelemetry = {
  accepted(): void
  refused(reason: 'no_credentials' | 'wrong' | 'slowed' | 'busy'): void
  /** A password is checked by its slow hash. */
  hashed(): void
}

export function makeSignInTelemetry(metrics: Metrics): SignInTelemetry {
  const signIns = metrics.counter(
    'logeye_sign_ins_total',
    'Calls with credentials, by outcome: accepted, no_credentials, wrong, slowed, busy',
    ['outcome'],
  )
  const hashes = metrics.counter(
    'logeye_password_hashes_total',
    'Passwords checked by their slow hash: those of calls that repeat a good one within minutes are not',
  )
  return {
    hashed: () => hashes.inc(1),
    accepted: () => signIns.inc(1, { outcome: 'accepted' }),
    refused: (reason) => signIns.inc(1, { outcome: reason }),
  }
}
