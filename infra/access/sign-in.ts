// Finds out who calls, by whatever the call brings (decisions 1.7, 7.1, docs/decisions/0045).

import { Failure, isFailure } from '../../schemas/failures.ts'
import { isSecret } from '../../schemas/secret-text.ts'
import { ANONYMOUS_USER } from '../../schemas/users.ts'
import type { Clock } from '../clock.ts'
import { hashSecret } from '../metastore/access/api-tokens.ts'
import type { Access } from '../metastore/access/port.ts'
import type { Audit } from '../metastore/audit/port.ts'
import type { Rights } from '../metastore/rights/port.ts'
import { hideSecrets } from '../secrets/hide-secrets.ts'
import { SecretKeys } from '../secrets/secret-keys.ts'
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
  /** Of second factors; without, none of their codes is right. */
  readonly secretKeys?: SecretKeys | undefined
}

/** Longer ones are no name or password of ours (schemas/users.ts); cut off before any work is done
 *  with them. */
const MAX_CREDENTIAL_CHARACTERS = 1024

export function makeSignIn(deps: SignInDeps): SignIn {
  return openDoor(deps).signIn
}

export type Door = {
  readonly signIn: SignIn
  /** To begin a session: the three parameters, and `code` where there is a second factor. Also
   *  throws sign_in.code_needed. */
  readonly signInToSession: SignIn
  readonly checkPassword: CheckPassword
}

/** All count the same guesses. */
export function openDoor(deps: SignInDeps): Door {
  const { metastore, clock, telemetry } = deps
  const { access } = metastore
  const keys = deps.secretKeys ?? new SecretKeys(undefined, clock)
  const attempts = new Attempts(clock)
  const checkPassword = makeCheckPassword({ metastore, clock, attempts, telemetry })
  const checkToken = makeCheckToken({ metastore, clock, attempts })

  const find: Find = async (brought, request) => {
    if (brought.kind === 'session') return await findBySession(brought.secret)
    if (brought.kind === 'token') {
      const found = await checkToken(brought.token, request)
      if (found === undefined) return undefined
      const { user, tokenName: name, tokenHash: hash } = found
      return { user, by: { kind: 'token', name, hash } }
    }
    const user = await checkPassword(brought.credentials, request)
    if (user === undefined) return undefined
    // Said only to those who know the password.
    if (access.hasSecondFactor(user.id)) throw new Failure('sign_in.token_needed')
    return { user, by: { kind: brought.kind } }
  }

  async function findBySession(secret: string): Promise<Found | undefined> {
    if (!isSecret('ses_', secret)) return undefined
    const session = await access.findSession(hashSecret(secret))
    const user = session && (await access.userById(session.userId))
    if (session === undefined || user?.isEnabled !== true) return undefined
    return { user, by: { kind: 'session', secret, session } }
  }

  const findForSession: Find = async (brought, request) => {
    if (brought.kind !== 'parameters') return undefined
    const user = await checkPassword(brought.credentials, request)
    if (user === undefined) return undefined
    if (!access.hasSecondFactor(user.id)) return { user, by: { kind: 'password' } }
    const [, code = ''] = [...request.parameters].find(([name]) => name === 'code') ?? []
    if (code === '') throw new Failure('sign_in.code_needed')
    const used = await access.useCode(user.id, code.slice(0, MAX_CODE_CHARACTERS), keys)
    if (used === 'slowed') throw new Failure('sign_in.slowed')
    return used === 'right' ? { user, by: { kind: 'second factor' } } : undefined
  }

  return {
    signIn: guard(find, deps),
    signInToSession: guard(findForSession, deps),
    checkPassword,
  }
}

type Found = Pick<SignedIn, 'user' | 'by'>

/** Undefined: what was brought opens nothing. */
type Find = (brought: Brought, request: SignInRequest) => Promise<Found | undefined>

/** Counts, audits, and says no more than that it failed. */
function guard(find: Find, { metastore, telemetry }: SignInDeps): SignIn {
  async function auditFailure(name: string, address: string, result: string): Promise<void> {
    await metastore
      .audit({
        userId: null,
        userName: hideSecrets(name).slice(0, 255),
        address,
        action: 'sign-in',
        target: '',
        result,
      })
      // The database being away is said by the metastore; signing in fails in any case.
      .catch(() => {})
  }

  return async (request) => {
    const { address } = request
    if (!metastore.isSecurityOn()) return { user: ANONYMOUS_USER, address, by: { kind: 'nothing' } }
    const brought = readCredentials(request)
    if (brought === undefined || isTooLong(brought)) {
      telemetry.refused('no_credentials', address)
      throw new Failure('sign_in.failed')
    }
    try {
      const found = await find(brought, request)
      if (found === undefined) throw new Failure('sign_in.failed')
      telemetry.accepted()
      return { ...found, address }
    } catch (error) {
      if (!isFailure(error)) throw error
      if (error.code === 'sign_in.slowed') telemetry.refused('slowed', address)
      if (error.code === 'sign_in.busy') telemetry.refused('busy', address)
      if (WRONG.has(error.code)) {
        telemetry.refused('wrong', address)
        // A session that has ended is no guess, and a page asks again and again.
        if (brought.kind !== 'session') await auditFailure(nameOf(brought), address, error.code)
      }
      throw error
    }
  }
}

const WRONG: ReadonlySet<string> = new Set(['sign_in.failed', 'sign_in.token_needed'])
/** Longer ones are no codes. */
const MAX_CODE_CHARACTERS = 64

/** As the audit log tells it, if it is no secret. */
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
