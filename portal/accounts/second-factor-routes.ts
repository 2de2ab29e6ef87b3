// The own second factor: begun, confirmed with a code, taken off with the password.
import {
  findTotpStep,
  formatBase32,
  formatTotpUri,
  TOTP_SECRET_BYTES,
} from '../../infra/access/totp.ts'
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import {
  begunFactor,
  confirmedFactor,
  factorCode,
  ownPassword,
} from '../../schemas/portal/people.ts'
import { EVERY_ROLE } from '../access/caller.ts'
import type { PortalDeps } from '../deps.ts'
import { requirePassword, sessionOf } from './password-routes.ts'
import { hashRecoveryCode, makeRecoveryCodes } from './second-factor.ts'
import { placeOfFactor } from './sign-in.ts'

const SHARED = { path: '/session/second-factor', tag: 'session' } as const
const ALLOWS = { roles: EVERY_ROLE }
const TRIES = 5

export function makeSecondFactorRoutes(deps: PortalDeps): ServedRoute[] {
  const { database, clock, keys, limits, serve } = deps
  return [
    serve.write(
      {
        ...{ ...SHARED, method: 'POST', operationId: 'beginSecondFactor', allows: ALLOWS },
        summary: 'Begin a second factor',
        description:
          'It counts when it was confirmed with a code. An older one goes on until then.',
        body: ownPassword,
        answers: { 200: { description: 'The secret, shown once.', schema: begunFactor } },
      },
      async ({ body, caller }) => {
        const person = await requirePassword(database.read, caller, body.password, deps)
        const secret = formatBase32(clock.randomBytes(TOTP_SECRET_BYTES))
        const pending = keys.seal(placeOfFactor(person.id), secret)
        return async (transaction) => {
          const update = transaction.updateTable('people').set({ pending_factor: pending })
          await update.where('id', '=', person.id).execute()
          const told = { secret, uri: formatTotpUri(person.email, secret) }
          return { body: told, target: person.id, isSecret: true }
        }
      },
    ),
    serve.write(
      {
        ...{ ...SHARED, method: 'PUT', operationId: 'confirmSecondFactor', allows: ALLOWS },
        summary: 'Confirm the second factor that was begun',
        body: factorCode,
        answers: { 200: { description: 'Recovery codes, shown once.', schema: confirmedFactor } },
      },
      async ({ body, caller, nowMs }) => {
        const { personId } = sessionOf(caller)
        await limits.takeStrictly(`factor of ${personId}`, TRIES)
        const recoveryCodes = makeRecoveryCodes(clock)
        return async (transaction) => {
          const people = transaction.selectFrom('people').selectAll()
          const person = await people.where('id', '=', personId).executeTakeFirst()
          if (person === undefined || person.pending_factor === '')
            throw new Failure('portal.not_found', { what: 'second factor that was begun' })
          const secret = keys.open(placeOfFactor(personId), person.pending_factor)
          const step = findTotpStep(secret, body.code.trim(), { nowMs, afterStep: 0 })
          if (step === undefined) throw new Failure('portal.sign_in_failed')
          await transaction
            .updateTable('people')
            .set({
              ...{ second_factor: person.pending_factor, pending_factor: '', totp_step: step },
              recovery_hashes: JSON.stringify(recoveryCodes.map(hashRecoveryCode)),
            })
            .where('id', '=', personId)
            .execute()
          return { body: { recoveryCodes }, target: personId, isSecret: true }
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'POST', path: '/session/second-factor/removal', tag: 'session' },
        ...{ operationId: 'removeSecondFactor', allows: ALLOWS },
        summary: 'Take the own second factor off',
        body: ownPassword,
        answers: { 204: { description: 'The password alone signs in from now on.' } },
      },
      async ({ body, caller }) => {
        const person = await requirePassword(database.read, caller, body.password, deps)
        return async (transaction) => {
          await transaction
            .updateTable('people')
            .set({ second_factor: null, pending_factor: '', recovery_hashes: '[]' })
            .where('id', '=', person.id)
            .execute()
          return { target: person.id }
        }
      },
    ),
  ]
}
