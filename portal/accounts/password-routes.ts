// Passwords: forgotten, chosen by a link of a mail, changed by whoever has signed in. A new one
// ends the person's sessions and the links that were sent.
import { networkOf } from '../../infra/access/attempts.ts'
import { foldName } from '../../infra/database/fold-name.ts'
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { hashPassword, verifyPassword } from '../../infra/metastore/users/password.ts'
import { Failure } from '../../schemas/failures.ts'
import { changedPassword, chosenPassword, forgottenPassword } from '../../schemas/portal/people.ts'
import { type Caller, EVERY_ROLE } from '../access/caller.ts'
import type { PortalReader, PortalTransaction } from '../database/open.ts'
import type { PersonRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'
import { endLinks, sendLink, useLink } from './one-time-links.ts'

const TAG = 'session'
/** A minute, of an address and of a person. */
const RESETS = 5

export function makePasswordRoutes(deps: PortalDeps): ServedRoute[] {
  const { database, clock, serve, limits, hasMail } = deps
  const choose = async (
    transaction: PortalTransaction,
    personId: string,
    passwordHash: string,
    kept?: string,
  ) => {
    const nowMs = clock.nowMs()
    const people = transaction.updateTable('people').set({ password_hash: passwordHash })
    await people.where('id', '=', personId).execute()
    await endLinks(transaction, personId, nowMs)
    const sessions = transaction
      .updateTable('credentials')
      .set({ revoked_ms: nowMs })
      .where('kind', '=', 'session')
      .where('owner_id', '=', personId)
      .where('revoked_ms', 'is', null)
    await (kept === undefined ? sessions : sessions.where('id', '!=', kept)).execute()
  }
  return [
    serve.write(
      {
        ...{ method: 'POST', path: '/password-resets', tag: TAG, operationId: 'resetPassword' },
        summary: 'Send a link for a new password by mail',
        description: 'The answer is the same whether anybody has this address.',
        allows: { nobody: true },
        body: forgottenPassword,
        answers: { 202: { description: 'If somebody has it, a mail is on its way.' } },
      },
      async ({ body, address }) => {
        if (!hasMail) throw new Failure('portal.no_mail')
        const folded = foldName(body.email.trim())
        await limits.takeStrictly(`reset from ${networkOf(address)}`, RESETS)
        await limits.takeStrictly(`reset of ${folded}`, RESETS)
        return async (transaction) => {
          const people = transaction.selectFrom('people').selectAll()
          const person = await people.where('email_folded', '=', folded).executeTakeFirst()
          if (person?.is_enabled === 1) await sendLink(transaction, person, 'reset', deps)
          return { status: 202, target: 'password' }
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'POST', path: '/passwords', tag: TAG, operationId: 'choosePassword' },
        summary: 'Choose a password by the token of a mail',
        allows: { nobody: true },
        body: chosenPassword,
        answers: { 204: { description: 'Sign in with it; all sessions have ended.' } },
      },
      async ({ body, address, nowMs }) => {
        await limits.takeStrictly(`link from ${networkOf(address)}`, RESETS)
        const passwordHash = await hashPassword(body.password, clock)
        return async (transaction) => {
          const personId = await useLink(transaction, body.token, nowMs)
          await choose(transaction, personId, passwordHash)
          return { target: personId }
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'PUT', path: '/session/password', tag: TAG, operationId: 'changePassword' },
        summary: 'Change the own password',
        description: 'All other sessions end.',
        allows: { roles: EVERY_ROLE },
        body: changedPassword,
        answers: { 204: { description: 'It is changed.' } },
      },
      async ({ body, caller }) => {
        const person = await requirePassword(database.read, caller, body.current, deps)
        const passwordHash = await hashPassword(body.password, clock)
        return async (transaction) => {
          await choose(transaction, person.id, passwordHash, sessionOf(caller).id)
          return { target: person.id }
        }
      },
    ),
  ]
}

export function sessionOf(caller: Caller): Extract<Caller, { kind: 'session' }> {
  if (caller.kind !== 'session') throw new Failure('portal.forbidden')
  return caller
}

/** Whoever has a session alone, an open browser for instance, does not have the account. Fails with
 *  portal.sign_in_failed, portal.rate_limited. */
export async function requirePassword(
  db: PortalReader,
  caller: Caller,
  password: string,
  { limits }: Pick<PortalDeps, 'limits'>,
): Promise<PersonRow> {
  const { personId } = sessionOf(caller)
  await limits.takeStrictly(`password of ${personId}`, RESETS)
  const people = db.selectFrom('people').selectAll()
  const person = await people.where('id', '=', personId).executeTakeFirst()
  if (person === undefined || !(await verifyPassword(password, person.password_hash)))
    throw new Failure('portal.sign_in_failed')
  return person
}
