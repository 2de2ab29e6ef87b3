// Finds out who calls (decisions 1.7, 7.1). One answer for an unknown user, a wrong password and a
// disabled user, after the same work.

import { Failure, isFailure } from '../../schemas/failures.ts'
import { ANONYMOUS_USER, type UserRecord } from '../../schemas/users.ts'
import type { Clock } from '../clock.ts'
import type { Audit } from '../metastore/audit/port.ts'
import type { Rights } from '../metastore/rights/port.ts'
import { NOBODYS_HASH, verifyPassword } from '../metastore/users/password.ts'
import { Attempts } from './attempts.ts'
import { type Credentials, readCredentials, type SignInRequest } from './credentials.ts'
import { HashPlaces } from './hash-places.ts'
import { SharedWork } from './shared-work.ts'
import type { SignInTelemetry } from './telemetry.ts'
import { VerifiedCredentials } from './verified-credentials.ts'

export type SignedIn = {
  readonly user: UserRecord
  /** Client address, for the audit log. */
  readonly address: string
}

/** Throws sign_in.failed, sign_in.slowed, sign_in.busy, database.unavailable. */
export type SignIn = (request: SignInRequest) => Promise<SignedIn>

/** Longer ones are no name or password of ours (schemas/users.ts); cut off before any work is done
 *  with them. */
const MAX_CREDENTIAL_CHARACTERS = 1024

export function makeSignIn(deps: {
  metastore: Rights & Audit
  clock: Clock
  telemetry: SignInTelemetry
}): SignIn {
  const { metastore, clock, telemetry } = deps
  const verified = new VerifiedCredentials(clock)
  const attempts = new Attempts(clock)
  const places = new HashPlaces(clock)
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
    const leave = await enterPlace(credentials.name, address, signal)
    try {
      const user = await metastore.users.find(credentials.name)
      const hash = user === undefined || user.passwordHash === '' ? NOBODYS_HASH : user.passwordHash
      telemetry.hashed()
      const isRight = await verifyPassword(credentials.password, hash)
      if (!isRight || user?.isEnabled !== true || hash === NOBODYS_HASH) {
        places.fail(credentials.name, address)
        return undefined
      }
      // Also when the client has gone meanwhile: its password was right.
      places.succeed(credentials.name)
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
  ): Promise<() => void> {
    try {
      return await places.enter(name, address, signal)
    } catch (error) {
      // Nothing was guessed.
      attempts.takeBack(name, address)
      throw error
    }
  }

  async function checkShared(
    key: string,
    credentials: Credentials,
    request: SignInRequest,
  ): Promise<UserRecord | undefined> {
    // Shared only within an address, so that one place's turn to wait is not another's.
    const shared = `${request.address} ${key}`
    const known = checking.get(shared)
    if (known !== undefined && !known.isLeft) return await known.wait(request.signal)
    const remove = () => {
      if (checking.get(shared) === started) checking.delete(shared)
    }
    const started = new SharedWork((signal) =>
      check(key, credentials, request.address, signal).finally(remove),
    )
    checking.set(shared, started)
    return await started.wait(request.signal)
  }

  async function signInWith(credentials: Credentials, request: SignInRequest): Promise<SignedIn> {
    const { address } = request
    const key = verified.keyOf(credentials)
    const known = await metastore.users.find(credentials.name)
    if (known?.isEnabled === true && verified.has(key, known)) return { user: known, address }
    const user = await checkShared(key, credentials, request)
    if (user === undefined) throw new Failure('sign_in.failed')
    return { user, address }
  }

  async function auditFailure(name: string, address: string, result: string): Promise<void> {
    await metastore
      .audit({
        userId: null,
        userName: name.slice(0, 255),
        address,
        action: 'sign-in',
        target: '',
        result,
      })
      // The database being away is said by the metastore; signing in fails in any case.
      .catch(() => {})
  }

  return async (request) => {
    if (!metastore.isSecurityOn()) return { user: ANONYMOUS_USER, address: request.address }
    // A console session cookie comes here, before the credentials.
    const credentials = readCredentials(request)
    if (credentials === undefined || isTooLong(credentials)) {
      telemetry.refused('no_credentials', request.address)
      throw new Failure('sign_in.failed')
    }
    try {
      const signedIn = await signInWith(credentials, request)
      telemetry.accepted()
      return signedIn
    } catch (error) {
      if (isFailure(error) && error.code === 'sign_in.slowed')
        telemetry.refused('slowed', request.address)
      if (isFailure(error) && error.code === 'sign_in.busy')
        telemetry.refused('busy', request.address)
      if (isFailure(error) && error.code === 'sign_in.failed') {
        telemetry.refused('wrong', request.address)
        await auditFailure(credentials.name, request.address, error.code)
      }
      throw error
    }
  }
}

function isTooLong({ name, password }: Credentials): boolean {
  return name.length > MAX_CREDENTIAL_CHARACTERS || password.length > MAX_CREDENTIAL_CHARACTERS
}
