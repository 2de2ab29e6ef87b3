// API tokens (docs/decisions/0045). A token has 256 random bits: it is found by its hash, and the
// one that is right never waits for those that are wrong.
import { Failure } from '../../schemas/failures.ts'
import { isSecret } from '../../schemas/secret-text.ts'
import { expandOperations, type UserRecord } from '../../schemas/users.ts'
import type { Clock } from '../clock.ts'
import { hashSecret } from '../metastore/access/api-tokens.ts'
import type { Access, PolicyGrants } from '../metastore/access/port.ts'
import type { Rights } from '../metastore/rights/port.ts'
import { joinMasks, withMasks } from '../metastore/rights/security-state.ts'
import type { Attempts } from './attempts.ts'
import { mayDo } from './may-do.ts'

export type TokenUser = {
  readonly user: UserRecord
  readonly tokenName: string
  readonly tokenHash: string
}

/** Undefined: it opens nothing. Fails with sign_in.slowed. */
export type CheckToken = (
  token: string,
  caller: { readonly address: string; readonly signal?: AbortSignal },
) => Promise<TokenUser | undefined>

/** No name of a user holds a control character. */
const ATTEMPTS_NAME = '\u0001token'

export function makeCheckToken(deps: {
  metastore: Rights & Access
  clock: Clock
  attempts: Attempts
}): CheckToken {
  const { metastore, clock, attempts } = deps

  return async (token, { address, signal }) => {
    const found = isSecret('tok_', token)
      ? await findTokenUser(hashSecret(token), metastore, clock)
      : undefined
    if (found !== undefined) return found
    const waitMs = attempts.begin(ATTEMPTS_NAME, address)
    if (waitMs === 'refused') throw new Failure('sign_in.slowed')
    if (waitMs > 0) await clock.sleep(waitMs, signal)
    return undefined
  }
}

/** By the SHA-256 of the token. Undefined: it opens nothing. */
export async function findTokenUser(
  tokenHash: string,
  { access }: Access,
  clock: Pick<Clock, 'nowMs'>,
): Promise<TokenUser | undefined> {
  const record = await access.findToken(tokenHash)
  if (record === undefined || clock.nowMs() >= record.endsMs) return undefined
  const user = await access.userById(record.userId)
  if (user?.isEnabled !== true) return undefined
  const { policyId, name: tokenName } = record
  if (policyId === null) return { user, tokenName, tokenHash }
  // Without its policy nobody knows what it was for.
  const policy = access.policyById(policyId)
  return policy && { user: narrow(user, policy), tokenName, tokenHash }
}

/** What the policy allows, of what the user may do, and what either hides. What he may view stays:
 *  that is set on folders and logs, not in policies. */
function narrow(user: UserRecord, policy: PolicyGrants): UserRecord {
  const allowed = [...expandOperations(policy.operations)].filter((one) => mayDo(user, one))
  const masks = joinMasks(user.masks, policy.masks)
  const isWhole = policy.operations.includes('*') && masks.length === 0
  return {
    ...user,
    isAdministrator: user.isAdministrator && isWhole,
    ...withMasks(masks, new Set(allowed)),
  }
}
