// What signing in counts, and its line at level debug.
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'

export type SignInTelemetry = {
  accepted(): void
  refused(reason: 'no_credentials' | 'wrong' | 'slowed' | 'busy', address: string): void
  /** A password is checked by its slow hash. */
  hashed(): void
}

export function makeSignInTelemetry(metrics: Metrics, logger?: Logger): SignInTelemetry {
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
    refused: (reason, address) => {
      signIns.inc(1, { outcome: reason })
      // The name is in the audit; here it might be a password in the wrong field.
      if (logger?.isEnabled('debug') === true) logger.debug('sign-in refused', { reason, address })
    },
  }
}
