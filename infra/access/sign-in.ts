// Finds out who calls, by whatever the call brings (decisions 1.7, 7.1, docs/decisions/0045).

import { Failure, isFailure } from '../../schemas/failures.ts'
import { ANONYMOUS_USER } from '../../schemas/users.ts'
import type { Clock } from '../clock.ts'
import type { Access } from '../metastore/access/port.ts'
import type { Audit } from '../metastore/audit/port.ts'
import type { Rights } from '../metastore/rights/port.ts'
import { Attempts } from './attempts.ts'
import { type CheckPassword, makeCheckPassword } from './check-password.ts'
import { makeCheckToken } from './check-token.ts'
import { type Brought, readCredentials, type SignInRequest } from './credentials.ts'
import type { SignedIn } from './signed-in.ts'
import type { SignInTelemetry } from './telemetry.ts'

/** Throws sign_in.failed, sign_in.slowed, sign_in.busy, sign_in.token_needed,
 *  database.unavailable. */
export type SignIn = (request: SignInRequest) => Promise<SignedIn>

export type SignInDeps = {
  readonly metastore: Rights & Access & Audit
  readonly clock: Clock
  readonly telemetry: SignInTelemetry
}

/** Longer ones are no name or password of ours (schemas/users.ts); cut off before any work is done
 *  with them. */
const MAX_CREDENTIAL_CHARACTERS = 1024

export function makeSignIn(deps: SignInDeps): SignIn {
  return openDoor(deps).signIn
}

/** Both count the same guesses. */
export function openDoor(deps: SignInDeps): { signIn: SignIn; checkPassword: CheckPassword } {
  const { metastore, clock, telemetry } = deps
  const attempts = new Attempts(clock)
  const checkPassword = makeCheckPassword({ metastore, clock, attempts, telemetry })
  const checkToken = makeCheckToken({ metastore, clock, attempts })

  async function find(brought: Brought, request: SignInRequest): Promise<SignedIn | undefined> {
    const { address } = request
    if (brought.kind === 'session') return undefined
    if (brought.kind === 'token') {
      const found = await checkToken(brought.token, request)
      if (found === undefined) return undefined
      return { user: found.user, address, by: { kind: 'token', name: found.tokenName } }
    }
    const user = await checkPassword(brought.credentials, request)
    if (user === undefined) return undefined
    // Said only to those who know the password.
    if (metastore.access.hasSecondFactor(user.id)) throw new Failure('sign_in.token_needed')
    return { user, address, by: { kind: brought.kind } }
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

  const signIn: SignIn = async (request) => {
    const { address } = request
    if (!metastore.isSecurityOn()) return { user: ANONYMOUS_USER, address, by: { kind: 'nothing' } }
    const brought = readCredentials(request)
    if (brought === undefined || isTooLong(brought)) {
      telemetry.refused('no_credentials', address)
      throw new Failure('sign_in.failed')
    }
    try {
      const signedIn = await find(brought, request)
      if (signedIn === undefined) throw new Failure('sign_in.failed')
      telemetry.accepted()
      return signedIn
    } catch (error) {
      if (!isFailure(error)) throw error
      if (error.code === 'sign_in.slowed') telemetry.refused('slowed', address)
      if (error.code === 'sign_in.busy') telemetry.refused('busy', address)
      if (error.code === 'sign_in.failed' || error.code === 'sign_in.token_needed') {
        telemetry.refused('wrong', address)
        await auditFailure(nameOf(brought), address, error.code)
      }
      throw error
    }
  }
  return { signIn, checkPassword }
}

/** As the audit log tells it. */
function nameOf(brought: Brought): string {
  return brought.kind === 'token' || brought.kind === 'session'
    ? `(${brought.kind})`
    : brought.credentials.name
}

function isTooLong(brought: Brought): boolean {
  const texts =
    brought.kind === 'token'
      ? [brought.token]
      : brought.kind === 'session'
        ? [brought.secret]
        : Object.values(brought.credentials)
  return texts.some((text) => text.length > MAX_CREDENTIAL_CHARACTERS)
}
