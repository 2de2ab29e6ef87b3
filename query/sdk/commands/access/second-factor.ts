// secondFactor: shows, begins, confirms and removes second factors.
import { mayDo } from '../../../../infra/access/may-do.ts'
import type { SignedIn } from '../../../../infra/access/signed-in.ts'
import { formatTotpUri } from '../../../../infra/access/totp.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  hasSecondFactor,
  removeSecondFactor,
} from '../../../../infra/metastore/access/second-factors.ts'
import { endSessionsOf } from '../../../../infra/metastore/access/sessions.ts'
import { requireUser } from '../../../../infra/metastore/users/find-user.ts'
import { editUser } from '../../../../infra/metastore/users/user-changes.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { secondFactor as published } from '../../../../schemas/sdk/access/second-factor.ts'
import { requireOwnUser } from '../../server/require-user.ts'
import { serveCommand } from '../../server/serve-command.ts'

const FRESH_MINUTES = 5

export const secondFactor = serveCommand(published, async ({ action, ...given }, tools) => {
  const { clock, caller, database, secretKeys: keys } = tools
  const user = requireOwnUser(caller)
  if (user.passwordHash === '')
    throw new Failure('sdk.argument', {
      ...{ argument: 'action', reason: 'this user has no password here: the provider asks for it' },
    })
  const key = action === 'begin' ? await keys.current(database.read) : undefined
  return async (transaction) => {
    switch (action) {
      case 'show':
        return { enabled: await hasSecondFactor(transaction, user.id) }
      case 'begin': {
        if (key === undefined) throw new Error('a second factor is begun without a key')
        const secret = await beginSecondFactor(transaction, { clock, keys, key }, user)
        return { secret, uri: formatTotpUri(user.name, secret) }
      }
      case 'confirm': {
        const codes = await confirmSecondFactor(
          transaction,
          { clock, keys },
          user,
          given.code ?? '',
        )
        if (codes === undefined)
          throw new Failure('sdk.argument', { argument: 'code', reason: 'is not the code of now' })
        await endSessionsOf(transaction, user.id, sessionOf(caller)?.idHash)
        return { recoveryCodes: codes }
      }
      case 'remove':
        requireFresh(caller, clock.nowMs())
        await removeSecondFactor(transaction, user)
        return { removed: true as const }
      case 'reset': {
        if (!mayDo(caller.user, 'system.security')) throw new Failure('rights.missing')
        const other = await requireUser(transaction, given.userName ?? '')
        if (other.id === user.id) requireFresh(caller, clock.nowMs())
        await removeSecondFactor(transaction, other)
        await endSessionsOf(transaction, other.id)
        // A change of the user: from now on his password alone is all that he holds.
        await editUser(transaction, other.name, {})
        return { removed: true as const }
      }
    }
  }
})

function sessionOf({ by }: SignedIn) {
  return by.kind === 'session' ? by.session : undefined
}

/** A session that was left open does not take the second factor away. */
function requireFresh(caller: SignedIn, nowMs: number): void {
  const session = sessionOf(caller)
  const isFresh =
    session?.signedInBy === 'second factor' && nowMs < session.madeMs + FRESH_MINUTES * 60_000
  if (!isFresh) throw new Failure('sign_in.fresh_needed', { minutes: FRESH_MINUTES })
}
