// Whether a name and a password belong together (decision 7.1). One answer for an unknown user, a
// wrong password and a disabled user, after the same work; guesses wait for their turn.

import { Failure } from '../../schemas/failures.ts'
import type { UserRecord } from '../../schemas/users.ts'
import type { Clock } from '../clock.ts'
import type { Access } from '../metastore/access/port.ts'
import type { Rights } from '../metastore/rights/port.ts'
import { NOBODYS_HASH, verifyPassword } from '../metastore/users/password.ts'
import type { Attempts } from './attempts.ts'
import type { Credentials } from './credentials.ts'
import { HashPlaces } from './hash-places.ts'
import { SharedWork } from './shared-work.ts'
import type { SignInTelemetry } from './telemetry.ts'
import { VerifiedCredentials } from './verified-credentials.ts'

/** Undefined: wrong. Fails with sign_in.slowed, sign_in.busy. */
export type CheckPassword = (
  credentials: Credentials,
  caller: { readonly address: string; readonly signal?: AbortSignal },
) => Promise<UserRecord | undefined>

export function makeCheckPassword(deps: {
  metastore: Rights & Access
  clock: Clock
  attempts: Attempts
  telemetry: Pick<SignInTelemetry, 'hashed'>
}): CheckPassword {
  const { metastore, clock, attempts, telemetry } = deps
  const verified = new VerifiedCredentials(clock)
  const places = new HashPlaces(clock, () => metastore.access.recentSignIns())
  /** Equal credentials that come while they are being checked share the one hash. */
  const checking = new Map<string, SharedWork<UserRecord | undefined>>()

  /** `signal`: of all who wait for it. */
  async function check(
    key: string,
    credentials: Credentials,
    address: string,
    signal: AbortSignal,
  ): Promise<UserRecord | undefined> {
    const waitMs = attempts.begin(credentials.name, address)
    if (waitMs === 'refused') throw new Failure('sign_in.slowed')
    if (waitMs > 0) await clock.sleep(waitMs, signal)
    const { leave, urgency } = await enterPlace(credentials.name, address, signal)
    try {
      const user = await metastore.users.find(credentials.name)
      const hash = user === undefined || user.passwordHash === '' ? NOBODYS_HASH : user.passwordHash
      telemetry.hashed()
      const isRight = await verifyPassword(credentials.password, hash, urgency)
      if (!isRight || user?.isEnabled !== true || hash === NOBODYS_HASH) {
        places.fail(credentials.name, address)
        return undefined
      }
      // Also when the client has gone meanwhile: its password was right.
      places.succeed(credentials.name, address)
      attempts.succeed(credentials.name, address)
      verified.remember(key, user)
      return user
    } finally {
      leave()
    }
  }

  async function enterPlace(
    name: string,
    address: string,
    signal: AbortSignal,
  ): ReturnType<HashPlaces['enter']> {
    try {
      return await places.enter(name, address, signal)
    } catch (error) {
      // Nothing was guessed.
      attempts.takeBack(name, address)
      throw error
    }
  }

  return async (credentials, { address, signal }) => {
    const key = verified.keyOf(credentials)
    const known = await metastore.users.find(credentials.name)
    if (known?.isEnabled === true && verified.has(key, known)) return known
    // Shared only within an address, so that one place's turn to wait is not another's.
    const shared = `${address} ${key}`
    const running = checking.get(shared)
    if (running !== undefined && !running.isLeft) return await running.wait(signal)
    const remove = () => {
      if (checking.get(shared) === started) checking.delete(shared)
    }
    const started = new SharedWork((left) => check(key, credentials, address, left).finally(remove))
    checking.set(shared, started)
    return await started.wait(signal)
  }
}
